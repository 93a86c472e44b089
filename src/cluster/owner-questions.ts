import { setImmediate as endOfTurn } from 'node:timers/promises';

import { BoundedMap } from '../bounded-map.ts';
import type { RoleListing } from '../members/member-directory.ts';
import type { RoleQuestion } from '../members/role-question.ts';
import { Problem } from '../problem.ts';
import { ListMemory, type ForeignList } from './foreign-list.ts';
import type { Leases, OtherProcess } from './leases.ts';
import { OwnerConnections } from './owner-connections.ts';
import { shardIsAway, tooManyQuestions } from './unavailable.ts';
import { ALIVE_PATH, LISTING_HEADER, MEMBERS_PATH, NUMBERS_TYPE, readHead, toProblem } from './wire.ts';

/** Limits for questions to other processes. */
export interface QuestionLimits {
  /** For a question as a whole, with a second owner and a long list included. */
  readonly answerMs: number;
  /** Questions of this process that may be open at once. */
  readonly questionsMax: number;
  /** Memory of long lists of other processes; a single one may take more. */
  readonly listBytesMax: number;
}

const LIMITS: QuestionLimits = { answerMs: 3_000, questionsMax: 512, listBytesMax: 128 * 2 ** 20 };

export interface OwnerQuestionsOptions {
  readonly leases: Leases;
  readonly limits?: Partial<QuestionLimits> | undefined;
  /** Called at the end of each question to another process. */
  readonly onQuestion: (outcome: QuestionOutcome) => void;
  /** See LeasesOptions. */
  readonly lastGapAt: () => number;
}

/** The owner sent a list or a problem, or did not answer; or nobody holds the shard. */
export type QuestionOutcome = 'answered' | 'refused' | 'failed' | 'no_owner';

type ForeignListing = RoleListing & { readonly members: ForeignList };

interface Question {
  readonly answer: Promise<ForeignListing>;
  /** Callers who wait for the answer or read it. */
  callers: number;
}

const SILENT_MAX = 1_000;

/** Problems that another owner of the shard may not have. All others are about the question itself. */
const MAY_BE_BETTER_ELSEWHERE = new Set(['member_list_unavailable', 'busy', 'internal', 'bad_request']);

/** Asks the processes that hold a shard. */
export class OwnerQuestions implements Disposable {
  readonly #options: OwnerQuestionsOptions;
  readonly #limits: QuestionLimits;
  readonly #connections = new OwnerConnections();
  readonly #memory: ListMemory;
  /** Questions that are sent at the end of this turn of the event loop: equal ones are sent once. */
  readonly #next = new Map<string, Question>();
  /**
   * Processes that did not answer, with the last renewal of their lease. Until they renew it again, they are asked
   * last.
   */
  readonly #silent = new BoundedMap<number>({ entriesMax: SILENT_MAX });
  #open = 0;

  constructor(options: OwnerQuestionsOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#memory = new ListMemory(this.#limits.listBytesMax);
  }

  get state() {
    return { openQuestions: this.#open, foreignListBytes: this.#memory.bytes };
  }

  /**
   * @param signal aborts when the caller is done, which may be after the answer; a long list is held until then
   * @throws Problem of the owner, `member_list_unavailable` (no owner, or no answer in time), `busy`
   */
  async ask(query: RoleQuestion, signal: AbortSignal): Promise<RoleListing> {
    signal.throwIfAborted();
    const key = JSON.stringify(query);
    // Equal questions share an answer, except for draws: each of them has its own.
    const isDraw = query.kind === 'members' && query.sample !== null;
    const question = (isDraw ? undefined : this.#next.get(key)) ?? this.#begin(key, query.guildId);
    question.callers += 1;
    signal.addEventListener('abort', () => void this.#leave(question), { once: true });
    const listing = await question.answer;
    signal.throwIfAborted();
    return listing;
  }

  /** True when another process can be reached and accepts our questions. */
  reaches({ origin, secret }: OtherProcess): Promise<boolean> {
    const { answerMs: timeoutMs } = this.#limits;
    const headers = { authorization: secret };
    return this.#connections
      .ask({ origin, path: ALIVE_PATH, headers, timeoutMs, makeRoom: () => () => {} })
      .then(
        ({ status }) => status === 204,
        () => false,
      );
  }

  [Symbol.dispose](): void {
    this.#connections[Symbol.dispose]();
  }

  #begin(key: string, guildId: string): Question {
    if (this.#open >= this.#limits.questionsMax) throw tooManyQuestions();
    this.#open += 1;
    const answer = endOfTurn()
      .then(() => {
        this.#next.delete(key);
        return this.#askOwners(key, guildId);
      })
      .finally(() => (this.#open -= 1));
    const question = { answer, callers: 0 };
    this.#next.set(key, question);
    return question;
  }

  async #leave(question: Question): Promise<void> {
    question.callers -= 1;
    const listing = await question.answer.catch(() => null);
    if (question.callers === 0 && listing !== null) this.#memory.giveBack(listing.members);
  }

  /** The newest owner first; when it has no list yet, or is silent, the older one. */
  async #askOwners(key: string, guildId: string): Promise<ForeignListing> {
    const { onQuestion } = this.#options;
    const endsAt = performance.now() + this.#limits.answerMs;
    const owners = this.#ownersOf(guildId);
    if (owners.length === 0) onQuestion('no_owner');
    let problem: Problem | null = null;
    let failure: unknown = 'nobody holds the shard';
    for (const [index, owner] of owners.entries()) {
      const leftMs = endsAt - performance.now();
      if (leftMs <= 0) break;
      const isLast = index === owners.length - 1;
      try {
        const answer = await this.#askOwner(owner, key, isLast ? leftMs : leftMs / 2);
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
    throw problem ?? shardIsAway(failure);
  }

  #ownersOf(guildId: string): OtherProcess[] {
    const isSilent = ({ id, renewedAt }: OtherProcess) => this.#silent.get(id) === renewedAt;
    const owners = this.#options.leases.ownersOf(guildId);
    return owners.toSorted((a, b) => Number(isSilent(a)) - Number(isSilent(b)));
  }

  /** @throws Problem of the owner, `busy`, or an Error when it gives no answer that can be used */
  async #askOwner({ origin, secret }: OtherProcess, key: string, timeoutMs: number): Promise<ForeignListing> {
    const askedAt = performance.now();
    let list = this.#memory.take(0);
    try {
      const { status, header } = await this.#connections.ask({
        origin,
        path: MEMBERS_PATH + Buffer.from(key).toString('base64url'),
        headers: { authorization: secret, accept: NUMBERS_TYPE },
        timeoutMs,
        makeRoom: (bytes) => {
          list = this.#memory.take(bytes);
          return (piece) => list.add(piece);
        },
      });
      // While this process stood still, the answer has grown old.
      if (this.#options.lastGapAt() > askedAt) throw new Error('the answer came too late');
      if (status !== 200) throw toProblem(list.text()) ?? new Error(`the owner answered ${status}`);
      const head = readHead(header(LISTING_HEADER) ?? '');
      if (head === null) throw new Error('the answer of the owner cannot be understood');
      const { jsonByteLength: _, ...facts } = head;
      return { ...facts, members: list.complete(head, header('content-type') === NUMBERS_TYPE) };
    } catch (error) {
      this.#memory.giveBack(list);
      throw error;
    }
  }
}
