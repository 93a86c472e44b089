import { Problem } from '../kernel/problem.ts';

/** The guild of the key that a first start makes. It is not a server: callers see `null`. */
export const NO_GUILD_ID = '0';

export const EXPIRY_DAYS = [30, 90, 365] as const;
/** null means forever. */
export type ExpiresInDays = (typeof EXPIRY_DAYS)[number] | null;

/** A replaced key keeps working for this long: not at all, an hour, a day, a week. */
export const OVERLAP_SECONDS = [0, 3_600, 86_400, 604_800] as const;
export type OverlapSeconds = (typeof OVERLAP_SECONDS)[number];

export const OVERLAP_SECONDS_DEFAULT: OverlapSeconds = 86_400;
/** Keys of a guild that work, without replaced ones. One record in the storage holds them all. */
export const CURRENT_KEYS_MAX = 10;
/** Code points. */
export const KEY_NAME_LENGTH_MAX = 32;

/** All requests with the key share this object, so do not modify it. */
export interface VerifiedKey {
  /** null for a key of no server. */
  readonly guildId: string | null;
  /** The id in storage and rate limits: the guild's, or `0` for a key of no server. */
  readonly tenantId: string;
  /** Unique within the guild. */
  readonly keyId: string;
  /** `qm_` with guild and id: the part of the key that may be shown and logged. */
  readonly publicPart: string;
  readonly name: string;
  /** Milliseconds since 1970, like all instants here. */
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** Answers have keys of one level and no lists, unless a request says otherwise. */
  readonly flat: boolean;
  /** Failures have HTTP status 200 too, unless a request says otherwise. */
  readonly always200: boolean;
  /** Names of the operations that it may call; null for all of them. */
  readonly operations: readonly string[] | null;
}

/**
 * A real key that no longer works: revoked, expired or suspended. The refusal has the format of the key's answers,
 * because its builder may not see the HTTP status.
 */
export class EndedKeyProblem extends Problem {
  readonly answerOptions: Pick<VerifiedKey, 'flat' | 'always200'>;

  constructor(
    key: `key_${'revoked' | 'expired'}${'' | '/replaced'}` | 'key_suspended',
    { flat, always200 }: VerifiedKey,
  ) {
    super(key);
    this.answerOptions = { flat, always200 };
  }
}

export type KeyState = 'current' | 'replaced' | 'expired' | 'revoked';

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
  /** Id of the key that replaced this one in a rotation. */
  readonly replacedBy: string | null;
  readonly flat: boolean;
  readonly always200: boolean;
  /** The product with which the bot is built, such as `bdfd`; null until the guild has chosen one. */
  readonly builder: string | null;
  /** Names of the operations that it may call; null for all of them. */
  readonly operations: readonly string[] | null;
  /** `replaced`: still valid, until `expiresAt`. */
  readonly state: KeyState;
}

/** The only time the key itself can be seen. */
export interface IssuedKey {
  readonly key: string;
  readonly entry: KeyEntry;
}

export interface CreateKeyOptions {
  readonly guildId: string;
  /** 1 to 32 characters, unique among the guild's current keys. */
  readonly name: string;
  /** User id of the admin, or `cli`. */
  readonly createdBy: string;
  readonly expiresInDays: ExpiresInDays;
  readonly flat: boolean;
  readonly always200: boolean;
  /** Default null. */
  readonly builder?: string | null;
  /** Names of the operations that it may call, as the caller has checked them. Default null: all of them. */
  readonly operations?: readonly string[] | null;
}

export interface RotateKeyOptions {
  readonly guildId: string;
  readonly keyId: string;
  readonly overlapSeconds: OverlapSeconds;
  /** User id of the admin, or `cli`. */
  readonly createdBy: string;
  /** Ids of older secrets of this name that end now instead of later. Default: none. */
  readonly endsOlder?: readonly string[];
}

export interface VerifyOptions {
  /** Awaited before a record is read from storage. If it rejects, nothing is read and the rejection is passed on. */
  readonly beforeRead?: () => Promise<void>;
}

/** The API keys of all guilds. Every method can reject with Problem `storage_unavailable`. */
export interface GuildKeys {
  /**
   * Reads nothing while the guild's record is cached, as for almost all requests.
   * @param presented the key alone, without a scheme
   * @throws Problem `key_missing`, `key_malformed`, `key_unknown`, `key_expired`, `key_revoked`, `key_suspended`
   */
  verify(presented: string | undefined, options?: VerifyOptions): Promise<VerifiedKey>;
  /** @throws Problem `invalid_field` (a name that is taken or too long), `bad_request` (ten current keys) */
  create(options: CreateKeyOptions): Promise<IssuedKey>;
  /** Newest first, including keys that ended within the last 90 days. */
  list(guildId: string): Promise<readonly KeyEntry[]>;
  /**
   * Issues a new secret with the same name and lifetime. The old key keeps working for the overlap. Any older secret
   * of that name ends: a name has at most two.
   * @throws Problem `not_found`, `invalid_field` (the key has ended or was replaced before, or an older secret that is
   *   not in `endsOlder` would end)
   */
  rotate(options: RotateKeyOptions): Promise<IssuedKey>;
  /**
   * Takes effect with the next request. Revoking the newest key of a name also ends the replaced ones that still
   * work; revoking a replaced one ends only that. Nothing undoes it. Revoking twice changes nothing.
   * @throws Problem `not_found`
   */
  revoke(guildId: string, keyId: string): Promise<KeyEntry>;
  /**
   * Withdraws a new key that could not be shown. Revokes it, and undoes its rotation's effects on older secrets, except
   * those that were revoked explicitly since.
   * @throws Problem `not_found`
   */
  withdraw(guildId: string, keyId: string): Promise<void>;
  /**
   * Call it when the bot has left: all keys stop, except those made on the command line. Resolves with whether it
   * changed anything.
   */
  suspend(guildId: string): Promise<boolean>;
  /**
   * Call it when the bot is back: keys work again if it was away for less than 30 days. Resolves with whether it
   * changed anything.
   */
  restore(guildId: string): Promise<boolean>;
  /**
   * Call it when another process has changed the guild's record: drops the cached one, so that the next request reads
   * it.
   */
  forget(guildId: string): void;
}
