import type { Log } from '../telemetry/log.ts';
import type { MemberDirectory, RoleListing } from '../members/member-directory.ts';
import { Problem } from '../problem.ts';
import { inboxChannel } from './channels.ts';
import { encodeFrame } from './frame.ts';
import {
  toProblemMessage,
  type DropMessage,
  type ListingMessage,
  type PieceMessage,
  type PullMessage,
  type Question,
} from './messages.ts';
import type { RedisBus } from './redis-bus.ts';
import { PIECE_BYTES_MAX, WHOLE_BYTES_MAX, type TransferLimits } from './transfer-limits.ts';

export interface OwnerAnswersOptions {
  readonly bus: RedisBus;
  readonly processId: string;
  readonly members: MemberDirectory;
  readonly limits: TransferLimits;
  readonly log: Log;
}

interface Sending {
  readonly inbox: string;
  readonly id: string;
  readonly pieces: Iterator<Uint8Array, void>;
  /** Pieces taken so far, and bytes that are left. */
  taken: number;
  bytesLeft: number;
  timer: NodeJS.Timeout;
}

/** Answers other processes from the lists of this one. */
export class OwnerAnswers {
  readonly #options: OwnerAnswersOptions;
  /** Long lists that who asked has not got completely yet. */
  readonly #sending = new Map<string, Sending>();
  #closed = false;

  constructor(options: OwnerAnswersOptions) {
    this.#options = options;
  }

  /** Never rejects: who is not answered gives up by itself. */
  async answer(question: Question): Promise<void> {
    const { id, from, query } = question;
    const { bus, members, log } = this.#options;
    let message: Buffer;
    try {
      message = this.#encode(question, await members.find(query, new AbortController().signal));
    } catch (error) {
      if (!(error instanceof Problem)) log.error({ err: error }, 'a question of another process failed');
      const problem = error instanceof Problem ? error : new Problem('internal');
      message = encodeFrame(toProblemMessage(id, problem));
    }
    await bus.publish(inboxChannel(from), message).catch(() => undefined);
  }

  /** Sends as many more pieces as there is room for at the other side. */
  async send({ id, from, pieces }: PullMessage): Promise<void> {
    const sending = this.#sending.get(keyOf(from, id));
    if (sending === undefined) return;
    sending.timer.refresh();
    const sent: Promise<number>[] = [];
    for (let left = pieces; left > 0 && sending.bytesLeft > 0; left -= 1) {
      const next = sending.pieces.next();
      if (next.done === true) break;
      const head: PieceMessage = { kind: 'piece', id, number: sending.taken };
      sending.taken += 1;
      sending.bytesLeft -= next.value.length;
      sent.push(this.#options.bus.publish(sending.inbox, encodeFrame(head, [next.value])));
    }
    if (sending.bytesLeft === 0) {
      // Taken to its very end, a list is kept for the next one who asks.
      sending.pieces.next();
      this.#forget(keyOf(from, id));
    }
    // A piece that is lost is missed by the other side.
    await Promise.allSettled(sent);
  }

  drop({ id, from }: DropMessage): void {
    this.#forget(keyOf(from, id));
  }

  close(): void {
    this.#closed = true;
    for (const key of this.#sending.keys()) this.#forget(key);
  }

  /** Without an `await`: what the list shows is fixed only within the turn in which it came. */
  #encode({ id, from, knownVersion }: Question, listing: RoleListing): Buffer {
    const { processId, limits } = this.#options;
    const { count, returned, nextAfter, asOf, version, members } = listing;
    const head: ListingMessage = {
      kind: 'listing',
      id,
      from: processId,
      count,
      returned,
      nextAfter,
      asOf,
      version,
      byteLength: members.jsonByteLength,
      isUnchanged: version === knownVersion,
    };
    if (head.isUnchanged) return encodeFrame(head);
    if (members.jsonByteLength <= WHOLE_BYTES_MAX) return encodeFrame(head, [...members.jsonBytes()]);
    if (this.#sending.size >= limits.sendingMax || this.#closed) {
      throw new Problem('busy', { retryAfterSeconds: 1 });
    }
    const key = keyOf(from, id);
    this.#sending.set(key, {
      inbox: inboxChannel(from),
      id,
      pieces: begin(members.jsonBytes()),
      taken: 0,
      bytesLeft: members.jsonByteLength,
      timer: setTimeout(() => this.#forget(key), limits.idleMs).unref(),
    });
    return encodeFrame(head);
  }

  #forget(key: string): void {
    const sending = this.#sending.get(key);
    if (sending === undefined) return;
    clearTimeout(sending.timer);
    this.#sending.delete(key);
  }
}

function keyOf(from: string, id: string): string {
  return `${from}/${id}`;
}

/** Pieces of a size that suits messages, the first of them taken now. */
function begin(pieces: Iterable<Uint8Array>): Iterator<Uint8Array, void> {
  const iterator = pieces[Symbol.iterator]();
  const first = iterator.next();
  return (function* () {
    for (let next = first; next.done !== true; next = iterator.next()) {
      for (let at = 0; at < next.value.length; at += PIECE_BYTES_MAX) {
        yield next.value.subarray(at, at + PIECE_BYTES_MAX);
      }
    }
  })();
}
