import { Problem } from '../../problem.ts';
import type { ListingPass } from './listing-pass.ts';

export interface KeptListingsOptions {
  /** Milliseconds. */
  readonly keptMs: number;
  /** Milliseconds, for a result that was promised with 202. */
  readonly keptPromisedMs: number;
  readonly entriesMax: number;
  /** Most results for the keys of one guild. Beyond that, the guild's own oldest one is dropped. */
  readonly perKeyGuildMax: number;
  /** Members in all results and running passes together. */
  readonly membersMax: number;
  readonly now: () => number;
}

interface Entry {
  readonly key: string;
  readonly pass: ListingPass;
  readonly keyGuildId: string;
  readonly expiresAt: number;
  readonly timer: NodeJS.Timeout;
}

/**
 * Finished passes by token and guild. They expire on a timer, so memory is freed without another request.
 *
 * A guild has more than one only if a promised pass has stopped early: it answers for its role until a complete one
 * answers for all roles.
 */
export class KeptListings {
  /** Oldest first. */
  readonly #entries = new Set<Entry>();
  readonly #options: KeptListingsOptions;

  constructor(options: KeptListingsOptions) {
    this.#options = options;
  }

  /** The newest one that can answer. */
  find(key: string, canAnswer: (pass: ListingPass) => boolean): ListingPass | undefined {
    const now = this.#options.now();
    return [...this.#entries].findLast(
      (entry) => entry.key === key && entry.expiresAt > now && canAnswer(entry.pass),
    )?.pass;
  }

  /**
   * Makes room for the result of a pass that is about to begin. Promised results do not give way.
   * @param underWay passes that may end in a result, the new one included, and their members
   * @throws Problem `busy`
   */
  makeRoom(underWay: { readonly passes: number; readonly members: number }): void {
    const { entriesMax, membersMax } = this.#options;
    while (
      this.#entries.size + underWay.passes > entriesMax ||
      this.#members + underWay.members > membersMax
    ) {
      const oldest = this.#entries.values().find(({ pass }) => !pass.promised);
      if (oldest === undefined) throw tooManyMembers();
      this.#drop(oldest);
    }
  }

  /** @param keyGuildId guild of the key whose request began the pass */
  keep(key: string, pass: ListingPass, keyGuildId: string): void {
    const { keptMs, keptPromisedMs, now, perKeyGuildMax } = this.#options;
    for (const entry of this.#entries) {
      if (entry.key !== key) continue;
      const isOwed = entry.pass.promised && entry.expiresAt > now();
      if (isOwed && !pass.isWhole) continue;
      // The old one was promised. Keep that promise with the new one, which answers the same and more.
      if (isOwed) pass.promised = true;
      this.#drop(entry);
    }
    this.#makePlace(keyGuildId, perKeyGuildMax);
    const lifeMs = pass.promised ? keptPromisedMs : keptMs;
    const timer = setTimeout(() => this.#drop(entry), lifeMs).unref();
    const entry: Entry = { key, pass, keyGuildId, expiresAt: now() + lifeMs, timer };
    this.#entries.add(entry);
  }

  /** True when promised results fill all places of the guild's keys. */
  owesAll(keyGuildId: string): boolean {
    const owed = this.#entries
      .values()
      .filter(({ keyGuildId: guildId, pass }) => guildId === keyGuildId && pass.promised);
    return owed.toArray().length >= this.#options.perKeyGuildMax;
  }

  clear(): void {
    for (const entry of this.#entries) this.#drop(entry);
  }

  get #members(): number {
    return this.#entries.values().reduce((sum, { pass }) => sum + pass.index.memberCount, 0);
  }

  /** Drops the oldest result for the guild's keys. A promised one goes only when all of them are promised. */
  #makePlace(keyGuildId: string, perKeyGuildMax: number): void {
    const own = [...this.#entries].filter((entry) => entry.keyGuildId === keyGuildId);
    if (own.length < perKeyGuildMax) return;
    const oldest = own.find(({ pass }) => !pass.promised) ?? own[0];
    if (oldest !== undefined) this.#drop(oldest);
  }

  #drop(entry: Entry): void {
    clearTimeout(entry.timer);
    this.#entries.delete(entry);
  }
}

function tooManyMembers(): Problem {
  return new Problem('busy', {
    error: 'The service holds as many member lists as it can.',
    retryAfterSeconds: 60,
  });
}
