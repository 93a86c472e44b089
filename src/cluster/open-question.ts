import type { Problem } from '../problem.ts';
import type { KeptList } from './kept-lists.ts';
import type { ListingMessage } from './messages.ts';
import { ReceivedIds } from './received-ids.ts';
import { WINDOW_PIECES } from './transfer-limits.ts';
import { shardIsAway } from './unavailable.ts';

export interface Incoming {
  readonly head: ListingMessage;
  /** null when the bytes are still with the owner. */
  readonly members: ReceivedIds | null;
}

/** One question to the processes that hold a shard, until it is answered. */
export class OpenQuestion {
  readonly id: string;
  /** The list that is here from before. */
  readonly kept: KeptList | null;
  readonly #began = Promise.withResolvers<Incoming>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #problems: Problem[] = [];
  /** How many were asked; null until Redis has told. */
  #receivers: number | null = null;
  #head: ListingMessage | null = null;
  /** Where pieces are written to: those that arrive share larger buffers with others, which would be kept with them. */
  #bytes: Uint8Array = new Uint8Array(0);
  #end = 0;
  #nextPiece = 0;
  #pull: (pieces: number) => void = () => {};
  #timer: NodeJS.Timeout | null = null;

  constructor(id: string, kept: KeptList | null) {
    this.id = id;
    this.kept = kept;
    // Either may be settled when nobody waits for it.
    this.#began.promise.catch(() => undefined);
    this.#ended.promise.catch(() => undefined);
  }

  /** Resolves with the first answer. @throws Problem when everybody who was asked has one */
  began(): Promise<Incoming> {
    return this.#began.promise;
  }

  setReceivers(count: number): void {
    this.#receivers = count;
    this.#rejectWhenAllRefused();
  }

  takeProblem(problem: Problem): void {
    this.#problems.push(problem);
    this.#rejectWhenAllRefused();
  }

  /** Returns whether it is wanted: of two owners, the first one that answers counts. */
  takeListing(head: ListingMessage, body: Uint8Array): boolean {
    if (this.#head !== null || (head.isUnchanged && head.version !== this.kept?.version)) return false;
    this.#head = head;
    const isWhole = body.length === head.byteLength;
    const members = head.isUnchanged ? this.kept?.members : isWhole ? new ReceivedIds(body) : null;
    this.#began.resolve({ head, members: members ?? null });
    return true;
  }

  takePiece(number: number, body: Uint8Array): void {
    if (number !== this.#nextPiece || this.#end + body.length > this.#bytes.length) {
      this.fail(shardIsAway('a piece of a list is missing'));
      return;
    }
    this.#bytes.set(body, this.#end);
    this.#end += body.length;
    this.#nextPiece += 1;
    this.#timer?.refresh();
    if (this.#end === this.#bytes.length) this.#ended.resolve();
    else if (this.#nextPiece % (WINDOW_PIECES / 2) === 0) this.#pull(WINDOW_PIECES / 2);
  }

  /**
   * Resolves when all pieces are here.
   * @param bytes room for exactly the list
   * @param pull lets the other side send so many more
   * @param pieceMs longest wait for one
   */
  async receive(bytes: Uint8Array, pull: (pieces: number) => void, pieceMs: number): Promise<void> {
    this.#bytes = bytes;
    this.#pull = pull;
    this.#timer = setTimeout(() => this.fail(shardIsAway('a list has stopped')), pieceMs);
    pull(WINDOW_PIECES);
    await this.#ended.promise.finally(() => clearTimeout(this.#timer ?? undefined));
  }

  fail(reason: unknown): void {
    this.#began.reject(reason);
    this.#ended.reject(reason);
  }

  /** One that answers is enough; a problem is passed on when nobody is left who may. */
  #rejectWhenAllRefused(): void {
    if (this.#receivers !== null && this.#problems.length >= this.#receivers) this.fail(this.#problems[0]);
  }
}
