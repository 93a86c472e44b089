import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { isDamagedRecord } from '../storage/namespace.ts';
import type { Storage } from '../storage/storage.ts';
import { UsageCounts, type Seen, type UsageOutcome } from './usage-counts.ts';
import {
  addBatch,
  addUsage,
  isUsageRecord,
  pruneUsage,
  type UsageBatch,
  type UsageRecord,
} from './usage-record.ts';

interface UsedDay {
  /** UTC, `2026-01-31`. */
  readonly day: string;
  /** Requests by operation. */
  readonly operations: Readonly<Record<string, number>>;
  /** Requests that were not answered as asked, by what became of them. */
  readonly outcomes: Readonly<Partial<Record<UsageOutcome, number>>>;
}

export interface UsedKey {
  readonly keyId: string;
  /** Milliseconds since 1970. */
  readonly lastUsedAt: number;
  /** Newest first. */
  readonly days: readonly UsedDay[];
}

/** When and how often keys are used. The counts of several processes are added up. */
export interface KeyUsage extends AsyncDisposable {
  /** Counts one request. Cheap; never fails. */
  record(guildId: string, keyId: string, operation: string, seen?: Seen): void;
  /**
   * The keys of a guild that were used, most recent first: what is stored plus what this process has counted since.
   * The counts of other processes may lag by minutes. @throws Problem `storage_unavailable`
   */
  read(guildId: string): Promise<readonly UsedKey[]>;
  /**
   * The most requests of a guild in one minute of the days that are kept, by limit. Each process counts its own minutes.
   * @throws Problem `storage_unavailable`
   */
  peaks(guildId: string): Promise<Readonly<Record<'guild' | 'image', number>>>;
  /** Milliseconds since 1970, by key id. @throws Problem `storage_unavailable` */
  lastUsed(guildId: string): Promise<ReadonlyMap<string, number>>;
  /** Stores what was counted. Anything that cannot be stored is kept for the next time. Never rejects. */
  flush(): Promise<void>;
  /**
   * Forgets old days, and keys that are no longer listed, in all guilds.
   * @param signal stops it at the next guild
   * @param onDamaged called for a guild whose record cannot be read; the record is left as it is
   * @throws Problem `storage_unavailable`
   */
  purge(
    listKeyIds: (guildId: string) => Promise<ReadonlySet<string>>,
    signal: AbortSignal,
    onDamaged: (guildId: string, error: unknown) => void,
  ): Promise<void>;
  /** Flushes one last time, for up to `closeMsMax`. Counts that are not stored by then are lost and reported. Never rejects. */
  close(): Promise<void>;
}

export interface KeyUsageOptions {
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Default 5 minutes. */
  readonly flushEveryMs?: number;
  /** How many UTC days are kept, including today. Default 30. */
  readonly daysKept?: number;
  /** How many keys may have counts waiting for the storage. Counts of further keys are dropped. Default 50,000. */
  readonly waitingKeysMax?: number;
  /** How long the last flush may take. Default 3 s. */
  readonly closeMsMax?: number;
  /** Called for counts that could not be stored. */
  readonly onFlushFailed?: (error: unknown) => void;
}

