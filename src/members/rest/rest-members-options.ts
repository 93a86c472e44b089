import type { InvalidRequestBreaker } from '../../upstream/invalid-request-breaker.ts';
import { CALLER_WAIT_MS } from '../../kernel/caller-wait.ts';

/** All periods in milliseconds. */
export interface RestMembersSettings {
  /** Discord's URL without the version. */
  readonly apiUrl: string;
  /** False refuses every lookup with `caller_tokens_disabled`. Default true. */
  readonly allowsCallerTokens: boolean;
  /** The service's own bot token, or null, the default. */
  readonly ownToken: string | null;
  /** Answers about permissions are reused for this long. Default 10 s. */
  readonly permissionInputsKeptMs: number;
  /** Deadline of one call to Discord. Default 5 s. */
  readonly callTimeoutMs: number;
  /** A caller waits this long for a listing before it is asked to come back. Default CALLER_WAIT_MS. */
  readonly callerWaitMs: number;
  /** The result of a listing is reused for this long. Default 60 s. */
  readonly keptMs: number;
  /** Waits before reading a page again that failed in the middle of a listing. Default 1 s, then 4 s. */
  readonly retryDelaysMs: readonly number[];
  /** Results kept. Default 64. */
  readonly keptMax: number;
  /** Members in all results and running listings together, about 16 bytes each. Default 20 million. */
  readonly membersMax: number;
  readonly now: () => number;
}

export interface RestMembersOptions extends Partial<RestMembersSettings> {
  readonly apiUrl: string;
  /** Shared with everything else in the process that calls Discord. */
  readonly breaker?: InvalidRequestBreaker;
  readonly attempts?: {
    /** Invalid requests that one tenant may cause in ten minutes. Default 20. */
    readonly invalidRequestsMax?: number;
  };
  /** Called when Discord refuses a caller's token with this status. */
  readonly onInvalidRequest?: (status: 401 | 403 | 429) => void;
}

export function settingsOf(options: RestMembersOptions): RestMembersSettings {
  return {
    allowsCallerTokens: true,
    ownToken: null,
    permissionInputsKeptMs: 10_000,
    callTimeoutMs: 5_000,
    callerWaitMs: CALLER_WAIT_MS,
    keptMs: 60_000,
    retryDelaysMs: [1_000, 4_000],
    keptMax: 64,
    membersMax: 20_000_000,
    now: Date.now,
    ...options,
  };
}
