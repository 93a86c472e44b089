import { timingSafeEqual } from 'node:crypto';

import { Problem } from '../kernel/problem.ts';
import { BoundedMap } from '../kernel/bounded-map.ts';
import {
  hasKeyShape,
  hasRightChecksum,
  isGuildId,
  keyIdOf,
  guildPartOf,
  toGuildId,
  toGuildPart,
  digestKey,
  toPublicPart,
} from './guild-key.ts';
import { EndedKeyProblem, NO_GUILD_ID, type VerifiedKey, type VerifyOptions } from './guild-keys.ts';
import { malformedKey } from './presented-key.ts';
import { CLI, type GuildRecord, type StoredKey } from './guild-record.ts';

export interface KeyVerifierOptions {
  readonly read: (guildId: string) => Promise<GuildRecord | undefined>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A record up to this age may be used to check a key. */
  readonly cacheAgeMsMax: number;
  /** The same for reporting a key as unknown: it may have just been made. */
  readonly unknownAgeMsMax: number;
  readonly cachedGuildsMax: number;
}

/** Finds the guild of a key: usually with one cached record, one hash and one comparison in constant time. */
export class KeyVerifier {
  readonly #options: KeyVerifierOptions;
  readonly #cache: VerificationCache;
  /** One read at a time for each guild. A read that is no longer in here is out of date. */
  readonly #reads = new Map<string, Promise<CachedGuild>>();

  constructor(options: KeyVerifierOptions) {
    this.#options = options;
    this.#cache = new VerificationCache(options.cachedGuildsMax);
  }

  /** See GuildKeys. */
  async verify(presented: string | undefined, options: VerifyOptions): Promise<VerifiedKey> {
    if (presented === undefined || presented === '') throw new Problem('key_missing');
    const guildPart = guildPartOf(presented);
    const keyId = keyIdOf(presented);

    let key = this.#fresh(guildPart, this.#options.cacheAgeMsMax)?.keys.get(keyId);
    if (key === undefined || !matchesDigest(presented, key.digest)) {
      // Checked only here, because a key that matches is complete.
      if (!hasKeyShape(presented) || !hasRightChecksum(presented)) throw malformedKey(presented);
      key ??= (await this.#readAgain(guildPart, options)).keys.get(keyId);
      if (key === undefined || !matchesDigest(presented, key.digest)) throw new Problem('key_unknown');
    }
    const { verified } = key;
    const now = this.#options.now();
    if (hasEnded(key, now)) {
      const code = key.isRevoked ? 'key_revoked' : 'key_expired';
      throw new EndedKeyProblem(hasWorkingNewer(key, now) ? `${code}/replaced` : code, verified);
    }
    if (key.isSuspended) throw new EndedKeyProblem('key_suspended', verified);
    return verified;
  }

  /** Makes the next request of the guild read its record, even if a read is under way. */
  forget(guildId: string): void {
    if (!isGuildId(guildId)) return;
    const guildPart = toGuildPart(guildId);
    this.#reads.delete(guildPart);
    this.#cache.delete(guildPart);
  }

  #fresh(guildPart: string, ageMsMax: number): CachedGuild | undefined {
    const guild = this.#cache.get(guildPart);
    if (guild === undefined) return undefined;
    const ageMs = this.#options.now() - guild.readAt;
    // A clock that was set back must not keep a revoked key alive.
    return ageMs >= 0 && ageMs < ageMsMax ? guild : undefined;
  }

  async #readAgain(guildPart: string, { beforeRead }: VerifyOptions): Promise<CachedGuild> {
    const known = () => this.#fresh(guildPart, this.#options.unknownAgeMsMax) ?? this.#reads.get(guildPart);
    const before = known();
    if (before !== undefined) return before;
    if (beforeRead !== undefined) {
      await beforeRead();
      const meanwhile = known();
      if (meanwhile !== undefined) return meanwhile;
    }
    const read = this.#read(guildPart);
    this.#reads.set(guildPart, read);
    try {
      const guild = await read;
      if (this.#reads.get(guildPart) === read) this.#cache.set(guildPart, guild);
      return guild;
    } finally {
      if (this.#reads.get(guildPart) === read) this.#reads.delete(guildPart);
    }
  }

  async #read(guildPart: string): Promise<CachedGuild> {
    const readAt = this.#options.now();
    const guildId = toGuildId(guildPart);
    const record = guildId === null ? undefined : await this.#options.read(guildId);
    return toCachedGuild(guildId ?? '', record, readAt);
  }
}

/** In constant time. */
function matchesDigest(key: string, digest: Uint8Array): boolean {
  return timingSafeEqual(Buffer.from(digestKey(key)), digest);
}

interface CachedKey {
  readonly digest: Uint8Array;
  readonly verified: VerifiedKey;
  readonly isRevoked: boolean;
  /** The key that replaced it; null when none did, or when that one is forgotten. */
  readonly newer: CachedKey | null;
  readonly isSuspended: boolean;
}

function hasEnded({ isRevoked, verified: { expiresAt } }: CachedKey, now: number): boolean {
  return isRevoked || (expiresAt !== null && expiresAt <= now);
}

/** The newer one may itself have been replaced. */
function hasWorkingNewer({ newer }: CachedKey, now: number): boolean {
  return newer !== null && (!hasEnded(newer, now) || hasWorkingNewer(newer, now));
}

/** A guild's record made ready for verification; without keys when the guild has no record. */
interface CachedGuild {
  /** The instant at which the read began. Later changes may be missing. */
  readonly readAt: number;
  readonly keys: ReadonlyMap<string, CachedKey>;
}

/**
 * A bounded cache of guilds by guild part. Guilds without a record have their own cache, so that invented keys do not
 * evict real ones. The guild with the oldest read is evicted first.
 */
export class VerificationCache {
  readonly #withKeys: BoundedMap<CachedGuild>;
  readonly #withoutKeys: BoundedMap<CachedGuild>;

  constructor(guildsMax: number) {
    this.#withKeys = new BoundedMap({ entriesMax: guildsMax });
    this.#withoutKeys = new BoundedMap({ entriesMax: guildsMax });
  }

  get(guildPart: string): CachedGuild | undefined {
    return this.#withKeys.get(guildPart) ?? this.#withoutKeys.get(guildPart);
  }

  set(guildPart: string, guild: CachedGuild): void {
    this.delete(guildPart);
    const guilds = guild.keys.size === 0 ? this.#withoutKeys : this.#withKeys;
    guilds.set(guildPart, guild);
  }

  delete(guildPart: string): void {
    this.#withKeys.delete(guildPart);
    this.#withoutKeys.delete(guildPart);
  }
}

export function toCachedGuild(guildId: string, record: GuildRecord | undefined, readAt: number): CachedGuild {
  const keys = new Map<string, CachedKey>();
  // From the newest to the oldest, so that a key comes before the one that it replaced.
  for (const key of record?.keys.toReversed() ?? []) {
    keys.set(key.id, {
      digest: Buffer.from(key.hash),
      verified: toVerifiedKey(guildId, key),
      isRevoked: key.revoked_at !== null,
      newer: keys.get(key.replaced_by ?? '') ?? null,
      isSuspended: record?.suspended_at !== null && key.created_by !== CLI,
    });
  }
  return { readAt, keys };
}

function toVerifiedKey(guildId: string, key: StoredKey): VerifiedKey {
  return Object.freeze({
    guildId: guildId === NO_GUILD_ID ? null : guildId,
    tenantId: guildId,
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
