import { timingSafeEqual } from 'node:crypto';

import { BoundedMap } from '../bounded-map.ts';
import { digestKey, toPublicPart } from './guild-key.ts';
import { LOCAL_GUILD_ID, type VerifiedKey } from './guild-keys.ts';
import { CLI, type GuildRecord, type StoredKey } from './guild-record.ts';

interface CachedKey {
  readonly digest: Uint8Array;
  readonly verified: VerifiedKey;
  readonly isRevoked: boolean;
  readonly isReplaced: boolean;
  readonly isSuspended: boolean;
}

/** A guild's record made ready for verification; without keys when the guild has no record. */
export interface CachedGuild {
  /** The instant at which the read began: nothing newer than this is promised. */
  readonly readAt: number;
  readonly keys: ReadonlyMap<string, CachedKey>;
}

/**
 * Guilds by owner part, bounded in number. Guilds without a record have their own room, so that made-up keys do not
 * push out real ones. The one with the oldest read goes first.
 */
export class VerificationCache {
  readonly #withKeys: BoundedMap<CachedGuild>;
  readonly #withoutKeys: BoundedMap<CachedGuild>;

  constructor(guildsMax: number) {
    this.#withKeys = new BoundedMap({ entriesMax: guildsMax });
    this.#withoutKeys = new BoundedMap({ entriesMax: guildsMax });
  }

  get(ownerPart: string): CachedGuild | undefined {
    return this.#withKeys.get(ownerPart) ?? this.#withoutKeys.get(ownerPart);
  }

  set(ownerPart: string, guild: CachedGuild): void {
    this.delete(ownerPart);
    const guilds = guild.keys.size === 0 ? this.#withoutKeys : this.#withKeys;
    guilds.set(ownerPart, guild);
  }

  delete(ownerPart: string): void {
    this.#withKeys.delete(ownerPart);
    this.#withoutKeys.delete(ownerPart);
  }
}

export function toCachedGuild(guildId: string, record: GuildRecord | undefined, readAt: number): CachedGuild {
  const keys = new Map<string, CachedKey>();
  for (const key of record?.keys ?? []) {
    keys.set(key.id, {
      digest: Buffer.from(key.hash, 'latin1'),
      verified: toVerifiedKey(guildId, key),
      isRevoked: key.revoked_at !== null,
      isReplaced: key.replaced_by !== null,
      isSuspended: record?.suspended_at !== null && key.created_by !== CLI,
    });
  }
  return { readAt, keys };
}

function toVerifiedKey(guildId: string, key: StoredKey): VerifiedKey {
  return Object.freeze({
    guildId: guildId === LOCAL_GUILD_ID ? null : guildId,
    ownerId: guildId,
    keyId: key.id,
    publicPart: toPublicPart(guildId, key.id),
    name: key.name,
    createdAt: key.created_at,
    expiresAt: key.expires_at,
    flat: key.flat,
    always200: key.always_200,
    operations: key.operations,
  });
}

// Written and compared within one turn, so one is enough; `hash` to a Buffer costs three times as much.
const scratch = Buffer.alloc(64);

/** In constant time. */
export function matchesDigest(key: string, digest: Uint8Array): boolean {
  scratch.write(digestKey(key), 'latin1');
  return timingSafeEqual(scratch, digest);
}
