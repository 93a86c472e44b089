import type { VerifiedKey } from '../guild-keys/guild-keys.ts';
import type { Problem, ProblemCode } from '../problem.ts';

/** Fields by name as they came, unknown ones included. */
export type Fields = Readonly<Record<string, unknown>>;

export const NO_FIELDS: Fields = {};

/** A request carries these from one middleware to the next, in `response.locals`. */
interface RequestLocals {
  requestId: string;
  /** Its name in logs and metrics; null for an address that leads nowhere. */
  endpoint: string | null;
  query: Fields;
  /** null until somebody begins to read it. */
  body: Fields | null;
  /** Aborts when the caller is gone, and when the answer has left, because what was held for it can go then. */
  signal: AbortSignal;
  /** The caller's key, once it has been found valid. */
  key: VerifiedKey | null;
  /** True once somebody has looked at the key, valid or not. */
  isKeyRead: boolean;
  /** True once the request has counted in a bucket, or when it must not count in any. */
  isCounted: boolean;
  /** The answer options that the caller's key remembers, also when the key has ended. */
  defaults: Pick<VerifiedKey, 'flat' | 'always200'>;
  /** Null when nothing went wrong. */
  problem: Problem | null;
}

declare global {
  namespace Express {
    // The types of Express look for what is in `response.locals` here.
    interface Locals extends RequestLocals {}
  }
}

/** One finished request, for the log and the metrics. It holds no address, no field and no secret. */
export interface RequestRecord {
  readonly requestId: string;
  /** Null for what never became a request. */
  readonly method: string | null;
  /** Its name; null when the address is unknown. */
  readonly endpoint: string | null;
  /** The caller's; null without a valid one. */
  readonly key: Pick<VerifiedKey, 'keyId' | 'guildId' | 'ownerId'> | null;
  readonly status: number;
  readonly code: ProblemCode | null;
  /** The internal reason, for the log only. */
  readonly cause: unknown;
  readonly durationMs: number;
}
