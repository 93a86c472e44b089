import { BoundedMap } from '../kernel/bounded-map.ts';
import { Problem } from '../kernel/problem.ts';
import type { Caller, GuildQuestion, MemberQuery } from '../members/member-directory.ts';
import type { Leases, OtherProcess } from './leases.ts';
import { ListMemory, type ListMemoryLimits } from './list-memory.ts';
import { SHORT_IDS_MAX, type Reply, type RedisRpc } from './redis-rpc.ts';

/** Limits for questions to other processes. */
export interface QuestionLimits extends ListMemoryLimits {
  /** For a whole question, including a second shard holder and a long list. */
  readonly answerMs: number;
  /** Questions of this process that may be open concurrently. */
  readonly questionsMax: number;
}

export interface ShardHolderRequestsOptions {
  readonly leases: Leases;
  readonly rpc: RedisRpc;
  readonly limits: QuestionLimits;
  /** See ClusterOptions. */
  readonly lastProcessPauseAt: () => number;
}

const ID_BYTES = BigUint64Array.BYTES_PER_ELEMENT;
/** Processes that did not answer. */
const SILENT_MAX = 1_000;

/** If a shard holder answers with one of these, another holder of the shard may have an answer. */
const MAY_BE_BETTER_ELSEWHERE = new Set(['member_list_unavailable', 'busy', 'internal', 'bad_request']);

/** Asks the processes that hold a shard. */
export class ShardHolderRequests {
  readonly #options: ShardHolderRequestsOptions;
  readonly #listMemory: ListMemory;
  /** Processes that did not answer, with the last renewal of their lease. Until they renew it, they are asked last. */
  readonly #silent = new BoundedMap<number>({ entriesMax: SILENT_MAX });
  #open = 0;

  constructor(options: ShardHolderRequestsOptions) {
    this.#options = options;
    this.#listMemory = new ListMemory(options.limits);
  }

  get state() {
    return { openQuestions: this.#open, remoteListBytes: this.#listMemory.heldBytes };
  }

  /**
   * A long list is held until the caller's signal aborts.
   * @throws Problem of the shard holder, `member_list_unavailable` (no shard holder, or no answer in time), `busy`
   */
  async ask<Question extends GuildQuestion, Answer>(
    query: MemberQuery<Question, Answer>,
    question: Question,
    caller: Caller,
  ): Promise<Answer> {
    caller.signal.throwIfAborted();
    if (this.#open >= this.#options.limits.questionsMax) throw new Problem('busy', { retryAfterSeconds: 1 });
    this.#open += 1;
    try {
      return await this.#askShardHolders(query, question, caller);
    } finally {
      this.#open -= 1;
    }
  }

  /** Sends a message that needs no answer. It is lost while Redis is away. */
  publishToShardHolders(kind: string, message: GuildQuestion): void {
    for (const { id } of this.#options.leases.shardHoldersOf(message.guildId)) {
      this.#options.rpc.notify(id, kind, message);
    }
  }

  /** Asks the newest shard holder first. If that has no list yet, or is silent, the older one is asked. */
  async #askShardHolders<Question extends GuildQuestion, Answer>(
    query: MemberQuery<Question, Answer>,
    question: Question,
    caller: Caller,
  ): Promise<Answer> {
    const endsAt = performance.now() + this.#options.limits.answerMs;
    const shardHolders = this.#shardHoldersOf(question.guildId);
    let problem: Problem | null = null;
    let failure: unknown = 'no process holds the shard';
    for (const [index, shardHolder] of shardHolders.entries()) {
      const leftMs = endsAt - performance.now();
      if (leftMs <= 0) break;
      const isLast = index === shardHolders.length - 1;
      try {
        return await this.#askShardHolder(
          shardHolder,
          query,
          question,
          isLast ? endsAt : endsAt - leftMs / 2,
          caller,
        );
      } catch (error) {
        caller.signal.throwIfAborted();
        if (error instanceof Problem) {
          if (!MAY_BE_BETTER_ELSEWHERE.has(error.code)) throw error;
          problem ??= error;
        } else {
          this.#silent.set(shardHolder.id, shardHolder.renewedAt);
          failure = error;
        }
      }
    }
    const away = { retryAfterSeconds: 5, cause: failure };
    throw problem ?? new Problem('member_list_unavailable/away', away);
  }

  #shardHoldersOf(guildId: string): OtherProcess[] {
    const isSilent = ({ id, renewedAt }: OtherProcess) => this.#silent.get(id) === renewedAt;
    const shardHolders = this.#options.leases.shardHoldersOf(guildId);
    return shardHolders.toSorted((a, b) => Number(isSilent(a)) - Number(isSilent(b)));
  }

  /** @throws Problem of the shard holder, `busy`, or an Error when there is no usable answer */
  async #askShardHolder<Question extends GuildQuestion, Answer>(
    shardHolder: OtherProcess,
    query: MemberQuery<Question, Answer>,
    question: Question,
    endsAt: number,
    caller: Caller,
  ): Promise<Answer> {
    const { rpc, lastProcessPauseAt } = this.#options;
    const askedAt = performance.now();
    const ask = (idsMax: number) =>
      rpc.ask({ to: shardHolder.id, kind: query.name, question, idsMax, endsAt, signal: caller.signal });
    let reply = await ask(SHORT_IDS_MAX);
    if (reply.idCount > SHORT_IDS_MAX) {
      reply = await this.#askAgain(reply.idCount, ask, endsAt, caller);
    }
    // The answer is out of date, because this process was paused in the meantime.
    if (lastProcessPauseAt() > askedAt) throw new Error('the answer came too late');
    const answer = query.read(reply);
    if (answer === undefined) throw new Error('the answer of the shard holder cannot be understood');
    return answer;
  }

  /** Asks again for a long list, once there is memory for it. */
  async #askAgain(
    idCount: number,
    ask: (idsMax: number) => Promise<Reply>,
    endsAt: number,
    { signal, tenantId }: Caller,
  ): Promise<Reply> {
    const reservation = await this.#listMemory.take(tenantId, idCount * ID_BYTES, endsAt, signal);
    try {
      const reply = await ask(idCount);
      // The list has grown in the meantime, and was left out.
      if (reply.idCount > idCount) throw new Problem('busy', { retryAfterSeconds: 1 });
      signal.throwIfAborted();
      signal.addEventListener('abort', reservation.release, { once: true });
      return reply;
    } catch (error) {
      reservation.release();
      throw error;
    } finally {
      reservation.arrived();
    }
  }
}
