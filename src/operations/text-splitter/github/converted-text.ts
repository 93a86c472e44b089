import { Problem } from '../../../problem.ts';
import type { Point } from './block.ts';

/** A converted text may be this much longer than its source. */
const GROWTH_MAX = 4;
const GROWTH_UNITS = 65_536;

/** A stretch that must stay in one chunk. */
export interface Solid {
  readonly start: number;
  readonly end: number;
}

/** A point of the source, and where it is in the converted text. */
export interface WrittenPoint extends Point {
  readonly offset: number;
  /** Ends the text if it is cut there: the end of a block of code. */
  readonly closing: string;
  /** Marks before it cannot pair with any that come after it. */
  readonly isDecided: boolean;
}

/** Collects the lines of the converted text. */
export class ConvertedText {
  readonly solids: Solid[] = [];
  readonly points: WrittenPoint[] = [];
  readonly #lengthMax: number;
  #parts: string[] = [];
  #length = 0;
  #isLastBlank = true;
  /** The next blank lines were beside something that is gone. */
  #skipsBlank = true;
  /** Marks without a partner came after the last blank line: Discord may find them one further on. */
  #isLoose = false;

  constructor(sourceLength: number) {
    this.#lengthMax = sourceLength * GROWTH_MAX + GROWTH_UNITS;
  }

  /** Where the next line begins. */
  get length(): number {
    return this.#length;
  }

  /** @throws Problem text_too_long */
  addLine(line: string): void {
    this.#length += line.length + 1;
    if (this.#length > this.#lengthMax) {
      throw new Problem('text_too_long', {
        error: 'The converted text is more than four times as long as the text.',
        field: 'text',
        hint: 'Send the text in parts, or tables as tables=list.',
      });
    }
    this.#parts.push(line);
    this.#isLastBlank = line === '' || line === '> ';
    this.#skipsBlank = false;
  }

  addBlank(isQuoted: boolean): void {
    if (this.#skipsBlank && this.#isLastBlank) return;
    const skips = this.#skipsBlank;
    this.addLine(isQuoted ? '> ' : '');
    this.#skipsBlank = skips;
    this.#isLoose = false;
  }

  /** The next line has marks without a partner. */
  addLoose(): void {
    this.#isLoose = true;
  }

  addPoint(point: Point, closing = ''): void {
    this.points.push({ ...point, offset: this.#length, closing, isDecided: !this.#isLoose });
  }

  /** Something is gone: the blank lines round it become one. */
  addGap(): void {
    this.#skipsBlank = true;
  }

  toString(): string {
    return this.#parts.join('\n');
  }
}
