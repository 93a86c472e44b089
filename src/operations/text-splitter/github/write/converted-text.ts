import { Problem } from '../../../../problem.ts';
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

/** A point of the source, and where it is in the converted text. */
export interface WrittenPoint extends Point {
  readonly offset: number;
  /** Ends the text if it is cut there: the end of a block of code. */
  readonly closing: string;
}

export function textTooLong(): Problem {
  return new Problem('text_too_long', {
    error: 'The converted text is more than four times as long as the text.',
    field: 'text',
    hint: 'Send the text in parts, or tables as tables=list.',
  });
}

/** Collects the lines of the converted text. */
export class ConvertedText {
  readonly solids: Solid[] = [];
  readonly points: WrittenPoint[] = [];
  readonly turn = new Turn();
  readonly #lengthMax: number;
  /** Lines that are joined already, so that not all of them are at once. */
  readonly #parts: string[] = [];
  #lines: string[] = [];
  #length = 0;
  #isLastBlank = true;
  /** Quoted lines with nothing in them, which are written when the quote goes on. */
  #quotedBlanks = 0;
  /** The next blank lines were beside something that is gone. */
  #skipsBlank = true;

  constructor(sourceLength: number) {
    this.#lengthMax = sourceLength * GROWTH_MAX + GROWTH_UNITS;
  }

  /** Where the next line begins. */
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

  /** How much more may be written. What grows as it is written is measured against it before it is a line. */
  get room(): number {
    return this.#lengthMax - this.#length;
  }

  addPoint(point: Point, closing = ''): void {
    this.points.push({ ...point, offset: this.#length, closing });
  }

  /** Something is gone: the blank lines round it become one. */
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