export function createKeyUsage(storage: Storage, options: KeyUsageOptions = {}): KeyUsage {
  const {
    now = Date.now,
    flushEveryMs = 300_000,
    daysKept = 30,
    waitingKeysMax = 50_000,
    closeMsMax = 3_000,
  } = options;
  const records = storage.namespace('key_usage', isUsageRecord);
  const waiting = new UsageCounts(waitingKeysMax);
  /** By guild: batches that were being written and are not known to be stored. They do not change any more. */
  const unsettled = new Map<string, UsageBatch>();
  const policy = () => ({ now: now(), daysKept });
  let flushing: Promise<void> | undefined;
  let isTooLate = false;

  /** The batch that is not settled yet, or all waiting counts as a new one. Called once the record could be read. */
  function drainBatch(guildId: string): UsageBatch | undefined {
    const before = unsettled.get(guildId);
    if (before !== undefined) return before;
    const counted = waiting.drain(guildId);
    if (counted === undefined) return undefined;
    const batch = { id: randomUUID(), counted };
    unsettled.set(guildId, batch);
    return batch;
  }

  async function storeBatch(guildId: string): Promise<void> {
    let batch: UsageBatch | undefined;
    await records.update(guildId, (stored) => {
      batch ??= drainBatch(guildId);
      if (batch === undefined) return stored;
      const added = addBatch(stored, batch);
      return added === stored ? stored : pruneUsage(added, policy());
    });
    unsettled.delete(guildId);
    if (batch !== undefined) waiting.done(batch.counted);
  }
  const guildIds = () => new Set([...unsettled.keys(), ...waiting.guildIds()]);

  async function storeWaiting(): Promise<void> {
    for (const guildId of guildIds()) {
      if (isTooLate) return;
      try {
        if (unsettled.has(guildId)) await storeBatch(guildId);
        await storeBatch(guildId);
      } catch (error) {
        options.onFlushFailed?.(error);
        // One damaged record must not hold up the others, but a storage that is down would fail for each of them.
        if (!(await isAnswering())) return;
      }
      // SQLite blocks the event loop while it stores, and thousands of guilds must not keep requests waiting.
      await nextTurn();
    }
  }
  const isAnswering = () =>
    storage.ping().then(
      () => true,
      () => false,
    );
  const flush = () => (flushing ??= storeWaiting().finally(() => (flushing = undefined)));
  const timer = setInterval(() => void flush(), flushEveryMs).unref();

  /** What is stored, and what waits. */
  async function readRecord(guildId: string): Promise<UsageRecord> {
    const stored = await records.get(guildId);
    const batch = unsettled.get(guildId);
    const settled = batch === undefined ? stored : addBatch(stored, batch);
    return pruneUsage(addUsage(settled, waiting.peek(guildId) ?? { v: 1, keys: {} }), policy());
  }

  async function read(guildId: string): Promise<readonly UsedKey[]> {
    return Object.entries((await readRecord(guildId)).keys)
      .map(([keyId, usage]) => ({
        keyId,
        lastUsedAt: usage.last_used_at,
        days: Object.entries(usage.days)
          .map(([day, operations]) => ({ day, operations, outcomes: usage.outcomes?.[day] ?? {} }))
          .toSorted((a, b) => (a.day < b.day ? 1 : -1)),
      }))
      .toSorted((a, b) => b.lastUsedAt - a.lastUsedAt);
  }

  async function close(): Promise<void> {
    clearInterval(timer);
    let deadline: NodeJS.Timeout | undefined;
    const tooLate = new Promise<void>((resolve) => {
      deadline = setTimeout(() => {
        isTooLate = true;
        resolve();
      }, closeMsMax);
    });
    // A flush that is still running may have missed the latest counts.
    await Promise.race([(flushing ?? Promise.resolve()).then(flush), tooLate]);
    clearTimeout(deadline);
    if (isTooLate) {
      const guilds = guildIds().size;
      options.onFlushFailed?.(new Error(`Counts of ${guilds} servers may be lost: the stop was too short`));
    }
  }

  return {
    record(guildId, keyId, operation, seen) {
      if (waiting.add(guildId, keyId, operation, now(), seen)) void flush();
    },
    read,
    async peaks(guildId) {
      const days = Object.values((await readRecord(guildId)).peaks ?? {});
      const most = (bucket: string) => Math.max(0, ...days.map((peaks) => peaks[bucket] ?? 0));
      return { guild: most('guild'), image: most('image') };
    },
    async lastUsed(guildId) {
      return new Map((await read(guildId)).map((key) => [key.keyId, key.lastUsedAt]));
    },
    flush,
    async purge(listKeyIds, signal, onDamaged) {
      for await (const [guildId] of records.entries(onDamaged)) {
        if (signal.aborted) return;
        try {
          const listed = await listKeyIds(guildId);
          await records.update(guildId, (stored) => {
            if (stored === undefined) return undefined;
            const pruned = pruneUsage(stored, policy(), (keyId) => listed.has(keyId));
            return Object.keys(pruned.keys).length === 0 ? undefined : pruned;
          });
        } catch (error) {
          if (!isDamagedRecord(error)) throw error;
          onDamaged(guildId, error);
        }
        await nextTurn();
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
