import { Problem } from '../../../../kernel/problem.ts';
import type { Point } from '../read/block.ts';
import { Turn } from '../turn.ts';

/** A converted text may be this much longer than its source. */
const GROWTH_MAX = 4;
const GROWTH_UNITS = 65_536;
const LINES_JOINED = 1_024;

/** A stretch that must stay in one chunk. */
export interface Solid {
  readonly start: number;
  readonly end: number;
}

/** A point of the source, and its place in the converted text. */
export interface WrittenPoint extends Point {
  readonly offset: number;
  /** Ends the text if it is cut there: the end of a block of code. */
  readonly closing: string;
}

export function textTooLong(): Problem {
  return new Problem('text_too_long/converted', { field: 'text' });
}

/** Collects the lines of the converted text. */
export class ConvertedText {
  readonly solids: Solid[] = [];
  readonly points: WrittenPoint[] = [];
  readonly turn = new Turn();
  readonly #lengthMax: number;
  /** Joined lines, so that not all of them are joined at once. */
  readonly #parts: string[] = [];
  #lines: string[] = [];
  #length = 0;
  #isLastBlank = true;
  /** Empty quoted lines. They are written when the quote goes on. */
  #quotedBlanks = 0;
  /** True when the next blank lines are next to something that was removed. */
  #skipsBlank = true;

  constructor(sourceLength: number) {
    this.#lengthMax = sourceLength * GROWTH_MAX + GROWTH_UNITS;
  }

  /** The start of the next line. */
  get length(): number {
    return this.#length;
  }

  /** @throws Problem text_too_long */
  addLine(line: string): void {
    if (line.startsWith('>')) for (; this.#quotedBlanks > 0; this.#quotedBlanks -= 1) this.#push('> ');
    this.#quotedBlanks = 0;
    this.#push(line);
    this.#isLastBlank = line === '';
    this.#skipsBlank = false;
  }

  addBlank(isQuoted: boolean): void {
    if (this.#skipsBlank && this.#isLastBlank && (isQuoted || this.#quotedBlanks === 0)) return;
    if (isQuoted) this.#quotedBlanks += 1;
    else {
      this.#quotedBlanks = 0;
      this.#push('');
    }
    this.#isLastBlank = true;
  }

  /** Room for more text. Text that grows while it is written is measured against it before it becomes a line. */
  get room(): number {
    return this.#lengthMax - this.#length;
  }

  addPoint(point: Point, closing = ''): void {
    this.points.push({ ...point, offset: this.#length, closing });
  }

  /** Something was removed: the blank lines around it become one. */
  addGap(): void {
    this.#skipsBlank = true;
  }

  #push(line: string): void {
    this.#length += line.length + 1;
    if (this.#length > this.#lengthMax) throw textTooLong();
    if (this.#lines.push(line) === LINES_JOINED) this.#join();
  }

  #join(): void {
    this.#parts.push(this.#lines.join('\n'));
    this.#lines = [];
  }

  toString(): string {
    if (this.#lines.length > 0) this.#join();
    return this.#parts.join('\n');
  }
}
