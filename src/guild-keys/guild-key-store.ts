import { Problem } from '../kernel/problem.ts';
import type { Namespace } from '../storage/namespace.ts';
import type { Storage } from '../storage/storage.ts';
import { canHaveKeys, isGuildId } from './guild-key.ts';
import type {
  CreateKeyOptions,
  GuildKeys,
  IssuedKey,
  KeyEntry,
  RotateKeyOptions,
  VerifiedKey,
  VerifyOptions,
} from './guild-keys.ts';
import {
  isStoredGuildRecord,
  purgeRecord,
  restoreRecord,
  suspendRecord,
  toKeyEntry,
  migrateGuildRecord,
  type GuildRecord,
  type StoredGuildRecord,
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

type Change = (record: GuildRecord | undefined, at: number) => GuildRecord | undefined;

/** The keys of all guilds, a record each in the storage. */
export class GuildKeyStore implements GuildKeys {
  readonly #records: Namespace<StoredGuildRecord>;
  readonly #verifier: KeyVerifier;
  readonly #now: () => number;
  readonly #onChange: (guildId: string) => void;

  constructor(storage: Storage, options: GuildKeyStoreOptions = {}) {
    const {
      now = Date.now,
      cacheAgeMsMax = 5_000,
      unknownAgeMsMax = 1_000,
      cachedGuildsMax = 10_000,
      onChange = () => {},
    } = options;
    this.#records = storage.namespace('guild_keys', isStoredGuildRecord);
    this.#now = now;
    this.#onChange = onChange;
    const read = (guildId: string) => this.#read(guildId);
    this.#verifier = new KeyVerifier({ read, now, cacheAgeMsMax, unknownAgeMsMax, cachedGuildsMax });
  }

  verify(presented: string | undefined, options: VerifyOptions = {}): Promise<VerifiedKey> {
    return this.#verifier.verify(presented, options);
  }

  forget(guildId: string): void {
    this.#verifier.forget(guildId);
  }

  async create(key: CreateKeyOptions): Promise<IssuedKey> {
    if (!canHaveKeys(key.guildId)) {
      throw new Problem('invalid_field/guild_id', { field: 'guild_id' });
    }
    return this.#issueKey(key.guildId, (record, at) => createInRecord(record, key, at));
  }

  rotate(key: RotateKeyOptions): Promise<IssuedKey> {
    return this.#issueKey(key.guildId, (record, at) => rotateInRecord(record, key, at));
  }

  async list(guildId: string): Promise<readonly KeyEntry[]> {
    const record = await this.#read(guildId);
    const at = this.#now();
    return (record?.keys ?? []).map((key) => toKeyEntry(guildId, key, at)).toReversed();
  }

  async revoke(guildId: string, keyId: string): Promise<KeyEntry> {
    let entry: KeyEntry | undefined;
    await this.#changeRecord(guildId, (record, at) => {
      const revoked = revokeInRecord(record, keyId, at);
      entry = toKeyEntry(guildId, revoked.stored, at);
      return revoked.record;
    });
    if (entry === undefined) throw new Error('A change was stored without being made');
    return entry;
  }

  async withdraw(guildId: string, keyId: string): Promise<void> {
    await this.#changeRecord(guildId, (record, at) => withdrawInRecord(record, keyId, at));
  }

  suspend(guildId: string): Promise<boolean> {
    return this.#changeRecord(guildId, suspendRecord);
  }

  restore(guildId: string): Promise<boolean> {
    return this.#changeRecord(guildId, restoreRecord);
  }

  /** Deletes records of one guild that are past their time. Resolves with whether it changed anything. */
  purge(guildId: string): Promise<boolean> {
    return this.#changeRecord(guildId, purgeRecord);
  }

  /** True when no guild has a record. */
  async isEmpty(): Promise<boolean> {
    let isDamaged = false;
    const first = await this.#records.entries(() => (isDamaged = true)).next();
    return first.done === true && !isDamaged;
  }

  /**
   * Every guild that has keys, in no order.
   * @param onDamaged called for a record that cannot be read, which is skipped
   */
  async *guilds(
    onDamaged: (guildId: string, error: unknown) => void,
  ): AsyncGenerator<{ readonly guildId: string; readonly isSuspended: boolean }, void> {
    for await (const [guildId, record] of this.#records.entries(onDamaged)) {
      if (isGuildId(guildId)) yield { guildId, isSuspended: record.suspended_at !== null };
    }
  }

  async #read(guildId: string): Promise<GuildRecord | undefined> {
    const stored = await this.#records.get(guildId);
    return stored === undefined ? undefined : migrateGuildRecord(stored);
  }

  /**
   * Changes a guild's record.
   * @param change may be called again after its result was stored, if the reply was lost. It then returns the record
   * unchanged
   * @returns whether it changed anything
   */
  async #changeRecord(guildId: string, change: Change): Promise<boolean> {
    let hasChanged = false;
    try {
      await this.#records.update(guildId, (stored) => {
        const record = stored === undefined ? undefined : migrateGuildRecord(stored);
        const next = change(record, this.#now());
        if (next === record) return stored;
        hasChanged = true;
        return next;
      });
    } finally {
      // A failed change may have been stored all the same, so the cached record is stale either way.
      if (hasChanged) {
        this.#verifier.forget(guildId);
        this.#onChange(guildId);
      }
    }
    return hasChanged;
  }

  /** @param change adds a key to the record */
  async #issueKey(
    guildId: string,
    change: (record: GuildRecord | undefined, at: number) => Issued,
  ): Promise<IssuedKey> {
    /** By hash: each attempt makes another key, and only one of them is stored. */
    const attempts = new Map<string, IssuedKey>();
    let issued: IssuedKey | undefined;
    await this.#changeRecord(guildId, (record, at) => {
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
}
