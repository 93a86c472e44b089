import type { Response } from 'express';

import type { GuildKeys } from '../../guild-keys/guild-keys.ts';
import type { Answer, SuccessBody } from '../../operations/operation.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Limits } from '../../rate-limit/limiter.ts';
import { verifiedKeyOf } from '../middleware/admit.ts';
import type { Endpoint } from '../locals.ts';

export const KEY = { name: 'key', path: '/api/key', bucket: 'guild' } as const satisfies Endpoint;

/** The first call with a new key. It changes nothing and shows whether the key works. */
export function describeKey(
  response: Response,
  { requestsPerMinute, imagesPerMinute, sendsPerMinute }: Limits,
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
      operations: key.operations === null ? null : [...key.operations],
      requests_per_minute: requestsPerMinute,
      images_per_minute: imagesPerMinute,
      sends_per_minute: sendsPerMinute,
    },
  };
}

/** Ends the key that the request carries. Anyone who finds a leaked key can end it. */
export async function revokeKey(
  response: Response,
  keys: Pick<GuildKeys, 'revoke'>,
): Promise<Answer<SuccessBody>> {
  const { tenantId, keyId } = verifiedKeyOf(response);
  try {
    await keys.revoke(tenantId, keyId);
  } catch (error) {
    // The key has ended since the check, and that was the purpose of the call.
    if (!(error instanceof Problem && error.code === 'not_found')) throw error;
  }
  return { value: { ok: true, key_id: keyId, revoked: true } };
}

function toUnixSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
