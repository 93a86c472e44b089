import { AnswerError } from './answer-head.ts';

/** Of the line before a chunk: 16 digits, and room for an extension, of which nobody makes use. */
const LINE_BYTES_MAX = 256;
const SIZE_LINE = /^([\dA-Fa-f]+)(?:;[\t\x20-\x7e\x80-\xff]*)?$/;
const LINE_FEED = 0x0a;

/** Takes the chunks of a body apart (RFC 9112, section 7.1), however the pieces are cut in which they arrive. */
export class ChunkedBody {
  readonly #trailerBytesMax: number;
  /** Bytes that are left of the chunk. */
  #left = 0;
  #next: 'size' | 'end of chunk' | 'trailer' | 'nothing' = 'size';
  /** The part of a line that is here. */
  #line = '';
  #trailerBytes = 0;

  /** @param trailerBytesMax what may come after the last chunk, all of which is dropped */
  constructor(trailerBytesMax: number) {
    this.#trailerBytesMax = trailerBytesMax;
  }

  /** Whether the last chunk and what follows it was there. */
  get isComplete(): boolean {
    return this.#next === 'nothing';
  }

  /**
   * The parts of a piece that belong to the body, in order.
   * @throws AnswerError
   */
  *partsOf(piece: Buffer): Generator<Buffer, void> {
    for (let at = 0; at < piece.length && !this.isComplete;) {
      if (this.#left > 0) {
        const part = piece.subarray(at, at + this.#left);
        this.#left -= part.length;
        at += part.length;
        yield part;
      } else {
        at = this.#readLine(piece, at);
      }
    }
  }

  /** @returns where the rest of the piece begins */
  #readLine(piece: Buffer, at: number): number {
    const feed = piece.indexOf(LINE_FEED, at);
    const end = feed === -1 ? piece.length : feed + 1;
    const bytesMax = this.#next === 'trailer' ? this.#trailerBytesMax : LINE_BYTES_MAX;
    if (this.#line.length + end - at > bytesMax) throw new AnswerError('BAD_CHUNK');
    this.#line += piece.toString('latin1', at, end);
    if (feed === -1) return end;
    if (!this.#line.endsWith('\r\n')) throw new AnswerError('BAD_CHUNK');
    this.#takeLine(this.#line.slice(0, -2));
    this.#line = '';
    return end;
  }

  #takeLine(line: string): void {
    if (this.#next === 'size') {
      const size = SIZE_LINE.exec(line)?.[1];
      if (size === undefined) throw new AnswerError('BAD_CHUNK');
      this.#left = parseInt(size, 16);
      this.#next = this.#left === 0 ? 'trailer' : 'end of chunk';
    } else if (this.#next === 'end of chunk') {
      if (line !== '') throw new AnswerError('BAD_CHUNK');
      this.#next = 'size';
    } else {
      this.#trailerBytes += line.length + 2;
      if (this.#trailerBytes > this.#trailerBytesMax) throw new AnswerError('BAD_CHUNK');
      if (line === '') this.#next = 'nothing';
    }
  }
}
