import type { Answer, SuccessBody } from '../../operations/operation.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Endpoint } from '../locals.ts';

export interface Readiness {
  /** Null when this process should get requests. */
  readonly problem: Problem | null;
  /** The state of each part of the service, without secrets; null while the service stops. */
  readonly parts: {
    readonly version: string;
    /** Null when it is switched off. */
    readonly discord: DiscordState | null;
    /** Null in a service of one process. */
    readonly cluster: {
      readonly redis: 'ok' | 'away';
      /** Whether messages of the other processes arrive. */
      readonly hears: boolean;
      readonly processes: number;
      readonly shards_held_twice: readonly number[];
    } | null;
  } | null;
}

/** The connection to Discord. Until it is first made, only `connected` and `reason` are known. */
export interface DiscordState {
  readonly connected: boolean;
  readonly shards?: number | null;
  readonly shards_ready?: number;
  readonly guilds?: number;
  readonly members_intent?: boolean;
  readonly logins_left?: number | null;
  readonly member_lists?: { readonly complete: number; readonly loading: number; readonly stale: number };
  /** Why it does not work, in one sentence, or null. */
  readonly reason: string | null;
}

export const LIVE = {
  name: 'health-live',
  path: '/health/live',
  bucket: 'guild',
  isRoutine: true,
} as const satisfies Endpoint;
export const READY = {
  name: 'health-ready',
  path: '/health/ready',
  bucket: 'guild',
  isRoutine: true,
} as const satisfies Endpoint;

/** Answers 200 while the process runs. Restart the process when this does not answer. */
export function answerLive(): Answer<SuccessBody> {
  return { value: { ok: true, status: 'live' } };
}

/**
 * Answers 200 while this process can take requests.
 * @throws Problem `storage_unavailable`, `shutting_down` …
 */
export async function answerReady(
  readStatus: () => Promise<{ readonly readiness: Readiness }>,
): Promise<Answer<SuccessBody>> {
  const { problem, parts } = (await readStatus()).readiness;
  if (problem !== null || parts === null) throw problem ?? new Problem('shutting_down');
  const { version, discord, cluster } = parts;
  return {
    value: {
      ok: true,
      status: 'ready',
      version,
      storage: 'ok',
      discord: discord ?? { connected: false, reason: 'off' },
      ...(cluster === null ? {} : { cluster }),
    },
  };
}
