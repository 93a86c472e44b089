import { setImmediate as endOfTurn } from 'node:timers/promises';

import { BoundedMap } from '../bounded-map.ts';
import type { RoleListing } from '../members/member-directory.ts';
import type { RoleQuestion } from '../members/role-question.ts';
import { Problem } from '../problem.ts';
import { ForeignLists, type ForeignList } from './foreign-lists.ts';
import type { Leases, OtherProcess } from './leases.ts';
import { OwnerConnections } from './owner-connections.ts';
import { ALIVE_PATH, LISTING_HEADER, MEMBERS_PATH, tagOf } from './owner-server.ts';
import { shardIsAway, tooManyQuestions } from './unavailable.ts';
import { NUMBERS_TYPE, readHead, toProblem } from './wire.ts';

/** How much may be under way between processes. */
export interface QuestionLimits {
  /** For a question with all that comes of it: two owners that are asked, a long list. */
  readonly answerMs: number;
  /** Questions of this process that wait for an answer at a time. */
  readonly questionsMax: number;
  /** Memory of long lists of other processes; a single one may take more. */
  readonly listBytesMax: number;
}

export const QUESTION_LIMITS: QuestionLimits = {
  answerMs: 3_000,
  questionsMax: 512,
  listBytesMax: 128 * 2 ** 20,
};

export interface OwnerQuestionsOptions {
  readonly leases: Leases;
  readonly limits: QuestionLimits;
  /** Called with how each question to another process ended. */
  readonly onQuestion: (outcome: QuestionOutcome) => void;
  /** See LeasesOptions. */
  readonly lastGapAt: () => number;
}

/** The owner sent a list or a problem, or did not answer; or nobody holds the shard. */
export type QuestionOutcome = 'answered' | 'refused' | 'failed' | 'no_owner';

type ForeignListing = RoleListing & { readonly members: ForeignList };

/** When nobody has a list, the leases are read again if what is known of them is older. */
const LEASES_AGE_MS_MAX = 100;

const SILENT_MAX = 1_000;

const NO_BODY: Buffer = Buffer.alloc(0);

/** Problems that another owner of the shard may not have. All others are about the question itself. */
const MAY_BE_BETTER_ELSEWHERE = new Set(['member_list_unavailable', 'busy', 'internal', 'bad_request']);

/** Asks the processes that hold a shard. */
export class OwnerQuestions implements Disposable {
  readonly #options: OwnerQuestionsOptions;
  readonly #connections = new OwnerConnections();
  /** Questions that are sent at the end of this turn of the event loop: all who ask the same share one. */
  readonly #next = new Map<string, Promise<ForeignListing>>();
  /** Processes that did not answer, by the renewal of their lease: until the next one they are asked last. */
  readonly #silent = new BoundedMap<number>({ entriesMax: SILENT_MAX });
  readonly #lists: ForeignLists;
  #open = 0;

  constructor(options: OwnerQuestionsOptions) {
    this.#options = options;
    this.#lists = new ForeignLists(options.limits.listBytesMax);
  }

  get open(): number {
    return this.#open;
  }

  get listBytes(): number {
    return this.#lists.bytes;
  }

