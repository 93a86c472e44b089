import type { VerifiedKey } from '../guild-keys/guild-keys.ts';
import type { OperationBucket } from '../operations/operation.ts';
import type { LimitResult } from '../rate-limit/limiter.ts';

export interface Credentials {
  /** The key of the Authorization header, without its scheme; undefined when there is none. */
  readonly key: string | undefined;
  /** The IP address of the caller. Called only when it is needed. */
  readonly address: () => string;
  /** The caller ends a leaked key, so callers with wrong keys must not slow this one down. */
  readonly isUrgent: boolean;
}

/** Says whose key it is and whether the call may go on. */
export interface Admission {
  /** Rejects with Problem `key_…`, `busy`, `storage_unavailable`. */
  identify(credentials: Credentials): VerifiedKey | Promise<VerifiedKey>;
  /** Takes one request from a bucket of the key's guild. Never rejects. */
  count(bucket: OperationBucket, ownerId: string): Promise<LimitResult>;
}
