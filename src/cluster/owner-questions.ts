import { setImmediate as endOfTurn } from 'node:timers/promises';

import { Agent } from 'undici';

import { BoundedMap } from '../bounded-map.ts';
import type { RoleListing } from '../members/member-directory.ts';
import type { RoleQuestion } from '../members/role-question.ts';
import { Problem } from '../problem.ts';
import { askProcess, type ProcessAnswer } from './ask-process.ts';
import { ForeignLists, type ForeignList } from './foreign-lists.ts';
import type { Leases, OtherProcess } from './leases.ts';
import { ALIVE_PATH, LISTING_HEADER, MEMBERS_PATH, tagOf } from './owner-server.ts';
import { receiveIds } from './received-ids.ts';
import { shardIsAway, tooManyQuestions } from './unavailable.ts';
import { NUMBERS_TYPE, readHead, toProblem, type ListingHead } from './wire.ts';

/** How much may be under way between processes. */
export interface QuestionLimits {
  /** For a question with all that comes of it: two owners that are asked, a long list. */
  readonly answerMs: number;
  /** Questions of this process that wait for an answer at a time. */
  readonly questionsMax: number;
  /** Connections to one other process. */
  readonly connectionsMax: number;
  /** Long lists of other processes that callers here are reading, in bytes; a single one may be larger. */
  readonly listBytesMax: number;
}

export const QUESTION_LIMITS: QuestionLimits = {
  answerMs: 3_000,
  questionsMax: 512,
  connectionsMax: 32,
  listBytesMax: 128 * 2 ** 20,
};

export interface OwnerQuestionsOptions {
  readonly leases: Leases;
  readonly limits: QuestionLimits;
  /** Told how each question to another process ended. */
  readonly onQuestion: (outcome: QuestionOutcome) => void;
  /** See LeasesOptions. */
  readonly lastGapAt: () => number;
}

/** A list, a problem of the owner, no answer, or nobody who holds the shard. */
export type QuestionOutcome = 'answered' | 'refused' | 'failed' | 'no_owner';

interface Answer {
  readonly listing: RoleListing;
  readonly list: ForeignList;
}

/** When nobody has a list, the leases are read again if what is known of them is older. */
const LEASES_AGE_MS_MAX = 100;

const SILENT_MAX = 1_000;

/** What another owner of the shard may answer better. All else is a matter of the request itself. */
const MAY_BE_BETTER_ELSEWHERE = new Set(['member_list_unavailable', 'busy', 'internal', 'bad_request']);

/** Asks the processes that hold a shard. */
export class OwnerQuestions implements AsyncDisposable {
  readonly #options: OwnerQuestionsOptions;
  readonly #agent: Agent;
  /** Questions that are sent at the end of this turn of the event loop: all who ask the same share one. */
  readonly #next = new Map<string, Promise<Answer>>();
  /** Processes that did not answer, by the renewal of their lease: until the next one they are asked last. */
  readonly #silent = new BoundedMap<number>({ entriesMax: SILENT_MAX });
  readonly #lists: ForeignLists;
  #open = 0;

  constructor(options: OwnerQuestionsOptions) {
    const { connectionsMax, answerMs } = options.limits;
    this.#options = options;
    this.#lists = new ForeignLists(options.limits.listBytesMax);
    this.#agent = new Agent({
      connections: connectionsMax,
      keepAliveTimeout: 30_000,
      connect: { timeout: answerMs },
      // Each request has a time of its own.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  get open(): number {
    return this.#open;
  }

  get listBytes(): number {
    return this.#lists.bytes;
  }

  /**
   * @param signal aborts when the caller is done, also after the answer: till then a long list counts as being read
   * @throws Problem of the owner, `member_list_unavailable` (no owner, or no answer in time), `busy`
   */
  async ask(query: RoleQuestion, signal: AbortSignal): Promise<RoleListing> {
    signal.throwIfAborted();
    const key = JSON.stringify(query);
    // Equal questions share an answer, but for draws: each is one of its own.
    const isDraw = query.kind === 'members' && query.sample !== null;
    const { listing, list } = await ((isDraw ? undefined : this.#next.get(key)) ?? this.#begin(key, query));
    signal.throwIfAborted();
    this.#lists.read(list, signal);
    return listing;
  }

  /** Whether another process can be reached and takes questions of this one. */
  reaches({ origin, secret }: OtherProcess): Promise<boolean> {
    const request = { origin, path: ALIVE_PATH, headers: { authorization: secret } };
    return askProcess(this.#agent, request, this.#options.limits.answerMs).then(
      ({ status }) => status === 204,
      () => false,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }

  #begin(key: string, query: RoleQuestion): Promise<Answer> {
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
  async #askOwners(key: string, guildId: string): Promise<Answer> {
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
  async #askOwner(owner: OtherProcess, key: string, timeoutMs: number): Promise<Answer> {
    const askedAt = performance.now();
    const known = this.#lists.known(key);
    const headers = {
      authorization: owner.secret,
      accept: NUMBERS_TYPE,
      ...(known === null ? {} : { 'if-none-match': tagOf(known.version) }),
    };
    const path = MEMBERS_PATH + Buffer.from(key).toString('base64url');
    let reserved = 0;
    try {
      const answer = await askProcess(
        this.#agent,
        { origin: owner.origin, path, headers },
        timeoutMs,
        (bytes) => {
          reserved = this.#lists.reserve(bytes);
        },
      );
      const { jsonByteLength, ...head } = headOf(answer);
      // While this process stood still, the answer has grown old.
      if (performance.now() - askedAt > timeoutMs || this.#options.lastGapAt() > askedAt)
        throw new Error('the answer came too late');
      const came =
        known !== null && answer.status === 304
          ? known
          : { ids: receiveIds(answer, head.returned, jsonByteLength), bytes: reserved };
      const list = this.#lists.add(key, head, came);
      return { listing: { ...head, members: list.members }, list };
    } finally {
      this.#lists.giveBack(reserved);
    }
  }
}

/** @throws the Problem that was answered, or an Error when the answer cannot be understood */
function headOf({ status, headers, pieces }: ProcessAnswer): ListingHead {
  if (status !== 200 && status !== 304) {
    throw toProblem(Buffer.concat(pieces).toString()) ?? new Error(`the owner answered ${status}`);
  }
  const head = readHead(String(headers[LISTING_HEADER]));
  if (head === null) throw new Error('the answer of the owner cannot be understood');
  return head;
}
