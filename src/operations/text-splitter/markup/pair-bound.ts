import { PIPE, SPACE } from '../chars/char-class.ts';

/** A line break, and after it a line with only white space or the mark of a quote. */
const BLANK_LINE = /\n[ \t\r]*(?:>[ \t\r]*)?\n/g;

/**
 * Decides which marks an author can have meant as a pair. Bots join texts that were never one message, so a mark that is
 * alone in its paragraph must not pair with one far away and style all text between them.
 */
export class PairBound {
  readonly #text: string;
  /** Largest distance from the start of the opening to the end of the closing mark. */
  readonly lengthMax: number;
  /** The line of the last pair, cached because most pairs are within one line. */
  #lineFrom = 0;
  #lineEnd = 0;
  #searchedFrom = Infinity;
  #blankLine = -1;

  constructor(text: string, lengthMax: number) {
    this.#text = text;
    this.lengthMax = lengthMax;
  }

  /** True when marks at `start` and before `end` may pair. Fast only while `start` ascends. */
  allows(start: number, end: number): boolean {
    if (end - start > this.lengthMax) return false;
    if (start < this.#lineFrom || start >= this.#lineEnd) {
      const lineEnd = this.#text.indexOf('\n', start);
      this.#lineFrom = start;
      this.#lineEnd = lineEnd < 0 ? Infinity : lineEnd;
    }
    if (end <= this.#lineEnd) return true;
    if (this.#nextBlankLine(start) >= end) return true;
    return (
      this.#text.charCodeAt(start) === PIPE &&
      !(this.#hasSpacesAround(start) && this.#hasSpacesAround(end - 2))
    );
  }

  /** The line break just before the first blank line after `at`, or Infinity. */
  #nextBlankLine(at: number): number {
    if (at >= this.#searchedFrom && at <= this.#blankLine) return this.#blankLine;
    BLANK_LINE.lastIndex = at;
    const found = BLANK_LINE.exec(this.#text);
    this.#searchedFrom = at;
    this.#blankLine = found?.index ?? Infinity;
    return this.#blankLine;
  }

  /** True for an operator in prose or code: `a || b`. */
  #hasSpacesAround(pipes: number): boolean {
    return isSpace(this.#text.charCodeAt(pipes - 1)) && isSpace(this.#text.charCodeAt(pipes + 2));
  }
}

function isSpace(unit: number): boolean {
  return unit === SPACE || unit === 0x09;
}
