import { toUtcDay } from '../kernel/utc.ts';
import { addUsage, type UsageRecord } from './usage-record.ts';

/** `refused`: the request was wrong. `limited`: it exceeded a limit. `failed`: we or Discord failed. */
export type UsageOutcome = 'ok' | 'refused' | 'limited' | 'failed';

export interface RequestResult {
  /** Default `ok`. */
  readonly outcome?: UsageOutcome;
  /** The limit it counts in. Default `guild`. */
  readonly bucket?: 'guild' | 'image' | 'send';
}

const MINUTE_MS = 60_000;

/** Counts of requests that wait for the storage, bounded by the number of keys. */
export class UsageCounts {
  readonly #keysMax: number;
  readonly #guilds = new Map<string, UsageRecord>();
  #keyCount = 0;
  /** Requests of the current minute, by limit and guild. */
  readonly #inMinute = new Map<string, number>();
  #minute = -1;

  constructor(keysMax: number) {
    this.#keysMax = keysMax;
  }

  /** Guilds that have waiting counts now. */
  guildIds(): readonly string[] {
    return [...this.#guilds.keys()];
  }

  /**
   * Drops the count when it belongs to a new key and there are too many keys.
   * @returns whether this key took the last slot
   */
  add(
    guildId: string,
    keyId: string,
    operation: string,
    at: number,
    { outcome = 'ok', bucket = 'guild' }: RequestResult = {},
  ): boolean {
    let guild = this.#guilds.get(guildId);
    let usage = guild?.keys[keyId];
    const isNew = usage === undefined;
    if (isNew && this.#keyCount >= this.#keysMax) return false;
    if (guild === undefined) this.#guilds.set(guildId, (guild = { v: 1, keys: {} }));
    if (usage === undefined) {
      usage = guild.keys[keyId] = { last_used_at: at, days: {} };
      this.#keyCount += 1;
    }
    const day = toUtcDay(at);
    const operations = (usage.days[day] ??= {});
    operations[operation] = (operations[operation] ?? 0) + 1;
    if (outcome !== 'ok') {
      const outcomes = ((usage.outcomes ??= {})[day] ??= {});
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
    const peaks = ((guild.peaks ??= {})[day] ??= {});
    peaks[bucket] = Math.max(peaks[bucket] ?? 0, this.#countInMinute(`${bucket} ${guildId}`, at));
    usage.last_used_at = at;
    return isNew && this.#keyCount === this.#keysMax;
  }

  /** A guild's waiting counts, without removing them. The result keeps changing. */
  peek(guildId: string): UsageRecord | undefined {
    return this.#guilds.get(guildId);
  }

  /** Removes a guild's waiting counts and returns them. */
  drain(guildId: string): UsageRecord | undefined {
    const guild = this.#guilds.get(guildId);
    this.#guilds.delete(guildId);
    this.#keyCount -= countKeys(guild);
    return guild;
  }

  /** Takes counts back that could not be stored. */
  putBack(guildId: string, counted: UsageRecord): void {
    const since = this.drain(guildId);
    const all = since === undefined ? counted : addUsage(counted, since);
    this.#guilds.set(guildId, all);
    this.#keyCount += countKeys(all);
  }

  #countInMinute(name: string, at: number): number {
    const minute = Math.floor(at / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#inMinute.clear();
    }
    const count = (this.#inMinute.get(name) ?? 0) + 1;
    this.#inMinute.set(name, count);
    return count;
  }
}

function countKeys(record: UsageRecord | undefined): number {
  return record === undefined ? 0 : Object.keys(record.keys).length;
}
