import { DAY_MS } from './record-upkeep.ts';
import { toDay, type UsageRecord } from './usage-record.ts';

/** Counted requests that wait for the storage, bounded by the number of keys. */
export class UsageCounts {
  readonly #keysMax: number;
  readonly #guilds = new Map<string, UsageRecord>();
  #keyCount = 0;
  /** The name of the current day, kept because making it costs more than counting. */
  #day = '';
  #dayNumber = -1;

  constructor(keysMax: number) {
    this.#keysMax = keysMax;
  }

  /** Guilds that have counts waiting now. */
  guildIds(): readonly string[] {
    return [...this.#guilds.keys()];
  }

  /**
   * Drops the count when it belongs to a new key and there is no room.
   * @returns whether this key took the last place
   */
  add(guildId: string, keyId: string, operation: string, at: number): boolean {
    let guild = this.#guilds.get(guildId);
    let usage = guild?.keys[keyId];
    const isNew = usage === undefined;
    if (usage === undefined) {
      if (this.#keyCount >= this.#keysMax) return false;
      if (guild === undefined) this.#guilds.set(guildId, (guild = { v: 1, keys: {} }));
      usage = guild.keys[keyId] = { last_used_at: at, days: {} };
      this.#keyCount += 1;
    }
    const operations = (usage.days[this.#toDay(at)] ??= {});
    operations[operation] = (operations[operation] ?? 0) + 1;
    usage.last_used_at = at;
    return isNew && this.#keyCount === this.#keysMax;
  }

  /** A guild's waiting counts, without taking them. The result keeps changing. */
  peek(guildId: string): UsageRecord | undefined {
    return this.#guilds.get(guildId);
  }

  /** Takes a guild's waiting counts. They keep their place until `done`. */
  take(guildId: string): UsageRecord | undefined {
    const guild = this.#guilds.get(guildId);
    this.#guilds.delete(guildId);
    return guild;
  }

  /** The counts that were taken are stored. */
  done(counted: UsageRecord): void {
    this.#keyCount -= countKeys(counted);
  }

  #toDay(at: number): string {
    const dayNumber = Math.floor(at / DAY_MS);
    if (dayNumber !== this.#dayNumber) {
      this.#dayNumber = dayNumber;
      this.#day = toDay(at);
    }
    return this.#day;
  }
}

function countKeys(record: UsageRecord): number {
  return Object.keys(record.keys).length;
}
