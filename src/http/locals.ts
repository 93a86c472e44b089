import type { VerifiedKey } from '../guild-keys/guild-keys.ts';
import type { Problem } from '../kernel/problem.ts';
import type { OperationBucket } from '../operations/operation.ts';

/** Fields by name as they arrived, including unknown ones. */
export type Fields = Readonly<Record<string, unknown>>;

export const NO_FIELDS: Fields = {};

/** The endpoint of a request: an operation, or another path. */
export interface Endpoint {
  /** Its name in logs and metrics. */
  readonly name: string;
  readonly path: string;
  /** Requests for it count in this bucket, if they count. */
  readonly bucket: OperationBucket;
  /** True if the log should show its requests only when they fail. */
  readonly isRoutine?: true;
}

/** Values in `response.locals`, which middlewares pass to later ones. */
interface RequestLocals {
  requestId: string;
  /** Null for an unknown path. */
  endpoint: Endpoint | null;
  query: Fields;
  /** null until the body begins to be read. */
  body: Fields | null;
  /**
   * Aborts when the caller has disconnected, and when the answer has been sent. Memory that was reserved for the request
   * can be released then.
   */
  signal: AbortSignal;
  /** The caller's key, once it has been verified. */
  key: VerifiedKey | null;
  /** True once the key has been checked, whether it was valid or not. */
  isKeyRead: boolean;
  /** True once the request was counted in a bucket, or when it must not be. */
  isRateCounted: boolean;
  /** The answer options that the caller's key remembers, even if the key has ended. */
  defaults: Pick<VerifiedKey, 'flat' | 'always200'>;
  /** Null when nothing went wrong. */
  problem: Problem | null;
}

declare global {
  namespace Express {
    // Express's types take the type of `response.locals` from here.
    interface Locals extends RequestLocals {}
  }
}

/** One finished request, for the log and the metrics. It holds no address, no field and no secret. */
export interface RequestRecord {
  readonly requestId: string;
  /** Null for data that Node's parser rejected. */
  readonly method: string | null;
  /** Null when the path is unknown. */
  readonly endpoint: Pick<Endpoint, 'name' | 'bucket' | 'isRoutine'> | null;
  /** The caller's key; null without a valid one. */
  readonly key: Pick<VerifiedKey, 'keyId' | 'guildId' | 'tenantId'> | null;
  readonly status: number;
  /** Null when nothing went wrong. */
  readonly problem: Problem | null;
  readonly durationMs: number;
}
