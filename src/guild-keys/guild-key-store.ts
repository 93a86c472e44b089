import { Problem } from '../kernel/problem.ts';
import type { Storage } from '../storage/storage.ts';
import { canHaveKeys, isGuildId } from './guild-key.ts';
import type { GuildKeys, IssuedKey, KeyEntry } from './guild-keys.ts';
import {
  isStoredGuildRecord,
  purgeRecord,
  restoreRecord,
  suspendRecord,
  toKeyEntry,
  migrateGuildRecord,
  type GuildRecord,
} from './guild-record.ts';
import { KeyVerifier } from './key-verifier.ts';
import {
  createInRecord,
  revokeInRecord,
  rotateInRecord,
  withdrawInRecord,
  type Issued,
} from './record-changes.ts';

export interface GuildKeyStoreOptions {
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /**
   * A cached record up to this age may be used to check a key. Changes by other processes take effect after this time
   * at the latest. Default 5,000 ms.
   */
  readonly cacheAgeMsMax?: number;
  /** The same for reporting a key as unknown: it may have just been made. Default 1,000 ms. */
  readonly unknownAgeMsMax?: number;
  /** Cached guilds with keys, and as many without. Default 10,000. */
  readonly cachedGuildsMax?: number;
  /** Called after each change by this process, so that it can tell other processes to forget the guild. */
  readonly onChange?: (guildId: string) => void;
}

export interface GuildKeyStore extends GuildKeys {
  /** True when no guild has a record. */
  isEmpty(): Promise<boolean>;
  /**
   * Every guild that has keys, in no order.
   * @param onDamaged called for a record that cannot be read, which is skipped
   */
  guilds(
    onDamaged: (guildId: string, error: unknown) => void,
  ): AsyncGenerator<{ readonly guildId: string; readonly isSuspended: boolean }, void>;
  /** Deletes records of one guild that are past their time. Resolves with whether it changed anything. */
  purge(guildId: string): Promise<boolean>;
}

type Change = (record: GuildRecord | undefined, at: number) => GuildRecord | undefined;

export function createGuildKeys(storage: Storage, options: GuildKeyStoreOptions = {}): GuildKeyStore {
  const {
    now = Date.now,
    cacheAgeMsMax = 5_000,
    unknownAgeMsMax = 1_000,
    cachedGuildsMax = 10_000,
  } = options;
  const records = storage.namespace('guild_keys', isStoredGuildRecord);
  async function read(guildId: string): Promise<GuildRecord | undefined> {
    const stored = await records.get(guildId);
    return stored === undefined ? undefined : migrateGuildRecord(stored);
  }
  const verifier = new KeyVerifier({ read, now, cacheAgeMsMax, unknownAgeMsMax, cachedGuildsMax });

  /**
   * Changes a guild's record.
   * @param change may be called again after its result was stored, if the reply was lost. It then returns the record
   * unchanged
   * @returns whether it changed anything
   */
  async function changeRecord(guildId: string, change: Change): Promise<boolean> {
    let hasChanged = false;
    try {
      await records.update(guildId, (stored) => {
        const record = stored === undefined ? undefined : migrateGuildRecord(stored);
        const next = change(record, now());
        if (next === record) return stored;
        hasChanged = true;
        return next;
      });
    } finally {
      // A failed change may have been stored all the same, so the cached record is stale either way.
      if (hasChanged) {
        verifier.forget(guildId);
        options.onChange?.(guildId);
      }
    }
    return hasChanged;
  }

  /** @param change adds a key to the record */
  async function issueKey(
    guildId: string,
    change: (record: GuildRecord | undefined, at: number) => Issued,
  ): Promise<IssuedKey> {
    /** By hash: each attempt makes another key, and only one of them is stored. */
    const attempts = new Map<string, IssuedKey>();
    let issued: IssuedKey | undefined;
    await changeRecord(guildId, (record, at) => {
      const done = record?.keys.find(({ hash }) => attempts.has(hash));
      if (done !== undefined) {
        issued = attempts.get(done.hash);
        return record;
      }
      const { key, stored, record: next } = change(record, at);
      issued = { key, entry: toKeyEntry(guildId, stored, at) };
      attempts.set(stored.hash, issued);
      return next;
    });
    if (issued === undefined) throw new Error('A change was stored without being made');
    return issued;
  }

  return {
    verify: (presented, verifyOptions = {}) => verifier.verify(presented, verifyOptions),
    forget: (guildId) => verifier.forget(guildId),
    async create(key) {
      if (!canHaveKeys(key.guildId)) {
        throw new Problem('invalid_field/guild_id', { field: 'guild_id' });
      }
      return issueKey(key.guildId, (record, at) => createInRecord(record, key, at));
    },
    rotate: (key) => issueKey(key.guildId, (record, at) => rotateInRecord(record, key, at)),
    async list(guildId) {
      const record = await read(guildId);
      const at = now();
      return (record?.keys ?? []).map((key) => toKeyEntry(guildId, key, at)).toReversed();
    },
    async revoke(guildId, keyId) {
      let entry: KeyEntry | undefined;
      await changeRecord(guildId, (record, at) => {
        const revoked = revokeInRecord(record, keyId, at);
        entry = toKeyEntry(guildId, revoked.stored, at);
        return revoked.record;
      });
      if (entry === undefined) throw new Error('A change was stored without being made');
      return entry;
    },
    async withdraw(guildId, keyId) {
      await changeRecord(guildId, (record, at) => withdrawInRecord(record, keyId, at));
    },
    suspend: (guildId) => changeRecord(guildId, suspendRecord),
    restore: (guildId) => changeRecord(guildId, restoreRecord),
    purge: (guildId) => changeRecord(guildId, purgeRecord),
    async isEmpty() {
      let isDamaged = false;
      const first = await records.entries(() => (isDamaged = true)).next();
      return first.done === true && !isDamaged;
    },
    async *guilds(onDamaged) {
      for await (const [guildId, record] of records.entries(onDamaged)) {
        if (isGuildId(guildId)) yield { guildId, isSuspended: record.suspended_at !== null };
      }
    },
  };
}
