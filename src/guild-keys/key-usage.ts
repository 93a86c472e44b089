import { setImmediate as nextIteration } from 'node:timers/promises';

import { isDamagedRecord, type Namespace } from '../storage/namespace.ts';
import type { Storage } from '../storage/storage.ts';
import { UsageCounts, type RequestResult, type UsageOutcome } from './usage-counts.ts';
import { addUsage, isUsageRecord, pruneUsage, type UsageRecord } from './usage-record.ts';

interface UsedDay {
  /** UTC, `2026-01-31`. */
  readonly day: string;
  /** Requests by operation. */
  readonly operations: Readonly<Record<string, number>>;
  /** Requests that were not answered as asked, by outcome. */
  readonly outcomes: Readonly<Partial<Record<UsageOutcome, number>>>;
}

export interface UsedKey {
  readonly keyId: string;
  /** Milliseconds since 1970. */
  readonly lastUsedAt: number;
  /** Newest first. */
  readonly days: readonly UsedDay[];
}

export interface KeyUsageOptions {
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Default 5 minutes. */
  readonly flushEveryMs?: number;
  /**
   * Most keys with counts that wait for the storage, besides those of the guild that is being stored. Counts of further
   * keys are dropped. Default 50,000.
   */
  readonly waitingKeysMax?: number;
  /** Deadline of the last flush. Default 3 s. */
  readonly closeMsMax?: number;
  /** Called for counts that could not be stored. */
  readonly onFlushFailed?: (error: unknown) => void;
}

/**
 * Counts how often keys are used, and when. The counts of several processes are added up. When the reply of the storage
 * is lost, what was in flight may count twice.
 */
export class KeyUsage {
  readonly #storage: Storage;
  readonly #records: Namespace<UsageRecord>;
  readonly #options: Required<KeyUsageOptions>;
  readonly #waiting: UsageCounts;
  /** Counts that are being stored, of one guild at a time. */
  #inFlight: { readonly guildId: string; readonly counted: UsageRecord } | null = null;
  readonly #timer: NodeJS.Timeout;
  #flushing: Promise<void> | undefined;
  #isTooLate = false;

