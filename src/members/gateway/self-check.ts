import type { Log } from '../../telemetry/log.ts';
import type { RoleCounts } from '../discord-answers.ts';
import type { GuildMemberList } from './guild-member-list.ts';
import { wait, type Timers } from '../timers.ts';

export interface SelfCheckOptions {
  readonly lists: ReadonlyMap<string, GuildMemberList>;
  readonly fetchRoleCounts: (guildId: string, signal: AbortSignal) => Promise<RoleCounts>;
  /** True when a list would be answered now. */
  readonly isAnswerable: (list: GuildMemberList) => boolean;
  /** Requests the list again, unless that did not help before. */
  readonly resync: (list: GuildMemberList, difference: string) => void;
  readonly timers: Timers;
  readonly log: Log;
  /** From one list to the next. */
  readonly intervalMs: number;
}

/** Deadline of one request. */
const FETCH_MS = 10_000;
/** A difference that lasts this long is confirmed. */
const CONFIRM_MS = 30_000;

/** Compares complete lists with Discord's own counts, one after the other and with one request each. */
export class SelfCheck {
  readonly #options: SelfCheckOptions;
  readonly #stop = new AbortController();
  #rotation: Iterator<GuildMemberList>;
  #cancelTimer: () => void;

  constructor(options: SelfCheckOptions) {
    this.#options = options;
    this.#rotation = options.lists.values();
    this.#cancelTimer = this.#schedule();
  }

  close(): void {
    this.#stop.abort();
    this.#cancelTimer();
  }

  #schedule(): () => void {
    return this.#options.timers.after(this.#options.intervalMs, () => {
      const list = this.#nextComplete();
      const checked = list === null ? Promise.resolve() : this.#check(list);
      void checked.finally(() => {
        if (!this.#stop.signal.aborted) this.#cancelTimer = this.#schedule();
      });
    });
  }

  /** Returns the next complete list of the rotation, or null. */
  #nextComplete(): GuildMemberList | null {
    for (let looked = 0; looked <= this.#options.lists.size; looked += 1) {
      let next = this.#rotation.next();
      if (next.done === true) {
        this.#rotation = this.#options.lists.values();
        next = this.#rotation.next();
        if (next.done === true) return null;
      }
      if (this.#options.isAnswerable(next.value) && !next.value.isSyncing()) return next.value;
    }
    return null;
  }

  /**
   * Resyncs a list when the same difference shows up twice. A difference that disappears was a change that had not
   * reached us yet.
   */
  async #check(list: GuildMemberList): Promise<void> {
    try {
      const first = await this.#differences(list);
      if (first.size === 0) return;
      await wait(this.#options.timers, CONFIRM_MS, this.#stop.signal);
      const second = await this.#differences(list);
      const lasting = [...first].filter(([roleId, difference]) => second.get(roleId) === difference);
      if (lasting.length === 0 || this.#options.lists.get(list.guildId) !== list) return;
      if (!this.#options.isAnswerable(list)) return;
      this.#options.resync(list, lasting.map(([roleId, by]) => `${roleId}:${by}`).join(' '));
    } catch (error) {
      if (!this.#stop.signal.aborted) {
        this.#options.log.debug({ err: error, guild_id: list.guildId }, 'a member list could not be checked');
      }
    }
  }

  /** Our count minus Discord's, for the roles where they differ. */
  async #differences(list: GuildMemberList): Promise<Map<string, number>> {
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(FETCH_MS)]);
    const counts = await this.#options.fetchRoleCounts(list.guildId, signal);
    const differences = new Map<string, number>();
    for (const roleId of new Set([...list.index.roleIds(), ...counts.keys()])) {
      const difference = list.index.count(roleId) - (counts.get(roleId) ?? 0);
      if (difference !== 0 && roleId !== list.guildId) differences.set(roleId, difference);
    }
    return differences;
  }
}
