import { Problem } from '../../kernel/problem.ts';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import { Shares, type Claim } from '../../kernel/fair-places.ts';
import type { MembersQuestion } from '../role-question.ts';
import { ListingPass } from './listing-pass.ts';
import type { DiscordCalls } from './discord-calls.ts';
import type { Lookup } from './token-standing.ts';
import type { TokenDirectoryMetrics, TokenDirectorySettings } from './token-directory-options.ts';

/** Passes at once. */
const PASSES_MAX = 16;
/** Passes at once for the keys of one guild. */
const PASSES_PER_KEY_GUILD_MAX = 2;
/** A promised result is kept this long: its callers were answered 202 and come back for it. */
const KEPT_PROMISED_MS = 600_000;

interface RunningPass {
  readonly pass: ListingPass;
  readonly keyGuildId: string;
  readonly done: Promise<void>;
}

export interface ListingPassesOptions {
  readonly settings: TokenDirectorySettings;
  readonly calls: DiscordCalls;
  readonly metrics: TokenDirectoryMetrics | undefined;
  /** Ends all passes. */
  readonly signal: AbortSignal;
}

/** Passes under way and their results, by token and guild. */
export class ListingPasses {
  readonly #running = new Map<string, RunningPass>();
  readonly #kept: KeptListings;
  /** Failures of promised passes. The next caller gets them. */
  readonly #failures: BoundedMap<Problem>;
  readonly #options: ListingPassesOptions;

  constructor(options: ListingPassesOptions) {
    const { keptMax, keptMs, keptPerKeyGuildMax, membersMax, now } = options.settings;
    this.#options = options;
    this.#failures = new BoundedMap({ ttlMs: keptMs, entriesMax: keptMax, now });
    this.#kept = new KeptListings({
      keptMs,
      entriesMax: keptMax,
      perKeyGuildMax: keptPerKeyGuildMax,
      membersMax,
      now,
    });
  }

  running(key: string): ListingPass | undefined {
    return this.#running.get(key)?.pass;
  }

  /** The newest result that answers the question. */
  kept(key: string, question: MembersQuestion): ListingPass | undefined {
    return this.#kept.find(key, (pass) => pass.covers(question));
  }

  /**
   * Returns the pass under way, or starts one.
   * @throws Problem `busy`, or the failure of a promised pass
   */
  join(lookup: Lookup): ListingPass {
    const failure = this.#failures.get(lookup.key);
    if (failure !== undefined) {
      this.#failures.delete(lookup.key);
      throw failure;
    }
    return this.running(lookup.key) ?? this.#start(lookup);
  }

  /** Resolves when all passes have ended; `signal` ends them. */
  async close(): Promise<void> {
    await Promise.all(this.#running.values().map(({ done }) => done));
    this.#kept.clear();
  }

  #start(lookup: Lookup): ListingPass {
    const { calls, settings, signal } = this.#options;
    // The result outlives the lookup and must not keep its token, so no closure here names `lookup`.
    const { guildId, key, keyGuildId } = lookup;
    this.#checkPlaces(keyGuildId);
    const pass = new ListingPass({
      calls,
      guildId,
      retryDelaysMs: settings.retryDelaysMs,
      now: settings.now,
      signal,
      onTotal: () => this.#kept.makeRoom({ passes: this.#running.size, members: this.#membersUnderWay() }),
      onEnd: () => {
        this.#running.delete(key);
        this.#tellRunning();
        if (pass.hasResult) this.#kept.keep(key, pass, keyGuildId);
        else if (pass.isPromised && pass.failure !== null) this.#failures.set(key, pass.failure);
      },
    });
    this.#running.set(key, { pass, keyGuildId, done: pass.run(lookup) });
    this.#tellRunning();
    return pass;
  }

  #checkPlaces(keyGuildId: string): void {
    const ofGuild = this.#running.values().filter((running) => running.keyGuildId === keyGuildId);
    if (ofGuild.toArray().length >= PASSES_PER_KEY_GUILD_MAX) {
      throw new Problem('busy/listings', { retryAfterSeconds: 10 });
    }
    if (this.#kept.owesAll(keyGuildId)) {
      throw new Problem('busy/results', { retryAfterSeconds: 60 });
    }
    if (this.#running.size >= PASSES_MAX) throw new Problem('busy', { retryAfterSeconds: 10 });
  }

  #membersUnderWay(): number {
    return this.#running
      .values()
      .reduce((sum, { pass }) => sum + Math.max(pass.total ?? 0, pass.index.memberCount), 0);
  }

  #tellRunning(): void {
    this.#options.metrics?.setPassesRunning(this.#running.size);
  }
}

