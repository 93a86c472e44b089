import { BoundedMap } from '../../kernel/bounded-map.ts';
import type { Timers } from '../timers.ts';
import type { MemberIndex } from '../index/member-index.ts';
import type { Reader, ReaderMove, RecordPlace } from './reader.ts';
import { NO_DIFFERENCE, RoleRecord, type Difference } from './role-record.ts';

export interface RecordLimits {
  /** Entries of one record. A full one drops its oldest. Default 10,000. */
  readonly entriesMax: number;
  /** Entries of all records, 9 bytes each. Default 500,000. */
  readonly entriesOfAllMax: number;
  /** Default 1,000. */
  readonly recordsMax: number;
  /** Default 50. */
  readonly recordsPerGuildMax: number;
  /** Default 20. */
  readonly readersPerGuildMax: number;
  /** A record or reader that no question has named for this long is dropped. Default a day. */
  readonly keptMs: number;
}

const LIMITS: RecordLimits = {
  entriesMax: 10_000,
  entriesOfAllMax: 500_000,
  recordsMax: 1_000,
  recordsPerGuildMax: 50,
  readersPerGuildMax: 20,
  keptMs: 24 * 60 * 60 * 1000,
};

export interface RecordStats {
  readonly records: number;
  readonly entries: number;
}

/** See ChangesQuestion. */
interface Since extends Omit<Reader, 'reader'> {
  readonly reader: string | null;
  readonly since: RecordPlace | null;
}

interface WatchedRecord {
  readonly guild: GuildRecords;
  readonly roleId: string;
  readonly index: MemberIndex;
  readonly record: RoleRecord;
  readonly unwatch: () => void;
  /** The number of the last question about it, counted over all guilds. */
  asked: number;
  /** Cancels the timer that drops it. */
  cancelEnd: () => void;
}

interface GuildRecords {
  readonly guildId: string;
  /** By role, the least recently asked first. */
  readonly records: Map<string, WatchedRecord>;
  /** The place of each reader. */
  readonly readers: BoundedMap<RecordPlace>;
  entries: number;
}

/**
 * The records of all guilds of this process. The first question about a role begins its record, and from then on the
 * index feeds it. When there are too many records, or too many entries in them, the guild with the most loses its least
 * recently asked record. Among guilds with equally many, the least recently asked record goes.
 */
export class RoleRecords {
  readonly #limits: RecordLimits;
  readonly #timers: Timers;
  readonly #guilds = new Map<string, GuildRecords>();
  #records = 0;
  #entries = 0;
  #asked = 0;

  constructor(timers: Timers, limits: Partial<RecordLimits> = {}) {
    this.#timers = timers;
    this.#limits = { ...LIMITS, ...limits };
  }

  get stats(): RecordStats {
    return { records: this.#records, entries: this.#entries };
  }

  /**
   * Returns what has changed since a place, or since the place of a reader.
   * @param index one that is complete, and has the role
   */
  answer(
    index: MemberIndex,
    { guildId, roleId, bots, since, reader }: Since,
  ): { readonly difference: Difference; readonly place: RecordPlace; readonly isReset: boolean } {
    const { record, guild } = this.#recordOf(index, roleId);
    const namedReader = reader === null ? null : { guildId, roleId, bots, reader };
    const from = namedReader === null ? since : this.#placeOf(guild, namedReader);
    const isKnown = from !== null && record.has(from);
    // A first question without a place or reader asks for no changes, so it cannot miss any.
    const isReset = !isKnown && (from !== null || namedReader !== null);
    return {
      difference: isKnown ? record.since(from, bots) : NO_DIFFERENCE,
      place: record.now,
      isReset,
    };
  }

  /**
   * Moves a reader to a place. Forgets the reader if that place is in no record here, because another process has
   * answered, or the record was replaced: from the old place, changes would come twice, or never. The reader's next
   * question is then a reset.
   */
  moveReader({ place, ...reader }: ReaderMove): void {
    const guild = this.#guilds.get(reader.guildId);
    if (guild === undefined) return;
    if (guild.records.get(reader.roleId)?.record.has(place) !== true) {
      guild.readers.delete(keyOf(reader));
      return;
    }
    const before = guild.readers.get(keyOf(reader));
    // Of two answers that are sent concurrently, the older one may arrive last.
    if (before?.epoch === place.epoch && before.at > place.at) return;
    guild.readers.set(keyOf(reader), place);
  }

  /** Call it when dispatches about a guild no longer arrive. */
  dropGuild(guildId: string): void {
    for (const watched of this.#guilds.get(guildId)?.records.values() ?? []) this.#drop(watched);
  }

  #placeOf({ readers }: GuildRecords, reader: Reader): RecordPlace | null {
    const place = readers.get(keyOf(reader));
    if (place === undefined) return null;
    // Move the reader to the end of the map, as the most recently used.
    readers.set(keyOf(reader), place);
    return place;
  }

  #recordOf(index: MemberIndex, roleId: string): WatchedRecord {
    const known = this.#guilds.get(index.guildId)?.records.get(roleId);
    const watched = known ?? this.#begin(index, roleId);
    const { records } = watched.guild;
    records.delete(roleId);
    records.set(roleId, watched);
    watched.asked = this.#asked += 1;
    watched.cancelEnd();
    watched.cancelEnd = this.#timers.after(this.#limits.keptMs, () => this.#drop(watched));
    return watched;
  }