  /**
   * @param signal aborts when the caller is done, which may be after the answer; a long list is held until then
   * @throws Problem of the owner, `member_list_unavailable` (no owner, or no answer in time), `busy`
   */
  async ask(query: RoleQuestion, signal: AbortSignal): Promise<RoleListing> {
    signal.throwIfAborted();
    const key = JSON.stringify(query);
    // Equal questions share an answer, but for draws: each is one of its own.
    const isDraw = query.kind === 'members' && query.sample !== null;
    const listing = await ((isDraw ? undefined : this.#next.get(key)) ?? this.#begin(key, query));
    signal.throwIfAborted();
    this.#lists.read(listing.members, signal);
    return listing;
  }

  /** Whether another process can be reached and takes questions of this one. */
  reaches({ origin, secret }: OtherProcess): Promise<boolean> {
    const timeoutMs = this.#options.limits.answerMs;
    const headers = { authorization: secret };
    return this.#connections
      .ask({ origin, path: ALIVE_PATH, headers, timeoutMs, makeRoom: () => NO_BODY })
      .then(
        ({ status }) => status === 204,
        () => false,
      );
  }

  [Symbol.dispose](): void {
    this.#connections[Symbol.dispose]();
  }

  #begin(key: string, query: RoleQuestion): Promise<ForeignListing> {
    if (this.#open >= this.#options.limits.questionsMax) throw tooManyQuestions();
    this.#open += 1;
    const answer = endOfTurn()
      .then(() => {
        this.#next.delete(key);
        return this.#askOwners(key, query.guildId);
      })
      .finally(() => (this.#open -= 1));
    this.#next.set(key, answer);
    return answer;
  }

  /** The newest owner first; when it has no list yet, or is silent, the older one. */
  async #askOwners(key: string, guildId: string): Promise<ForeignListing> {
    const { leases, limits, onQuestion } = this.#options;
    const askedAt = performance.now();
    const endsAt = askedAt + limits.answerMs;
    const asked = new Set<string>();
    let problem: Problem | null = null;
    let failure: unknown = 'nobody holds the shard';
    while (performance.now() < endsAt) {
      const [owner, another] = this.#ownersOf(guildId).filter(({ id }) => !asked.has(id));
      if (owner === undefined) {
        if (askedAt - leases.readAt < LEASES_AGE_MS_MAX) break;
        try {
          await leases.renew();
          continue;
        } catch (error) {
          failure = error;
          break;
        }
      }
      asked.add(owner.id);
      const leftMs = endsAt - performance.now();
      try {
        const timeoutMs = another === undefined ? leftMs : leftMs / 2;
        const answer = await this.#askOwner(owner, key, timeoutMs);
        onQuestion('answered');
        return answer;
      } catch (error) {
        if (error instanceof Problem) {
          onQuestion('refused');
          if (!MAY_BE_BETTER_ELSEWHERE.has(error.code)) throw error;
          problem ??= error;
        } else {
          onQuestion('failed');
          this.#silent.set(owner.id, owner.renewedAt);
          failure = error;
        }
      }
    }
    if (asked.size === 0) onQuestion('no_owner');
    throw problem ?? shardIsAway(failure);
  }

  #ownersOf(guildId: string): readonly OtherProcess[] {
    const owners = this.#options.leases.ownersOf(guildId);
    const isSilent = ({ id, renewedAt }: OtherProcess) => this.#silent.get(id) === renewedAt;
    return owners.length < 2 || this.#silent.size === 0
      ? owners
      : owners.toSorted((a, b) => Number(isSilent(a)) - Number(isSilent(b)));
  }

  /** @throws Problem of the owner, `busy`, or an Error when it gives no answer that can be used */
  async #askOwner({ origin, secret }: OtherProcess, key: string, timeoutMs: number): Promise<ForeignListing> {
    const askedAt = performance.now();
    const lists = this.#lists;
    const known = lists.find(key);
    let body = NO_BODY;
    try {
      const { status, header } = await this.#connections.ask({
        origin,
        path: MEMBERS_PATH + Buffer.from(key).toString('base64url'),
        headers: {
          authorization: secret,
          accept: NUMBERS_TYPE,
          ...(known === null ? {} : { 'if-none-match': tagOf(known.version) }),
        },
        timeoutMs,
        makeRoom: (bytes) => (body = lists.makeRoom(bytes)),
      });
      const isKnown = known !== null && status === 304;
      if (status !== 200 && !isKnown) {
        throw toProblem(body.toString()) ?? new Error(`the owner answered ${status}`);
      }
      const head = readHead(header(LISTING_HEADER) ?? '');
      if (head === null) throw new Error('the answer of the owner cannot be understood');
      // While this process stood still, the answer has grown old.
      if (performance.now() - askedAt > timeoutMs || this.#options.lastGapAt() > askedAt)
        throw new Error('the answer came too late');
      const list = isKnown
        ? lists.hold(known)
        : lists.add(key, head, body, header('content-type') === NUMBERS_TYPE);
      // All who share this question have theirs by then.
      setImmediate(() => lists.leave(list));
      const { jsonByteLength: _, ...facts } = head;
      return { ...facts, members: list };
    } catch (error) {
      lists.giveBack(body);
      throw error;
    } finally {
      if (known !== null) lists.leave(known);
    }
  }
}
