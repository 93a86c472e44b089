import type { Response } from 'express';

import type { GuildKeys } from '../../guild-keys/guild-keys.ts';
import type { Answer, SuccessBody } from '../../operations/operation.ts';
import { Problem } from '../../problem.ts';
import { verifiedKeyOf } from '../middleware/admit.ts';

/** Each is for one guild. */
export interface Quotas {
  readonly requestsPerMinute: number;
  readonly imagesPerMinute: number;
  readonly sendsPerMinute: number;
}

export interface KeyEndpointOptions extends Quotas {
  readonly keys: Pick<GuildKeys, 'revoke'>;
}

/** Everybody makes this call first: it changes nothing and shows whether the key works. */
export function describeKey(
  response: Response,
  { requestsPerMinute, imagesPerMinute, sendsPerMinute }: Quotas,
): Answer<SuccessBody> {
  const key = verifiedKeyOf(response);
  return {
    value: {
      ok: true,
      key_id: key.keyId,
      name: key.name,
      guild_id: key.guildId,
      created_at: toUnixSeconds(key.createdAt),
      expires_at: key.expiresAt === null ? null : toUnixSeconds(key.expiresAt),
      flat: key.flat,
      always_200: key.always200,
      operations: key.operations,
      requests_per_minute: requestsPerMinute,
      images_per_minute: imagesPerMinute,
      sends_per_minute: sendsPerMinute,
    },
  };
}

/** Ends the key that is sent, so anybody who finds a leaked one can end it. */
export async function revokeKey(
  response: Response,
  { keys }: KeyEndpointOptions,
): Promise<Answer<SuccessBody>> {
  const { ownerId, keyId } = verifiedKeyOf(response);
  try {
    await keys.revoke(ownerId, keyId);
  } catch (error) {
    // It ended between the check and now, which is what was asked for.
    if (!(error instanceof Problem && error.code === 'not_found')) throw error;
  }
  return { value: { ok: true, key_id: keyId, revoked: true } };
}

function toUnixSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
