import type { RoleListing } from '../members/member-directory.ts';
import type { RoleQuestion } from '../members/role-question.ts';
import { inboxChannel } from './channels.ts';
import { encodeFrame } from './frame.ts';
import { HeldLists } from './held-lists.ts';
import { KeptLists } from './kept-lists.ts';
import {
  fromProblemMessage,
  type DropMessage,
  type ListingMessage,
  type PieceMessage,
  type ProblemMessage,
  type PullMessage,
  type Question,
} from './messages.ts';
import { OpenQuestion } from './open-question.ts';
import { Places } from './places.ts';
import { ReceivedIds } from './received-ids.ts';
import type { RedisBus } from './redis-bus.ts';
import type { TransferLimits } from './transfer-limits.ts';
import { shardIsAway, tooManyQuestions } from './unavailable.ts';

export interface OwnerQuestionsOptions {
  readonly bus: RedisBus;
  readonly processId: string;
  readonly limits: TransferLimits;
}

/** Asks the processes that hold a shard. */
export class OwnerQuestions {
  readonly #options: OwnerQuestionsOptions;
  readonly #open = new Map<string, OpenQuestion>();
  readonly #places: Places;
  readonly #kept: KeptLists;
  readonly #held: HeldLists;
  /** Long lists that are on their way, by question and version. */
  readonly #receiving = new Map<string, Promise<ReceivedIds | null>>();
  #lastId = 0;

  constructor(options: OwnerQuestionsOptions) {
    const { transfersMax, keptBytesMax, idleMs } = options.limits;
    this.#options = options;
    this.#places = new Places(transfersMax);
    this.#kept = new KeptLists(keptBytesMax);
    this.#held = new HeldLists(idleMs);
  }

  get open(): number {
    return this.#open.size;
  }

  /** Long lists that callers may still be reading. */
  get heldBytes(): number {
    return this.#held.byteLength;
  }

  /** Long lists that are kept for the next who asks. */
  get keptBytes(): number {
    return this.#kept.byteLength;
  }

  /**
   * @param channel where the owner of a shard listens
   * @param signal aborts when the answer is no longer needed, also after it was given: till then it counts as held
   * @returns null when nobody listens
   * @throws Problem of the owner, `member_list_unavailable` (no answer in time), `busy`; Error when Redis is away
   */
  async ask(channel: string, query: RoleQuestion, signal: AbortSignal): Promise<RoleListing | null> {
    const { bus, processId, limits } = this.#options;
    signal.throwIfAborted();
    if (this.#open.size >= limits.questionsMax) throw tooManyQuestions();
    const key = JSON.stringify(query);
    const kept = query.kind === 'counts' || query.countOnly ? null : this.#kept.get(key);
    this.#lastId += 1;
    const question = new OpenQuestion(String(this.#lastId), kept);
    this.#open.set(question.id, question);
    const onAbort = () => question.fail(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const late = setTimeout(() => question.fail(shardIsAway('no answer in time')), limits.answerMs);
    try {
      const message: Question = {
        kind: 'question',
        id: question.id,
        from: processId,
        query,
        knownVersion: kept?.version ?? null,
      };
      const receivers = await bus.publish(channel, encodeFrame(message));
      if (receivers === 0) return null;
      question.setReceivers(receivers);
      const incoming = await question.began();
      clearTimeout(late);
      const { head } = incoming;
      let { members } = incoming;
      if (members === null) {
        members = await this.#receiveOnce(`${key}/${head.version}`, question, head, signal);
        this.#kept.set(key, { version: head.version, members });
      } else if (head.isUnchanged) this.#held.hold(members, signal);
      const { count, returned, nextAfter, asOf, version } = head;
      return { pending: false, count, returned, nextAfter, asOf, version, members };
    } finally {
      clearTimeout(late);
      signal.removeEventListener('abort', onAbort);
      this.#open.delete(question.id);
    }
  }

  takeListing(head: ListingMessage, body: Uint8Array): void {
    const isWanted = this.#open.get(head.id)?.takeListing(head, body) ?? false;
    if (!isWanted && !head.isUnchanged && body.length < head.byteLength) this.#sendDrop(head);
  }

  takeProblem(message: ProblemMessage): void {
    this.#open.get(message.id)?.takeProblem(fromProblemMessage(message));
  }

  takePiece({ id, number }: PieceMessage, body: Uint8Array): void {
    this.#open.get(id)?.takePiece(number, body);
  }

  /** Many who ask at once for a list that has changed get it from one transfer. */
  async #receiveOnce(
    key: string,
    question: OpenQuestion,
    head: ListingMessage,
    signal: AbortSignal,
  ): Promise<ReceivedIds> {
    for (;;) {
      const others = this.#receiving.get(key);
      if (others === undefined) break;
      const members = await others;
      signal.throwIfAborted();
      if (members === null) continue;
      this.#sendDrop(head);
      this.#held.hold(members, signal);
      return members;
    }
    const receiving = this.#receive(question, head, signal);
    this.#receiving.set(
      key,
      receiving.catch(() => null).finally(() => this.#receiving.delete(key)),
    );
    return receiving;
  }

  async #receive(question: OpenQuestion, head: ListingMessage, signal: AbortSignal): Promise<ReceivedIds> {
    const { heldBytesMax, pieceMs } = this.#options.limits;
    if (this.heldBytes > 0 && this.heldBytes + head.byteLength > heldBytesMax) {
      this.#sendDrop(head);
      throw tooManyQuestions();
    }
    const bytes = Buffer.allocUnsafeSlow(head.byteLength);
    const members = new ReceivedIds(bytes);
    const release = this.#held.hold(members, signal);
    try {
      using _place = await this.#places.take(AbortSignal.any([signal, AbortSignal.timeout(pieceMs)]));
      await question.receive(bytes, (pieces) => this.#sendPull(question, head, pieces), pieceMs);
      return members;
    } catch (error) {
      release();
      this.#sendDrop(head);
      throw isTimeout(error) ? tooManyQuestions() : error;
    }
  }

  #sendPull(question: OpenQuestion, head: ListingMessage, pieces: number): void {
    const { bus, processId } = this.#options;
    const message: PullMessage = { kind: 'pull', id: head.id, from: processId, pieces };
    bus.publish(inboxChannel(head.from), encodeFrame(message)).catch((error: unknown) => {
      question.fail(shardIsAway(error));
    });
  }

  #sendDrop(head: ListingMessage): void {
    const { bus, processId } = this.#options;
    const message: DropMessage = { kind: 'drop', id: head.id, from: processId };
    // Without it the owner forgets the list a little later.
    bus.publish(inboxChannel(head.from), encodeFrame(message)).catch(() => undefined);
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}
