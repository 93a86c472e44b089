import { BoundedMap } from '../../kernel/bounded-map.ts';
import type { Timers } from '../timers.ts';
import type { MemberIndex } from '../index/member-index.ts';
import type { Reader, ReaderOffset, ChangeOffset } from './reader.ts';
import { NO_DIFFERENCE, RoleChangeLog, type Difference } from './role-change-log.ts';

export interface ChangeLogLimits {
  /** Entries of one log. A full log drops its oldest. Default 10,000. */
  readonly entriesMax: number;
  /** Entries of all logs, 9 bytes each. Default 500,000. */
  readonly entriesOfAllMax: number;
  /** Logs of all guilds, one for each role that was asked about. Default 1,000. */
  readonly logsMax: number;
  /** Default 50, so that one guild cannot take all. */
  readonly logsPerGuildMax: number;
  /** Names under which a guild asks for changes. Default 20. */
  readonly readersPerGuildMax: number;
  /** A log or reader that no question has named for this long is dropped. Default a day. */
  readonly keptMs: number;
}

const LIMITS: ChangeLogLimits = {
  entriesMax: 10_000,
  entriesOfAllMax: 500_000,
  logsMax: 1_000,
  logsPerGuildMax: 50,
  readersPerGuildMax: 20,
  keptMs: 24 * 60 * 60 * 1000,
};

export interface ChangeLogStats {
  readonly logs: number;
  readonly entries: number;
}

/** See ChangesQuestion. */
interface Since extends Omit<Reader, 'reader'> {
  readonly reader: string | null;
  readonly since: ChangeOffset | null;
}

interface WatchedLog {
  readonly guild: GuildLogs;
  readonly roleId: string;
  readonly index: MemberIndex;
  readonly changeLog: RoleChangeLog;
  readonly unwatch: () => void;
  /** The number of the last question about it, counted over all guilds. */
  asked: number;
  /** Cancels the timer that drops it. */
  cancelEnd: () => void;
}

interface GuildLogs {
  readonly guildId: string;
  /** By role, the least recently asked first. */
  readonly logs: Map<string, WatchedLog>;
  /** The offset of each reader. */
  readonly readers: BoundedMap<ChangeOffset>;
  entries: number;
}

/**
 * The change logs of all guilds of this process. The first question about a role starts its log, and the index feeds
 * it from then on. When there are too many logs, or too many entries in them, the guild with the most loses the
 * log that was asked about longest ago. Among guilds with equally many, the log that was asked about longest ago goes.
 */
export class RoleChangeLogs {
  readonly #limits: ChangeLogLimits;
  readonly #timers: Timers;
  readonly #guilds = new Map<string, GuildLogs>();
  #logCount = 0;
  #entries = 0;
  #asked = 0;

  constructor(timers: Timers, limits: Partial<ChangeLogLimits> = {}) {
    this.#timers = timers;
    this.#limits = { ...LIMITS, ...limits };
  }

