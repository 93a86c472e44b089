import type { GuildKeys } from '../guild-keys/guild-keys.ts';
import { createKeyGuard } from '../guild-keys/key-guard.ts';
import type { Admission } from '../http/middleware/admit.ts';
import { FailedKeys, type FailedKeysOptions } from '../rate-limit/failed-keys.ts';
import { overLimitProblem, type Limiter } from '../rate-limit/limiter.ts';

/** A revocation may wait this long while wrong keys are checked: longer than other calls, so it is refused last. */
const REVOCATION_WAIT_MS_MAX = 10_000;

export interface AppAdmission extends Admission {
  /** Takes one command of a Discord user. @throws Problem `rate_limited` */
  admitCommand(userId: string, bucket: 'command' | 'image'): Promise<void>;
}

/** Brings keys and limits together, for both shells. */
export function createAdmission(
  keys: Pick<GuildKeys, 'verify' | 'verifyCached'>,
  limiter: Limiter,
  failedKeys: FailedKeysOptions = {},
): AppAdmission {
  const guard = createKeyGuard(keys, new FailedKeys(failedKeys));
  // A queue of its own: strangers who try keys do not keep anybody from revoking one.
  const urgentGuard = createKeyGuard(
    keys,
    new FailedKeys({ ...failedKeys, waitMsMax: REVOCATION_WAIT_MS_MAX }),
  );
  return {
    identify: ({ key, address, isUrgent }) =>
      keys.verifyCached(key) ?? (isUrgent ? urgentGuard : guard).verify(key, address),
    count: (bucket, ownerId) => limiter.take(bucket, ownerId),
    async admitCommand(userId, bucket) {
      const result = await limiter.take(bucket === 'image' ? 'command_image' : 'command', userId);
      const refusal = overLimitProblem(result);
      if (refusal !== null) throw refusal;
    },
  };
}
