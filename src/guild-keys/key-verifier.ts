import { Problem } from '../problem.ts';
import { EndedKeyProblem } from './ended-key-problem.ts';
import {
  hasKeyShape,
  hasRightChecksum,
  isGuildId,
  keyIdOf,
  ownerPartOf,
  toGuildId,
  toOwnerPart,
} from './guild-key.ts';
import type { VerifiedKey, VerifyOptions } from './guild-keys.ts';
import type { GuildRecord } from './guild-record.ts';
import { matchesDigest, toCachedGuild, VerificationCache, type CachedGuild } from './verification-cache.ts';

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
  /** One read at a time for each guild. If a read is no longer in here, a change has overtaken it. */
  readonly #reads = new Map<string, Promise<CachedGuild>>();

  constructor(options: KeyVerifierOptions) {
    this.#options = options;
    this.#cache = new VerificationCache(options.cachedGuildsMax);
  }

  /** See GuildKeys. */
  verifyCached(presented: string | undefined): VerifiedKey | null {
    if (presented === undefined) return null;
    const key = this.#fresh(ownerPartOf(presented), this.#options.cacheAgeMsMax)?.keys.get(
      keyIdOf(presented),
    );
    if (key === undefined || !matchesDigest(presented, key.digest)) return null;
    const { expiresAt } = key.verified;
    const isLive =
      !key.isRevoked && !key.isSuspended && (expiresAt === null || expiresAt > this.#options.now());
    return isLive ? key.verified : null;
  }

  /** See GuildKeys. */
  async verify(presented: string | undefined, options: VerifyOptions): Promise<VerifiedKey> {
    if (presented === undefined || presented === '') throw new Problem('key_missing');
    const ownerPart = ownerPartOf(presented);
    const keyId = keyIdOf(presented);

    let key = this.#fresh(ownerPart, this.#options.cacheAgeMsMax)?.keys.get(keyId);
    if (key === undefined || !matchesDigest(presented, key.digest)) {
      // Checked only here, because a key that matches is complete.
      if (!hasKeyShape(presented) || !hasRightChecksum(presented)) throw new Problem('key_malformed');
      key ??= (await this.#readAgain(ownerPart, options)).keys.get(keyId);
      if (key === undefined || !matchesDigest(presented, key.digest)) throw new Problem('key_unknown');
    }
    const { verified, isReplaced } = key;
    const { expiresAt } = verified;
    const how = isReplaced ? { error: 'The API key has been replaced by a newer one.' } : {};
    if (key.isRevoked) throw new EndedKeyProblem('key_revoked', verified, how);
    if (expiresAt !== null && expiresAt <= this.#options.now()) {
      throw new EndedKeyProblem('key_expired', verified, how);
    }
    if (key.isSuspended) throw new EndedKeyProblem('key_suspended', verified);
    return verified;
  }

  /** Makes the next request of the guild read its record. A read that is under way is not kept. */
  forget(guildId: string): void {
    if (!isGuildId(guildId)) return;
    const ownerPart = toOwnerPart(guildId);
    this.#reads.delete(ownerPart);
    this.#cache.delete(ownerPart);
  }

  #fresh(ownerPart: string, ageMsMax: number): CachedGuild | undefined {
    const guild = this.#cache.get(ownerPart);
    if (guild === undefined) return undefined;
    const ageMs = this.#options.now() - guild.readAt;
    // A clock that was set back must not keep a revoked key alive.
    return ageMs >= 0 && ageMs < ageMsMax ? guild : undefined;
  }

  async #readAgain(ownerPart: string, { beforeRead }: VerifyOptions): Promise<CachedGuild> {
    const known = () => this.#fresh(ownerPart, this.#options.unknownAgeMsMax) ?? this.#reads.get(ownerPart);
    const before = known();
    if (before !== undefined) return before;
    if (beforeRead !== undefined) {
      await beforeRead();
      const meanwhile = known();
      if (meanwhile !== undefined) return meanwhile;
    }
    const read = this.#read(ownerPart);
    this.#reads.set(ownerPart, read);
    try {
      const guild = await read;
      if (this.#reads.get(ownerPart) === read) this.#cache.set(ownerPart, guild);
      return guild;
    } finally {
      if (this.#reads.get(ownerPart) === read) this.#reads.delete(ownerPart);
    }
  }

  async #read(ownerPart: string): Promise<CachedGuild> {
    const readAt = this.#options.now();
    const guildId = toGuildId(ownerPart);
    const record = guildId === null ? undefined : await this.#options.read(guildId);
    return toCachedGuild(guildId ?? '', record, readAt);
  }
}