  get stats(): ChangeLogStats {
    return { logs: this.#logCount, entries: this.#entries };
  }

  /**
   * Returns what has changed since an offset, or since the offset of a reader.
   * @param index complete, and with the role
   */
  answer(
    index: MemberIndex,
    { guildId, roleId, bots, since, reader }: Since,
  ): { readonly difference: Difference; readonly offset: ChangeOffset; readonly isReset: boolean } {
    const { changeLog, guild } = this.#logOf(index, roleId);
    const namedReader = reader === null ? null : { guildId, roleId, bots, reader };
    const from = namedReader === null ? since : this.#offsetOf(guild, namedReader);
    const isKnown = from !== null && changeLog.has(from);
    // A first question without an offset or reader asks for no changes, so it cannot miss any.
    const isReset = !isKnown && (from !== null || namedReader !== null);
    return {
      difference: isKnown ? changeLog.since(from, bots) : NO_DIFFERENCE,
      offset: changeLog.now,
      isReset,
    };
  }

  /**
   * Moves a reader to an offset. Forgets the reader if no log here has that offset, because another process
   * answered or the log was replaced. From the old offset, changes would come twice or never. The reader's next
   * question then gets a reset.
   */
  commitReaderOffset({ offset, ...reader }: ReaderOffset): void {
    const guild = this.#guilds.get(reader.guildId);
    if (guild === undefined) return;
    if (guild.logs.get(reader.roleId)?.changeLog.has(offset) !== true) {
      guild.readers.delete(keyOf(reader));
      return;
    }
    const before = guild.readers.get(keyOf(reader));
    // Of two answers that are sent concurrently, the older one may arrive last.
    if (before?.epoch === offset.epoch && before.at > offset.at) return;
    guild.readers.set(keyOf(reader), offset);
  }

  /** Call it when dispatches about a guild no longer arrive. */
  dropGuild(guildId: string): void {
    for (const watched of this.#guilds.get(guildId)?.logs.values() ?? []) this.#drop(watched);
  }

  #offsetOf({ readers }: GuildLogs, reader: Reader): ChangeOffset | null {
    const offset = readers.get(keyOf(reader));
    if (offset === undefined) return null;
    // Move the reader to the end of the map, as the most recently used.
    readers.set(keyOf(reader), offset);
    return offset;
  }

  #logOf(index: MemberIndex, roleId: string): WatchedLog {
    const known = this.#guilds.get(index.guildId)?.logs.get(roleId);
    const watched = known ?? this.#begin(index, roleId);
    const { logs } = watched.guild;
    logs.delete(roleId);
    logs.set(roleId, watched);
    watched.asked = this.#asked += 1;
    watched.cancelEnd();
    watched.cancelEnd = this.#timers.after(this.#limits.keptMs, () => this.#drop(watched));
    return watched;
  }

  #begin(index: MemberIndex, roleId: string): WatchedLog {
    const { entriesMax, logsMax, logsPerGuildMax } = this.#limits;
    const known = this.#guilds.get(index.guildId);
    if (known !== undefined && known.logs.size >= logsPerGuildMax) this.#dropOldest([known], () => 1);
    if (this.#logCount >= logsMax) this.#dropOldest(this.#guilds.values(), ({ logs }) => logs.size);
    const guild = this.#logsOf(index.guildId);
    const changeLog = new RoleChangeLog(entriesMax);
    const watched: WatchedLog = {
      guild,
      roleId,
      index,
      changeLog,
      unwatch: index.watch(roleId, {
        record: (memberId, got, isBot) => this.#record(watched, memberId, got, isBot),
        end: () => this.#drop(watched),
      }),
      asked: 0,
      cancelEnd: () => {},
    };
    guild.logs.set(roleId, watched);
    this.#logCount += 1;
    return watched;
  }

  #record({ guild, changeLog }: WatchedLog, memberId: bigint, got: boolean, isBot: boolean): void {
    const before = changeLog.size;
    changeLog.add(memberId, got, isBot);
    const more = changeLog.size - before;
    guild.entries += more;
    this.#entries += more;
    while (this.#entries > this.#limits.entriesOfAllMax) {
      this.#dropOldest(this.#guilds.values(), ({ entries }) => entries);
    }
  }

  #drop(watched: WatchedLog): void {
    const { guild, changeLog, roleId } = watched;
    if (guild.logs.get(roleId) !== watched) return;
    watched.unwatch();
    watched.cancelEnd();
    guild.logs.delete(roleId);
    guild.entries -= changeLog.size;
    this.#logCount -= 1;
    this.#entries -= changeLog.size;
    // Readers' offsets mean nothing without logs.
    if (guild.logs.size === 0) this.#guilds.delete(guild.guildId);
  }

  /** Among the guilds with the most, drops the log that was asked about longest ago. */
  #dropOldest(guilds: Iterable<GuildLogs>, sizeOf: (guild: GuildLogs) => number): void {
    let oldest: WatchedLog | undefined;
    for (const guild of guilds) {
      const [first] = guild.logs.values();
      const more = oldest === undefined ? 1 : sizeOf(guild) - sizeOf(oldest.guild);
      if (first !== undefined && (more > 0 || (more === 0 && first.asked < (oldest?.asked ?? 0))))
        oldest = first;
    }
    if (oldest !== undefined) this.#drop(oldest);
  }

  #logsOf(guildId: string): GuildLogs {
    const known = this.#guilds.get(guildId);
    if (known !== undefined) return known;
    const { keptMs, readersPerGuildMax } = this.#limits;
    const guild: GuildLogs = {
      guildId,
      logs: new Map(),
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
