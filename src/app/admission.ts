import type { GuildKeys } from '../guild-keys/guild-keys.ts';
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
    /** Limits the storage reads that wrong keys from one IP address can cause. A cached key never waits. */
    async authenticate({ key, address, isUrgent }) {
      const failures = isUrgent ? failedUrgently : failedKeys;
      let endRead: ((hasFailed: boolean) => void) | undefined;
      const beforeRead = async () => {
        endRead = await failures.beginRead(address());
      };
      try {
        const verified = await keys.verify(key, { beforeRead });
        endRead?.(false);
        return verified;
      } catch (error) {
        // Ended keys were real, and a missing key is no attempt, so neither counts as a guess.
        const wasGuess =
          error instanceof Problem && (error.code === 'key_unknown' || error.code === 'key_malformed');
        if (endRead !== undefined) endRead(wasGuess);
        else if (wasGuess) failures.count(address());
        throw error;
      }
    },
    limiter,
    async admitCommand(userId, bucket) {
      const result = await limiter.take(bucket === 'image' ? 'command_image' : 'command', userId);
      if (!result.isAllowed) throw overLimitProblem(result);
    },
  };
}