  constructor(storage: Storage, options: KeyUsageOptions = {}) {
    this.#storage = storage;
    this.#records = storage.namespace('key_usage', isUsageRecord);
    this.#options = {
      now: Date.now,
      flushEveryMs: 300_000,
      waitingKeysMax: 50_000,
      closeMsMax: 3_000,
      onFlushFailed: () => {},
      ...options,
    };
    this.#waiting = new UsageCounts(this.#options.waitingKeysMax);
    this.#timer = setInterval(() => void this.flush(), this.#options.flushEveryMs).unref();
  }

  /** Counts one request. Cheap; never fails. */
  record(guildId: string, keyId: string, operation: string, result?: RequestResult): void {
    if (this.#waiting.add(guildId, keyId, operation, this.#options.now(), result)) void this.flush();
  }

  /**
   * The keys of a guild that were used, most recent first: the stored counts plus this process's since then. The counts
   * of other processes may lag by minutes.
   * @throws Problem `storage_unavailable`
   */
  async read(guildId: string): Promise<readonly UsedKey[]> {
    return Object.entries((await this.#readRecord(guildId)).keys)
      .map(([keyId, usage]) => ({
        keyId,
        lastUsedAt: usage.last_used_at,
        days: Object.entries(usage.days)
          .map(([day, operations]) => ({ day, operations, outcomes: usage.outcomes?.[day] ?? {} }))
          .toSorted((a, b) => (a.day < b.day ? 1 : -1)),
      }))
      .toSorted((a, b) => b.lastUsedAt - a.lastUsedAt);
  }

  /**
   * The most requests of a guild in one minute of the days that are kept, by limit. Each process counts its own
   * minutes.
   * @throws Problem `storage_unavailable`
   */
  async peaks(guildId: string): Promise<Readonly<Record<'guild' | 'image' | 'send', number>>> {
    const days = Object.values((await this.#readRecord(guildId)).peaks ?? {});
    const most = (bucket: string) => Math.max(0, ...days.map((peaks) => peaks[bucket] ?? 0));
    return { guild: most('guild'), image: most('image'), send: most('send') };
  }

  /**
   * Milliseconds since 1970, by key id.
   * @throws Problem `storage_unavailable`
   */
  async lastUsed(guildId: string): Promise<ReadonlyMap<string, number>> {
    return new Map((await this.read(guildId)).map((key) => [key.keyId, key.lastUsedAt]));
  }

  /** Stores the counts. Any that cannot be stored are kept for the next time. Never rejects. */
  flush(): Promise<void> {
    return (this.#flushing ??= this.#storeWaiting().finally(() => (this.#flushing = undefined)));
  }

  /**
   * Forgets old days, and keys that are no longer listed, in all guilds.
   * @param signal stops it at the next guild
   * @param onDamaged called for a guild whose record cannot be read; the record is left as it is
   * @throws Problem `storage_unavailable`
   */
  async purge(
    listKeyIds: (guildId: string) => Promise<ReadonlySet<string>>,
    signal: AbortSignal,
    onDamaged: (guildId: string, error: unknown) => void,
  ): Promise<void> {
    for await (const [guildId] of this.#records.entries(onDamaged)) {
      if (signal.aborted) return;
      try {
        const listed = await listKeyIds(guildId);
        await this.#records.update(guildId, (stored) => {
          if (stored === undefined) return undefined;
          const pruned = pruneUsage(stored, this.#options.now(), (keyId) => listed.has(keyId));
          return Object.keys(pruned.keys).length === 0 ? undefined : pruned;
        });
      } catch (error) {
        if (!isDamagedRecord(error)) throw error;
        onDamaged(guildId, error);
      }
      await nextIteration();
    }
  }

  /**
   * Flushes one last time, for up to `closeMsMax`. Counts that are not stored by then are lost and reported. Never
   * rejects.
   */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    let deadline: NodeJS.Timeout | undefined;
    const tooLate = new Promise<void>((resolve) => {
      deadline = setTimeout(() => {
        this.#isTooLate = true;
        resolve();
      }, this.#options.closeMsMax);
    });
    // A flush that is still running may have missed the latest counts.
    await Promise.race([(this.#flushing ?? Promise.resolve()).then(() => this.flush()), tooLate]);
    clearTimeout(deadline);
    if (this.#isTooLate) {
      const guilds = this.#waiting.guildIds().length + (this.#inFlight === null ? 0 : 1);
      this.#options.onFlushFailed(
        new Error(`Counts of ${guilds} servers may be lost: the stop was too short`),
      );
    }
  }

  async #storeWaiting(): Promise<void> {
    for (const guildId of this.#waiting.guildIds()) {
      if (this.#isTooLate) return;
      try {
        await this.#store(guildId);
      } catch (error) {
        this.#options.onFlushFailed(error);
        // One damaged record must not delay the others, but a storage that is down would fail for all of them.
        if (!(await this.#isAnswering())) return;
      }
      // SQLite blocks the event loop while it stores, and thousands of guilds must not keep requests waiting.
      await nextIteration();
    }
  }

  async #store(guildId: string): Promise<void> {
    const counted = this.#waiting.drain(guildId);
    if (counted === undefined) return;
    this.#inFlight = { guildId, counted };
    try {
      await this.#records.update(guildId, (stored) =>
        pruneUsage(addUsage(stored, counted), this.#options.now()),
      );
    } catch (error) {
      this.#waiting.putBack(guildId, counted);
      throw error;
    } finally {
      this.#inFlight = null;
    }
  }

  #isAnswering(): Promise<boolean> {
    return this.#storage.ping().then(
      () => true,
      () => false,
    );
  }

  /** Includes the counts that are not stored yet. */
  async #readRecord(guildId: string): Promise<UsageRecord> {
    const stored = await this.#records.get(guildId);
    const waiting = [
      this.#inFlight?.guildId === guildId ? this.#inFlight.counted : undefined,
      this.#waiting.peek(guildId),
    ];
    const all = waiting.reduce((sum, counts) => addUsage(sum, counts ?? { v: 1, keys: {} }), stored);
    return pruneUsage(all ?? { v: 1, keys: {} }, this.#options.now());
  }
}
