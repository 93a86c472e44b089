import type { BuilderId } from './builders.ts';

/** Guild of the key that a first start makes. It belongs to no server: callers see `null`. */
export const LOCAL_GUILD_ID = '0';

/** Days that a key lives; null is for good. */
export type ExpiresInDays = 30 | 90 | 365 | null;

/** Seconds that a replaced key lives on: not at all, an hour, a day, a week. */
export type OverlapSeconds = 0 | 3_600 | 86_400 | 604_800;

export const OVERLAP_SECONDS_DEFAULT: OverlapSeconds = 86_400;
export const LIVE_KEYS_MAX = 10;
export const KEY_NAME_LENGTH_MAX = 32;

/** What a valid key stands for. One object per key and cached record: do not change it. */
export interface VerifiedKey {
  /** null for the local key, which belongs to no server. */
  readonly guildId: string | null;
  /** As in storage and buckets: the guild's id, `0` for the local key. */
  readonly ownerId: string;
  /** Unique within the guild. */
  readonly keyId: string;
  /** `qm_` with guild and id: what may be shown and logged of a key. */
  readonly publicPart: string;
  readonly name: string;
  /** Milliseconds since 1970, as all instants here. */
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly flat: boolean;
  readonly always200: boolean;
  /** Names of the operations that it may call; null for all of them. */
  readonly operations: readonly string[] | null;
}

export type KeyState = 'live' | 'replaced' | 'expired' | 'revoked';

/** A key as admins see it, without its secret. */
export interface KeyEntry {
  readonly keyId: string;
  readonly publicPart: string;
  readonly name: string;
  /** User id of the admin, or `cli`. */
  readonly createdBy: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** Id of the key that a rotation put in its place. */
  readonly replacedBy: string | null;
  readonly flat: boolean;
  readonly always200: boolean;
  /** null when nobody said what the key is for. */
  readonly builder: BuilderId | null;
  /** Names of the operations that it may call; null for all of them. */
  readonly operations: readonly string[] | null;
  /** `replaced`: still valid, until `expiresAt`. */
  readonly state: KeyState;
}

/** The only moment at which the key itself can be seen. */
export interface IssuedKey {
  readonly key: string;
  readonly entry: KeyEntry;
}

export interface CreateKeyOptions {
  readonly guildId: string;
  /** 1 to 32 characters, unique among the guild's live keys. */
  readonly name: string;
  /** User id of the admin, or `cli`. */
  readonly createdBy: string;
  readonly expiresInDays: ExpiresInDays;
  readonly flat: boolean;
  readonly always200: boolean;
  /** Default null. */
  readonly builder?: BuilderId | null;
  /** Names of the operations that it may call, as the caller has checked them. Default null: all of them. */
  readonly operations?: readonly string[] | null;
}

export interface RotateKeyOptions {
  readonly guildId: string;
  readonly keyId: string;
  readonly overlapSeconds: OverlapSeconds;
  /** User id of the admin, or `cli`. */
  readonly createdBy: string;
  /** Ids of older secrets of this name that are to end now, although they were promised more time. Default none. */
  readonly endsOlder?: readonly string[];
}

export interface VerifyOptions {
  /** Awaited before a record is read that is not cached; a rejection is passed on and nothing is read. */
  readonly beforeRead?: () => Promise<void>;
}

/** The API keys of all guilds. Every method can reject with Problem `storage_unavailable`. */
export interface GuildKeys {
  /**
   * The key when it is live and its guild's record is cached, as it is for almost all requests; it costs one hash. null
   * when more has to be known: then `verify` reads the record, or says what is wrong.
   * @param presented the key alone, without a scheme
   */
  verifyCached(presented: string | undefined): VerifiedKey | null;
  /**
   * @param presented the key alone, without a scheme
   * @throws Problem `key_missing`, `key_malformed`, `key_unknown`, `key_expired`, `key_revoked`, `key_suspended`
   */
  verify(presented: string | undefined, options?: VerifyOptions): Promise<VerifiedKey>;
  /** @throws Problem `invalid_field` (a name that is taken or too long), `bad_request` (ten live keys) */
  create(options: CreateKeyOptions): Promise<IssuedKey>;
  /** Newest first, those that ended within 90 days included. */
  list(guildId: string): Promise<readonly KeyEntry[]>;
  /**
   * A new secret under the same name and for the same time; the old key lives on for the overlap. An older secret of
   * that name ends: a name has two at most.
   * @throws Problem `not_found`, `invalid_field` (the key has ended or was replaced before, or an older secret would
   *   end that is not in `endsOlder`)
   */
  rotate(options: RotateKeyOptions): Promise<IssuedKey>;
  /**
   * Takes effect with the next request. The newest key of a name takes with it what was replaced and only lives on;
   * a replaced one ends alone. Nothing takes it back. Revoking twice changes nothing.
   * @throws Problem `not_found`
   */
  revoke(guildId: string, keyId: string): Promise<KeyEntry>;
  /**
   * Takes back a key that was issued just now and could not be shown: it is revoked, and what its rotation had done
   * to older secrets is undone, but for those that somebody has revoked meanwhile. @throws Problem `not_found`
   */
  withdraw(guildId: string, keyId: string): Promise<void>;
  /** The bot has left: all keys stop, but those made on the command line. Resolves with whether it changed anything. */
  suspend(guildId: string): Promise<boolean>;
  /** The bot is back: keys work again if it was away for less than 30 days. Resolves with whether it changed anything. */
  restore(guildId: string): Promise<boolean>;
  /** Drops what is cached of a guild, so that the next request reads its record: another process has changed it. */
  forget(guildId: string): void;
}