interface KeptListingsOptions {
  /** Milliseconds. */
  readonly keptMs: number;
  readonly entriesMax: number;
  /** Most results for the keys of one guild. Beyond that, the guild's own oldest one is dropped. */
  readonly perKeyGuildMax: number;
  /** Members in all results and running passes together. */
  readonly membersMax: number;
  readonly now: () => number;
}

interface Entry extends Claim {
  /** The guild of the key whose request began the pass. */
  readonly owner: string;
  readonly key: string;
  readonly pass: ListingPass;
  readonly expiresAt: number;
  readonly timer: NodeJS.Timeout;
}

/**
 * Finished passes by token and guild. They expire on a timer, so memory is freed without another request.
 *
 * A guild has more than one only if a promised pass has stopped early: it answers for its role until a complete one
 * answers for all roles.
 */
class KeptListings {
  /** The weight of an entry is its number of members. */
  readonly #entries = new Shares<Entry>();
  readonly #options: KeptListingsOptions;

  constructor(options: KeptListingsOptions) {
    this.#options = options;
  }

  /** The newest entry that can answer. */
  find(key: string, canAnswer: (pass: ListingPass) => boolean): ListingPass | undefined {
    const now = this.#options.now();
    return [...this.#entries].findLast(
      (entry) => entry.key === key && entry.expiresAt > now && canAnswer(entry.pass),
    )?.pass;
  }

  /**
   * Drops results until a new pass has room for its own. Promised results are not dropped.
   * @param underWay all passes that may still end in a result, including the new one, and their members
   * @throws Problem `busy`
   */
  makeRoom(underWay: { readonly passes: number; readonly members: number }): void {
    const { entriesMax, membersMax } = this.#options;
    while (
      this.#entries.size + underWay.passes > entriesMax ||
      this.#entries.weight + underWay.members > membersMax
    ) {
      const oldest = firstNotPromised(this.#entries);
      if (oldest === undefined) throw new Problem('busy/lists', { retryAfterSeconds: 60 });
      this.#drop(oldest);
    }
  }

  /** @param owner guild of the key whose request began the pass */
  keep(key: string, pass: ListingPass, owner: string): void {
    const { keptMs, now, perKeyGuildMax } = this.#options;
    for (const entry of this.#entries) {
      if (entry.key !== key) continue;
      const isOwed = entry.pass.isPromised && entry.expiresAt > now();
      if (isOwed && !pass.isWhole) continue;
      // The new result answers everything that the promised one does, and takes over its promise.
      if (isOwed) pass.promise();
      this.#drop(entry);
    }
    this.#makePlace(owner, perKeyGuildMax);
    const lifeMs = pass.isPromised ? KEPT_PROMISED_MS : keptMs;
    const timer = setTimeout(() => this.#drop(entry), lifeMs).unref();
    const entry: Entry = { owner, key, pass, expiresAt: now() + lifeMs, timer };
    this.#entries.add(entry, pass.index.memberCount);
  }

  /** True when promised results take all places of the guild's keys. */
  owesAll(keyGuildId: string): boolean {
    const owed = [...this.#entries.of(keyGuildId).claims].filter(({ pass }) => pass.isPromised);
    return owed.length >= this.#options.perKeyGuildMax;
  }

  clear(): void {
    for (const entry of this.#entries) this.#drop(entry);
  }

  /** Drops the oldest result for the guild's keys. A promised one goes only when all of them are promised. */
  #makePlace(keyGuildId: string, perKeyGuildMax: number): void {
    const own = this.#entries.of(keyGuildId).claims;
    if (own.size < perKeyGuildMax) return;
    const oldest = firstNotPromised(own) ?? [...own][0];
    if (oldest !== undefined) this.#drop(oldest);
  }

  #drop(entry: Entry): void {
    clearTimeout(entry.timer);
    this.#entries.delete(entry);
  }
}

/** The oldest entry that may be dropped. */
function firstNotPromised(entries: Iterable<Entry>): Entry | undefined {
  return [...entries].find(({ pass }) => !pass.isPromised);
}
