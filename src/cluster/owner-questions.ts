import { Agent } from 'undici';

import { BoundedMap } from '../bounded-map.ts';
import type { LargeIds } from '../large-value.ts';
import { PageCache } from '../members/index/page-cache.ts';
import type { RoleListing } from '../members/member-directory.ts';
import type { RoleQuestion } from '../members/role-question.ts';
import { Problem } from '../problem.ts';
import { askProcess, type ProcessAnswer } from './ask-process.ts';
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

/** What all share that ask the same in one turn of the event loop. */
interface Question {
  readonly query: RoleQuestion;
  /** The query as JSON. */
  readonly key: string;
  readonly answer: Promise<RoleListing>;
  callers: number;
  /** Of its list, from its head until the last caller is done. */
  bytes: number;
}

/** Longer lists are counted. */
const SHORT_BYTES_MAX = 16 * 1024;
/** Lists whose last version is known; their bytes are bounded by PageCache. */
const VERSIONS_MAX = 1_000;
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
  readonly #next = new Map<string, Question>();
  /** Processes that did not answer, by the renewal of their lease: until the next one they are asked last. */
  readonly #silent = new BoundedMap<number>({ entriesMax: SILENT_MAX });
  /** The JSON of lists that were asked for repeatedly, so that one that has not changed need not come again. */
  readonly #pages = new PageCache();
  /** Of a question the version that came last, in the order in which they came. */
  readonly #versions = new BoundedMap<string>({ entriesMax: VERSIONS_MAX });
  #open = 0;
  #listBytes = 0;

  constructor(options: OwnerQuestionsOptions) {
    const { connectionsMax, answerMs } = options.limits;
    this.#options = options;
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
    return this.#listBytes;
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
    const question = (isDraw ? undefined : this.#next.get(key)) ?? this.#begin(key, query);
    question.callers += 1;
    const listing = await question.answer;
    const leave = () => {
      question.callers -= 1;
      if (question.callers === 0) this.#giveBack(question);
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    signal.throwIfAborted();
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

  #begin(key: string, query: RoleQuestion): Question {
    if (this.#open >= this.#options.limits.questionsMax) throw tooManyQuestions();
    this.#open += 1;
    const { promise: answer, resolve } = Promise.withResolvers<RoleListing>();
    const question: Question = { query, key, answer, callers: 0, bytes: 0 };
    this.#next.set(key, question);
    setImmediate(() => {
      this.#next.delete(key);
      resolve(this.#askOwners(question).finally(() => (this.#open -= 1)));
    });
    return question;
  }

  /** The newest owner first; when it has no list yet, or is silent, the older one. */
  async #askOwners(question: Question): Promise<RoleListing> {
    const { leases, limits, onQuestion } = this.#options;
    const askedAt = performance.now();
    const endsAt = askedAt + limits.answerMs;
    const asked = new Set<string>();
    let problem: Problem | null = null;
    let failure: unknown = 'nobody holds the shard';
    while (performance.now() < endsAt) {
      const [owner, another] = this.#ownersOf(question.query.guildId).filter(({ id }) => !asked.has(id));
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
        const listing = await this.#askOwner(owner, question, timeoutMs);
        onQuestion('answered');
        return listing;
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
  async #askOwner(owner: OtherProcess, question: Question, timeoutMs: number): Promise<RoleListing> {
    const { key } = question;
    const askedAt = performance.now();
    const version = this.#versions.get(key);
    const kept = version === undefined ? null : this.#pages.kept(version + key);
    const tag = kept === null || version === undefined ? {} : { 'if-none-match': tagOf(version) };
    const path = MEMBERS_PATH + Buffer.from(key).toString('base64url');
    const headers = { authorization: owner.secret, accept: NUMBERS_TYPE, ...tag };
    const request = { origin: owner.origin, path, headers };
    try {
      const answer = await askProcess(this.#agent, request, timeoutMs, (bytes) =>
        this.#makeRoom(question, bytes),
      );
      const { jsonByteLength, ...head } = headOf(answer);
      // While this process stood still, the answer has grown old.
      if (performance.now() - askedAt > timeoutMs || this.#options.lastGapAt() > askedAt)
        throw new Error('the answer came too late');
      if (kept !== null && answer.status === 304) return { ...head, members: kept.members };
      const ids = receiveIds(answer, head.returned, jsonByteLength);
      return { ...head, members: this.#remember(key, head, ids) };
    } catch (error) {
      this.#giveBack(question);
      throw error;
    }
  }

  #remember(key: string, { version, nextAfter }: Omit<RoleListing, 'members'>, ids: LargeIds): LargeIds {
    this.#versions.set(key, version);
    return this.#pages.get(version + key, () => ({ ids, nextAfter })).members;
  }

  /** @throws Problem `busy` */
  #makeRoom(question: Question, bytes: number): void {
    if (bytes <= SHORT_BYTES_MAX) return;
    if (this.#listBytes > 0 && this.#listBytes + bytes > this.#options.limits.listBytesMax) {
      throw tooManyQuestions();
    }
    question.bytes = bytes;
    this.#listBytes += bytes;
  }

  #giveBack(question: Question): void {
    this.#listBytes -= question.bytes;
    question.bytes = 0;
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
