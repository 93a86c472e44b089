import type { Response } from 'express';
import * as z from 'zod';

import type { GuildKeys } from '../../guild-keys/guild-keys.ts';
import type { Answer } from '../../operations/operation.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Limits } from '../../rate-limit/limiter.ts';
import { verifiedKeyOf } from '../middleware/admit.ts';
import { problemCodesOf } from '../openapi/problem-codes.ts';
import type { Endpoint } from './endpoint.ts';

const KeyAnswer = z.object({
  ok: z.literal(true),
  key_id: z.string().meta({ description: 'Public.' }),
  name: z.string(),
  guild_id: z.string().nullable().meta({ description: 'Server of the key; null for a local key.' }),
  created_at: z.int().meta({ description: 'When it was made, in Unix seconds.' }),
  expires_at: z.int().nullable().meta({ description: 'When it expires, in Unix seconds; null means never.' }),
  flat: z.boolean().meta({ description: 'Default of `flat` for this key.' }),
  always_200: z.boolean().meta({ description: 'Default of `always_200` for this key.' }),
  operations: z.array(z.string()).nullable().meta({
    description: 'Names of the operations that the key may call; null means all of them.',
  }),
  requests_per_minute: z.int(),
  images_per_minute: z.int(),
  sends_per_minute: z.int(),
});

const RevokedKey = z.object({ ok: z.literal(true), key_id: z.string(), revoked: z.literal(true) });

export const KEY = {
  name: 'key',
  path: '/api/key',
  tag: 'key',
  methods: {
    GET: {
      id: 'key',
      summary: 'What your key is: a first call that changes nothing',
      description: 'Name, server, expiry and quota of the key that you send.',
      answer: {
        schemaName: 'Key',
        description: 'Done.',
        output: KeyAnswer,
        example: {
          ok: true,
          key_id: '9gR3k',
          name: 'my bot',
          guild_id: '876543210987654321',
          created_at: 1_767_225_600,
          expires_at: null,
          flat: false,
          always_200: false,
          operations: null,
          requests_per_minute: 120,
          images_per_minute: 20,
          sends_per_minute: 10,
        },
        problems: problemCodesOf(null, 'GET'),
        needsKey: true,
        isCounted: true,
      },
    },
    DELETE: {
      id: 'revoke-key',
      summary: 'Revoke the key that you send',
      description: 'For anyone who finds a leaked key. It cannot be undone, and it counts towards no limit.',
      answer: {
        schemaName: 'RevokedKey',
        description: 'Revoked.',
        output: RevokedKey,
        example: { ok: true, key_id: '9gR3k', revoked: true },
        problems: problemCodesOf(null, 'DELETE').filter((code) => code !== 'rate_limited'),
        needsKey: true,
        isCounted: false,
      },
    },
  },
} as const satisfies Endpoint;

/** Everybody's first call: it changes nothing and shows whether the key works. */
export function describeKey(
  response: Response,
  { requestsPerMinute, imagesPerMinute, sendsPerMinute }: Limits,
): Answer<z.input<typeof KeyAnswer>> {
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

/** Ends the key that the request carries, so that anybody who finds a leaked key can end it. */
export async function revokeKey(
  response: Response,
  keys: Pick<GuildKeys, 'revoke'>,
): Promise<Answer<z.input<typeof RevokedKey>>> {
  const { ownerId, keyId } = verifiedKeyOf(response);
  try {
    await keys.revoke(ownerId, keyId);
  } catch (error) {
    // The key ended between the check and now, which is what was asked for.
    if (!(error instanceof Problem && error.code === 'not_found')) throw error;
  }
  return { value: { ok: true, key_id: keyId, revoked: true } };
}

function toUnixSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
