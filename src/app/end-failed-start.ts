import { setTimeout as delay } from 'node:timers/promises';

import { ExplainedFailure } from '../kernel/explained-failure.ts';

/** EX_CONFIG of sysexits.h. A restart would fail again, so supervisors are configured not to restart on it. */
export const WRONG_SETTINGS = 78;

export interface FailedStartOptions {
  /** True at a terminal, where a person reads the sentence. */
  readonly isTerminal: boolean;
  /** Ends the pause. */
  readonly signal: AbortSignal;
  /**
   * Supervisors restart containers immediately, whatever the code, and each start costs a request to Discord.
   * Default 1 min.
   */
  readonly pauseMs?: number;
}

/** True when its message says everything. The log then needs no stack. */
export function isExplained(failure: unknown): boolean {
  return failure instanceof ExplainedFailure;
}

/** Resolves with the exit code of a failed start, as soon as the process may end. */
export async function exitCodeOf(
  failure: unknown,
  { isTerminal, signal, pauseMs = 60_000 }: FailedStartOptions,
): Promise<number> {
  if (!(failure instanceof ExplainedFailure) || !failure.isFinal) return 1;
  if (failure.costsIdentify && !isTerminal) {
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return WRONG_SETTINGS;
}
