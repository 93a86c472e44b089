import { setTimeout as delay } from 'node:timers/promises';

import { Problem } from '../kernel/problem.ts';
import type { Log } from '../telemetry/log.ts';
import type { Channels } from './channels.ts';
import { EventLoopQueue } from '../kernel/event-loop-queue.ts';
import type { Received, Written } from '../members/member-directory.ts';
import {
  readMessage,
  toProblem,
  writeAnswer,
  writeProblem,
  writeQuestion,
  type AnswerMessage,
  type QuestionMessage,
} from './wire.ts';

export interface RedisRpcOptions {
  readonly channels: Channels;
  readonly processId: string;
  readonly log: Log;
  /** While more than this waits to be sent to Redis, all questions are refused as `busy`. */
  readonly unsentBytesMax: number;
  /** Deadline for answering a question of another process. */
  readonly answerMs: number;
}

/** Makes an answer. The signal aborts when the process that asked no longer waits. */
type Work = (question: unknown, signal: AbortSignal) => Promise<Written>;

export interface Reply extends Received {
  /** The length of the whole list. `ids` is shorter when the list is longer than `idsMax`. */
  readonly idCount: number;
}

interface Asked extends Pick<QuestionMessage, 'kind' | 'question' | 'idsMax'> {
  /** The id of a process. */
  readonly to: string;
  /** On the clock of `performance.now()`. */
  readonly endsAt: number;
  readonly signal?: AbortSignal;
}

/** How often to check that a process that has not answered is alive. */
const CHECK_MS = 250;
const ID_BYTES = BigUint64Array.BYTES_PER_ELEMENT;
/** Lists up to this length come with the first answer, and no memory is reserved for them. */
export const SHORT_IDS_MAX = 2_000;

/** Asks other processes: one message for the question, one for the answer. */
export class RedisRpc implements Disposable {
  readonly #options: RedisRpcOptions;
  readonly #kinds = new Map<string, Work>();
  readonly #heard = new Map<string, (message: unknown) => void>();
  /** Questions without an answer, by id. */
  readonly #open = new Map<string, PromiseWithResolvers<Reply>>();
  /** Many long lists may arrive together. Each blocks the event loop for about a millisecond. */
  readonly #longLists = new EventLoopQueue(() => performance.now());
  #asked = 0;

  constructor(options: RedisRpcOptions) {
    const { channels } = options;
    this.#options = options;
    channels.receive((message) => this.#receive(message));
    channels.onCut(() => this.#failAll('the connection to Redis was cut'));
  }

  /**
   * @param kind of question that this process answers from now on
   * @param work may throw a Problem. Its ids are read in the same iteration of the event loop in which it resolves
   */
  answer(kind: string, work: Work): void {
    this.#kinds.set(kind, work);
  }

  /** @param kind of message that this process takes from now on, without answering */
  hear(kind: string, listener: (message: unknown) => void): void {
    this.#heard.set(kind, listener);
  }

  /** Sends a message that needs no answer. It may get lost. */
  notify(to: string, kind: string, message: unknown): void {
    const line = writeQuestion({ id: '', from: '', kind, idsMax: 0, leftMs: 0, question: message });
    this.#options.channels.send(to, line).catch(() => undefined);
  }

  /**
   * @throws Problem of the other process, the reason of the signal, or an Error without an answer in time, because the
   *   process is gone or silent or Redis is away
   */
  async ask({ to, kind, question, idsMax, endsAt, signal }: Asked): Promise<Reply> {
    const { channels, processId } = this.#options;
    if (!channels.isOpen) throw new Error('this process does not hear the others');
    const id = String((this.#asked += 1));
    const answer = Promise.withResolvers<Reply>();
    const send = async (message: string) => {
      try {
        if (!(await channels.send(to, message))) answer.reject(new Error('the process is gone'));
      } catch (error) {
        answer.reject(error);
      }
    };
    const leftMs = Math.max(0, Math.floor(endsAt - performance.now()));
    const checks = setInterval(() => void send(''), CHECK_MS);
    const deadline = setTimeout(() => answer.reject(new Error('the process did not answer in time')), leftMs);
    const leave = () => answer.reject(signal?.reason);
    signal?.addEventListener('abort', leave);
    this.#open.set(id, answer);
    void send(writeQuestion({ id, from: processId, kind, idsMax, leftMs, question }));
    try {
      return await answer.promise;
    } finally {
      clearInterval(checks);
      clearTimeout(deadline);
      signal?.removeEventListener('abort', leave);
      this.#open.delete(id);
    }
  }

  [Symbol.dispose](): void {
    this.#failAll('this process is ending');
  }

  #failAll(reason: string): void {
    for (const answer of this.#open.values()) answer.reject(new Error(reason));
  }

  #receive(bytes: Buffer): void {
    const message = bytes.length === 0 ? null : readMessage(bytes);
    if (message === null) return;
    if (!('kind' in message)) void this.#settle(message);
    else if (message.from === '') this.#heard.get(message.kind)?.(message.question);
    else void this.#answer(message);
  }

  /** Late answers are dropped. */
  async #settle(message: AnswerMessage): Promise<void> {
    const asked = this.#open.get(message.id);
    if (asked === undefined) return;
    if ('problem' in message) return asked.reject(toProblem(message.problem));
    const { head, idCount, idBytes } = message;
    if (idBytes.length > SHORT_IDS_MAX * ID_BYTES) await this.#longLists.next();
    // A copy in aligned memory, as typed arrays need it.
    const ids = new BigUint64Array(Math.floor(idBytes.length / ID_BYTES));
    idBytes.copy(new Uint8Array(ids.buffer));
    asked.resolve({ summary: head, idCount, ids });
  }

  /** Never rejects. */
  async #answer({ id, from, kind, idsMax, leftMs, question }: QuestionMessage): Promise<void> {
    const { channels, log, unsentBytesMax, answerMs } = this.#options;
    const late = new AbortController();
    const deadline = setTimeout(() => late.abort(), Math.min(leftMs ?? answerMs, answerMs));
    const refuse = (problem: Problem) => channels.send(from, writeProblem(id, problem));
    try {
      const work = this.#kinds.get(kind);
      if (work === undefined) throw new Problem('bad_request');
      if (idsMax > SHORT_IDS_MAX) await this.#longLists.next(late.signal);
      const { summary, ids } = await work(question, late.signal);
      if (channels.unsentBytes > unsentBytesMax) throw new Problem('busy', { retryAfterSeconds: 1 });
      const idCount = ids?.length ?? 0;
      const isWhole = idCount <= idsMax;
      const message = writeAnswer(
        { id, head: summary, idCount },
        isWhole ? (ids?.toBigUint64Array() ?? null) : null,
      );
      await channels.send(from, message).catch(async (cause: unknown) => {
        // Some plans of managed Redis refuse long messages. If Redis drops the connection over one, it is back by then.
        if (!(cause instanceof Error && cause.message.startsWith('ERR '))) return;
        await delay(CHECK_MS);
        await refuse(new Problem('busy/list', { field: 'limit', retryAfterSeconds: 1 }));
      });
    } catch (err) {
      if (late.signal.aborted) return;
      const problem = Problem.from(err);
      if (problem.code === 'internal') log.error({ err }, 'a question of another process failed');
      await refuse(problem).catch(() => undefined);
    } finally {
      clearTimeout(deadline);
    }
  }
}
