import type { VerifiedKey } from '../guild-keys/guild-keys.ts';
import type { OperationBucket } from '../operations/operation.ts';
import type { Problem } from '../problem.ts';

/** What a request shows of its caller. */
export interface Credentials {
  /** The key of the Authorization header, without its scheme; undefined when there is none. */
  readonly key: string | undefined;
  /** Where the caller is; asked for only when it is needed. */
  readonly address: () => string;
  /** The caller ends a leaked key, so callers with wrong keys must not slow this one down. */
  readonly isUrgent: boolean;
}

/** How a bucket is after one request. */
export interface Counted {
  readonly headers: Readonly<Record<'RateLimit-Policy' | 'RateLimit', string>>;
  /** `rate_limited`; null when the request may go on. */
  readonly refusal: Problem | null;
}

/** Says whose key it is and whether the call may go on. */
export interface Admission {
  /** Rejects with Problem `key_…`, `busy`, `storage_unavailable`. */
  identify(credentials: Credentials): VerifiedKey | Promise<VerifiedKey>;
  /** Takes one request from a bucket of the key's guild. Never rejects. */
  count(bucket: OperationBucket, ownerId: string): Counted | Promise<Counted>;
}
