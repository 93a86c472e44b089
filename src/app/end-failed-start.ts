import { setTimeout as delay } from 'node:timers/promises';

import { ExplainedFailure } from '../kernel/explained-failure.ts';

/** EX_CONFIG of sysexits.h. Trying again would change nothing, so supervisors are configured not to restart on it. */
export const WRONG_SETTINGS = 78;

export interface FailedStartOptions {
  /** A person is there to read the sentence and to repair what it names. */
  readonly isTerminal: boolean;
  /** Ends the pause. */
  readonly signal: AbortSignal;
  /**
   * Supervisors restart containers immediately, whatever the code, and each start costs a request to Discord.
   * Default 1 min.
   */
  readonly pauseMs?: number;
}

/** The exit code of a start that failed, once the process may end. */
export async function exitCodeOf(
  failure: unknown,
  { isTerminal, signal, pauseMs = 60_000 }: FailedStartOptions,
): Promise<number> {
  if (!(failure instanceof ExplainedFailure) || !failure.isFinal) return 1;
  if (failure.costsLogin && !isTerminal) {
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return WRONG_SETTINGS;
}
