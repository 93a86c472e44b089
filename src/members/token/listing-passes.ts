import { Problem } from '../../problem.ts';
import type { MembersQuestion } from '../role-question.ts';
import { BoundedMap } from '../../bounded-map.ts';
import { KeptListings } from './kept-listings.ts';
import { ListingPass } from './listing-pass.ts';
import type { Lookup, TokenAccess } from './token-access.ts';
import type { TokenDirectoryMetrics, TokenDirectorySettings } from './token-directory-options.ts';

interface RunningPass {
  readonly pass: ListingPass;
  readonly keyGuildId: string;
  done: Promise<void>;
}

export interface ListingPassesOptions {
  readonly settings: TokenDirectorySettings;
  readonly access: TokenAccess;
  readonly metrics: TokenDirectoryMetrics | undefined;
  /** Ends all passes. */
  readonly signal: AbortSignal;
}

/** Listings under way and their results: at most one of each for a token and guild. */
export class ListingPasses {
  readonly #running = new Map<string, RunningPass>();
  readonly #kept: KeptListings;
  /** Failures of listings that were promised with 202. The next caller gets them. */
  readonly #failures: BoundedMap<Problem>;
  readonly #options: ListingPassesOptions;

  constructor(options: ListingPassesOptions) {
    const { keptMax, keptMs, keptPerKeyGuildMax, keptPromisedMs, membersMax, now } = options.settings;
    this.#options = options;
    this.#failures = new BoundedMap({ ttlMs: keptMs, entriesMax: keptMax, now });
    this.#kept = new KeptListings({
      keptMs,
      keptPromisedMs,
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
   * @throws Problem `busy`, or the failure of a pass that was promised with 202
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
    const { access, settings, signal } = this.#options;
    // The pass outlives the lookup and must not keep its token, so no closure here names `lookup`.
    const { guildId, key, keyGuildId } = lookup;
    this.#checkPlaces(keyGuildId);
    const { reader, release } = access.open(lookup);
    const pass = new ListingPass({
      reader,
      guildId,
      retryDelaysMs: settings.retryDelaysMs,
      abandonedAfterMs: settings.abandonedAfterMs,
      now: settings.now,
      signal,
      onTotal: () => this.#kept.makeRoom({ passes: this.#running.size, members: this.#membersUnderWay() }),
      onEnd: () => {
        release();
        this.#running.delete(key);
        this.#tellRunning();
        if (pass.hasResult) this.#kept.keep(key, pass, keyGuildId);
        else if (pass.promised && pass.failure !== null) this.#failures.set(key, pass.failure);
      },
    });
    const running: RunningPass = { pass, keyGuildId, done: Promise.resolve() };
    this.#running.set(key, running);
    this.#tellRunning();
    running.done = pass.run();
    return pass;
  }

  #checkPlaces(keyGuildId: string): void {
    const { passesMax, passesPerKeyGuildMax } = this.#options.settings;
    const ofGuild = this.#running.values().filter((running) => running.keyGuildId === keyGuildId);
    if (ofGuild.toArray().length >= passesPerKeyGuildMax) {
      throw new Problem('busy', {
        error: 'Listings for this key are under way already.',
        hint: 'Ask again when one of them is done.',
        retryAfterSeconds: 10,
      });
    }
    if (this.#kept.owesAll(keyGuildId)) {
      throw new Problem('busy', {
        error: 'The service keeps as many results for this key as it can.',
        hint: 'Ask again for the listings that were answered with 202; each is kept for 10 minutes.',
        retryAfterSeconds: 60,
      });
    }
    if (this.#running.size >= passesMax) throw new Problem('busy', { retryAfterSeconds: 10 });
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