  #begin(index: MemberIndex, roleId: string): WatchedRecord {
    const { entriesMax, recordsMax, recordsPerGuildMax } = this.#limits;
    const known = this.#guilds.get(index.guildId);
    if (known !== undefined && known.records.size >= recordsPerGuildMax) this.#dropOldest([known], () => 1);
    if (this.#records >= recordsMax) this.#dropOldest(this.#guilds.values(), ({ records }) => records.size);
    const guild = this.#guildOf(index.guildId);
    const record = new RoleRecord(entriesMax);
    const watched: WatchedRecord = {
      guild,
      roleId,
      index,
      record,
      unwatch: index.watch(roleId, {
        note: (memberId, got, isBot) => this.#note(watched, memberId, got, isBot),
        end: () => this.#drop(watched),
      }),
      asked: 0,
      cancelEnd: () => {},
    };
    guild.records.set(roleId, watched);
    this.#records += 1;
    return watched;
  }

  #note({ guild, record }: WatchedRecord, memberId: bigint, got: boolean, isBot: boolean): void {
    const before = record.size;
    record.add(memberId, got, isBot);
    const more = record.size - before;
    guild.entries += more;
    this.#entries += more;
    while (this.#entries > this.#limits.entriesOfAllMax) {
      this.#dropOldest(this.#guilds.values(), ({ entries }) => entries);
    }
  }

  #drop(watched: WatchedRecord): void {
    const { guild, record, roleId } = watched;
    if (guild.records.get(roleId) !== watched) return;
    watched.unwatch();
    watched.cancelEnd();
    guild.records.delete(roleId);
    guild.entries -= record.size;
    this.#records -= 1;
    this.#entries -= record.size;
    // The places of readers mean nothing without records.
    if (guild.records.size === 0) this.#guilds.delete(guild.guildId);
  }

  /** Among the guilds with the most, drops the least recently asked record. */
  #dropOldest(guilds: Iterable<GuildRecords>, sizeOf: (guild: GuildRecords) => number): void {
    let oldest: WatchedRecord | undefined;
    for (const guild of guilds) {
      const [first] = guild.records.values();
      const more = oldest === undefined ? 1 : sizeOf(guild) - sizeOf(oldest.guild);
      if (first !== undefined && (more > 0 || (more === 0 && first.asked < (oldest?.asked ?? 0))))
        oldest = first;
    }
    if (oldest !== undefined) this.#drop(oldest);
  }

  #guildOf(guildId: string): GuildRecords {
    const known = this.#guilds.get(guildId);
    if (known !== undefined) return known;
    const { keptMs, readersPerGuildMax } = this.#limits;
    const guild: GuildRecords = {
      guildId,
      records: new Map(),
      readers: new BoundedMap({
        entriesMax: readersPerGuildMax,
        ttlMs: keptMs,
        now: () => this.#timers.monotonic(),
      }),
      entries: 0,
    };
    this.#guilds.set(guildId, guild);
    return guild;
  }
}

function keyOf({ roleId, bots, reader }: Reader): string {
  return `${roleId} ${bots} ${reader}`;
}
