import type { GuildKeys } from '../../guild-keys/guild-keys.ts';
import { Problem } from '../../problem.ts';
import { WITHOUT_BODY, type Call, type Endpoint } from '../exchange/endpoint.ts';

export interface KeyEndpointOptions {
  readonly keys: Pick<GuildKeys, 'revoke'>;
  /** A minute and guild. */
  readonly requestsPerMinute: number;
  readonly imagesPerMinute: number;
}

/** What a key is, for the first call that everybody makes, and its end, for the finder of a leak. */
export function keyEndpoint({ keys, requestsPerMinute, imagesPerMinute }: KeyEndpointOptions): Endpoint {
  return {
    name: 'key',
    path: '/api/key',
    ...WITHOUT_BODY,
    methods: ['GET', 'DELETE'],
    key: 'required',
    bucket: 'guild',
    // The finder of a leaked key never waits for those who use it up, or who guess keys.
    urgentMethods: ['DELETE'],
    async handle({ method, key }: Call) {
      if (method === 'DELETE') {
        await revoke(keys, key.ownerId, key.keyId);
        return { value: { ok: true, key_id: key.keyId, revoked: true } };
      }
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
        },
      };
    },
  };
}

async function revoke(keys: Pick<GuildKeys, 'revoke'>, ownerId: string, keyId: string): Promise<void> {
  try {
    await keys.revoke(ownerId, keyId);
  } catch (error) {
    // It ended between the check and now, which is what was asked for.
    if (!(error instanceof Problem && error.code === 'not_found')) throw error;
  }
}

function toUnixSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
