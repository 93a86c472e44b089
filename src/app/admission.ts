import type { GuildKeys, VerifiedKey } from '../guild-keys/guild-keys.ts';
import type { Admission } from '../http/middleware/admit.ts';
import { Problem } from '../kernel/problem.ts';
import { FailedKeys, type FailedKeysOptions } from '../rate-limit/failed-keys.ts';
import { overLimitProblem, type Limiter } from '../rate-limit/limiter.ts';

/** Revocations wait for slots longer than other calls, so they are refused last. */
const REVOCATION_WAIT_MS_MAX = 10_000;

export interface AppAdmission extends Admission {
  /** Takes one command of a Discord user. @throws Problem `rate_limited` */
  admitCommand(userId: string, bucket: 'command' | 'image'): Promise<void>;
}

/** Authentication and rate limits, for HTTP and Discord. */
export function createAdmission(
  keys: Pick<GuildKeys, 'verify'>,
  limiter: Limiter,
  options: FailedKeysOptions = {},
): AppAdmission {
  const failedKeys = new FailedKeys(options);
  // Its own queue, so that callers who guess keys cannot delay a revocation.
  const failedUrgently = new FailedKeys({ ...options, waitMsMax: REVOCATION_WAIT_MS_MAX });
  return {
    identify: ({ key, address, isUrgent }) =>
      verifyGuarded(keys, isUrgent ? failedUrgently : failedKeys, key, address),
    limiter,
    async admitCommand(userId, bucket) {
      const result = await limiter.take(bucket === 'image' ? 'command_image' : 'command', userId);
      const refusal = overLimitProblem(result);
      if (refusal !== null) throw refusal;
    },
  };
}

/**
 * Verifies a key, but limits the storage reads that wrong keys from one IP address can cause. A key whose record is
 * cached never waits.
 * @param address returns the caller's IP address; called only when needed
 * @throws Problem `key_…`, `busy`, `storage_unavailable`
 */
export async function verifyGuarded(
  keys: Pick<GuildKeys, 'verify'>,
  failedKeys: FailedKeys,
  presented: string | undefined,
  address: () => string,
): Promise<VerifiedKey> {
  let endRead: ((hasFailed: boolean) => void) | undefined;
  const beforeRead = async () => {
    endRead = await failedKeys.beginRead(address());
  };
  try {
    const key = await keys.verify(presented, { beforeRead });
    endRead?.(false);
    return key;
  } catch (error) {
    // Ended keys were real, and a missing key is no attempt, so neither counts as a guess.
    const wasGuess =
      error instanceof Problem && (error.code === 'key_unknown' || error.code === 'key_malformed');
    if (endRead !== undefined) endRead(wasGuess);
    else if (wasGuess) failedKeys.count(address());
    throw error;
  }
}
