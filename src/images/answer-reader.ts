import { Problem } from '../problem.ts';
import { AnswerError, bodyEndOf, readAnswerHead, type AnswerHead, type BodyEnd } from './answer-head.ts';
import { ChunkedBody } from './chunked-body.ts';
import type { ImageBytes } from './image-bytes.ts';
import type { ImageFetchLimits } from './image-fetch-limits.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const HEAD_START = 'HTTP/1.';
const HEAD_END = '\r\n\r\n';

type ReaderLimits = Pick<ImageFetchLimits, 'bytesMax' | 'headerBytesMax' | 'piecesMax'>;

/** Reads one answer, piece by piece as it arrives, and puts its body where it stays. */
export class AnswerReader {
  readonly #bytes: ImageBytes;
  readonly #limits: ReaderLimits;
  /** As far as they are here, at most one byte more than they may have. */
  #heads = '';
  /** Where the one begins that is not complete. */
  #headAt = 0;
  #end: BodyEnd | null = null;
  readonly #chunks: ChunkedBody;
  #pieces = 0;
  #redirectTo: string | null = null;

  constructor(bytes: ImageBytes, limits: ReaderLimits) {
    this.#bytes = bytes;
    this.#limits = limits;
    this.#chunks = new ChunkedBody(limits.headerBytesMax);
  }

  /** Where the answer leads, if it is a redirect. */
  get redirectTo(): string | null {
    return this.#redirectTo;
  }

  get isInBody(): boolean {
    return this.#end !== null;
  }

  /** Whether nothing more is needed. */
  get isComplete(): boolean {
    if (this.#redirectTo !== null) return true;
    return this.#end === 'chunks' ? this.#chunks.isComplete : this.#bytes.length === this.#end;
  }

  /** Whether the answer may end with its connection. */
  get endsHere(): boolean {
    return this.#end === 'close';
  }

  /**
   * @param piece may lie in the room of the bytes
   * @throws Problem or AnswerError
   */
  take(piece: Buffer): void {
    if (this.isComplete) return;
    if (this.#end === null) this.#takeHead(piece);
    else this.#takeBody(piece);
  }

  /** Of all provisional answers and the last one together. */
  #takeHead(piece: Buffer): void {
    const { headerBytesMax } = this.#limits;
    const known = this.#heads.length;
    this.#heads += piece.toString('latin1', 0, headerBytesMax + 1 - known);
    while (this.#end === null && this.#redirectTo === null) {
      const end = this.#heads.indexOf(HEAD_END, this.#headAt);
      const read = end === -1 ? this.#heads.length : end + HEAD_END.length;
      if (read > headerBytesMax) throw new AnswerError('BAD_HEAD');
      // Another protocol may never come to an end of its head.
      if (!HEAD_START.startsWith(this.#heads.slice(this.#headAt, this.#headAt + HEAD_START.length))) {
        throw new AnswerError('BAD_HEAD');
      }
      if (end === -1) return;
      const head = readAnswerHead(this.#heads.slice(this.#headAt, end));
      this.#headAt = read;
      if (head.status === 101 || head.status >= 200) this.#judge(head);
    }
    this.take(piece.subarray(this.#headAt - known));
  }

  #judge(head: AnswerHead): void {
    if (REDIRECTS.has(head.status)) {
      const [location, another] = head.valuesOf('location');
      if (location === undefined || another !== undefined) {
        throw failed('The server of the image answered with a redirect to nowhere.');
      }
      this.#redirectTo = location;
      return;
    }
    if (head.status !== 200) throw failed(`The server of the image answered with status ${head.status}.`);
    if (head.valuesOf('content-encoding').some((coding) => coding !== 'identity')) {
      throw failed('The server of the image sent it compressed, unasked.');
    }
    this.#end = bodyEndOf(head);
    if (typeof this.#end === 'number' && this.#end > this.#limits.bytesMax) throw tooLarge();
  }

  #takeBody(piece: Buffer): void {
    if (this.#end === 'chunks') for (const part of this.#chunks.partsOf(piece)) this.#append(part);
    else if (this.#end === 'close') this.#append(piece);
    else if (this.#end !== null) this.#append(piece.subarray(0, this.#end - this.#bytes.length));
  }

  #append(part: Buffer): void {
    this.#pieces += 1;
    if (this.#bytes.length + part.length > this.#limits.bytesMax) throw tooLarge();
    if (this.#pieces > this.#limits.piecesMax) throw failed('The image was sent in too small pieces.');
    this.#bytes.append(part);
  }
}

function tooLarge(): Problem {
  return new Problem('image_too_large');
}

function failed(error: string): Problem {
  return new Problem('image_fetch_failed', { error });
}
