import { Problem } from '../../problem.ts';
import type { ListingPass } from './listing-pass.ts';

export interface KeptListingsOptions {
  /** How long a result stays, milliseconds. */
  readonly keptMs: number;
  /** How long one stays that callers were told to come back for. */
  readonly keptPromisedMs: number;
  readonly entriesMax: number;
  /** Results that one guild's keys may have among them; beyond it their own oldest goes. */
  readonly perKeyGuildMax: number;
  /** Members in all results and running passes together. */
  readonly membersMax: number;
  readonly now: () => number;
}

interface Entry {
  readonly pass: ListingPass;
  readonly keyGuildId: string;
  readonly expiresAt: number;
  readonly timer: NodeJS.Timeout;
}

/** Finished passes by token and guild. They go by themselves, so that memory is free without a next request. */
export class KeptListings {
  readonly #entries = new Map<string, Entry>();
  readonly #options: KeptListingsOptions;

  constructor(options: KeptListingsOptions) {
    this.#options = options;
  }

  get(key: string): ListingPass | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined || entry.expiresAt <= this.#options.now() ? undefined : entry.pass;
  }

  /**
   * Makes room for the result of a pass that is about to begin. What callers were told to
   * come back for does not give way.
   * @param underWay passes that may end in a result, the new one included, and their members
   * @throws Problem `busy`
   */
  makeRoom(underWay: { readonly passes: number; readonly members: number }): void {
    const { entriesMax, membersMax } = this.#options;
    while (
      this.#entries.size + underWay.passes > entriesMax ||
      this.#members + underWay.members > membersMax
    ) {
      const oldest = this.#entries.entries().find(([, { pass }]) => !pass.promised);
      if (oldest === undefined) throw tooManyMembers();
      this.#drop(oldest[0]);
    }
  }

  /** @param keyGuildId guild of the key whose request began the pass */
  keep(key: string, pass: ListingPass, keyGuildId: string): void {
    const { keptMs, keptPromisedMs, now, perKeyGuildMax } = this.#options;
    this.#drop(key);
    const own = [...this.#entries].filter(([, entry]) => entry.keyGuildId === keyGuildId);
    if (own.length >= perKeyGuildMax && own[0] !== undefined) this.#drop(own[0][0]);
    const lifeMs = pass.promised ? keptPromisedMs : keptMs;
    const timer = setTimeout(() => this.#drop(key), lifeMs).unref();
    this.#entries.set(key, { pass, keyGuildId, expiresAt: now() + lifeMs, timer });
  }

  clear(): void {
    for (const key of this.#entries.keys()) this.#drop(key);
  }

  get #members(): number {
    return this.#entries.values().reduce((sum, { pass }) => sum + pass.index.memberCount, 0);
  }

  #drop(key: string): void {
    clearTimeout(this.#entries.get(key)?.timer);
    this.#entries.delete(key);
  }
}

function tooManyMembers(): Problem {
  return new Problem('busy', {
    error: 'The service holds as many member lists as it can.',
    retryAfterSeconds: 60,
  });
}
