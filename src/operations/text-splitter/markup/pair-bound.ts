import type { Ruler } from '../chars/length-unit.ts';
import { PIPE, SPACE } from '../chars/char-class.ts';
import { FAR } from './int-list.ts';

/** A line break, and behind it a line with nothing but white space or the sign of a quote. */
const BLANK_LINE = /\n[ \t\r]*(?:>[ \t\r]*)?\n/g;

/**
 * Says which pairs of marks an author can have meant. A bot joins texts that nobody ever saw as one message, so a mark
 * that is alone in its paragraph must not pair with one far away and restyle all between.
 */
export class PairBound {
  readonly #text: string;
  readonly #ruler: Ruler;
  readonly #spanMax: number;
  #searchedFrom = FAR;
  #blankLine = -1;

  /** @param spanMax largest distance from the start of the opening to the end of the closing mark, in the ruler's unit */
  constructor(text: string, ruler: Ruler, spanMax: number) {
    this.#text = text;
    this.#ruler = ruler;
    this.#spanMax = spanMax;
  }

  /** Whether marks at `start` and before `end` can belong together; `start` should ascend, or it is slow. */
  allows(start: number, end: number): boolean {
    if (this.#ruler.at(end) - this.#ruler.at(start) > this.#spanMax) return false;
    if (this.#nextBlankLine(start) >= end) return true;
    return this.#text.charCodeAt(start) === PIPE && !(this.#isApart(start) && this.#isApart(end - 2));
  }

  /** The line break after which the first blank line behind `at` comes; FAR when there is none. */
  #nextBlankLine(at: number): number {
    if (at >= this.#searchedFrom && at <= this.#blankLine) return this.#blankLine;
    BLANK_LINE.lastIndex = at;
    const found = BLANK_LINE.exec(this.#text);
    this.#searchedFrom = at;
    this.#blankLine = found?.index ?? FAR;
    return this.#blankLine;
  }

  /** `a || b` is an operator in prose or code, no spoiler. */
  #isApart(bars: number): boolean {
    return isBlank(this.#text.charCodeAt(bars - 1)) && isBlank(this.#text.charCodeAt(bars + 2));
  }
}

function isBlank(unit: number): boolean {
  return unit === SPACE || unit === 0x09;
}
