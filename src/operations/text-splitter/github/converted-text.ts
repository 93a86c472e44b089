import { Problem } from '../../../problem.ts';

/** A converted text may be so much longer than its source. */
const GROWTH_MAX = 4;
const GROWTH_UNITS = 65_536;

/** A stretch that is to stay in one chunk. */
export interface Solid {
  readonly start: number;
  readonly end: number;
}

/** Collects the lines of the converted text. */
export class ConvertedText {
  readonly solids: Solid[] = [];
  readonly #lengthMax: number;
  #parts: string[] = [];
  #length = 0;
  #isLastBlank = true;
  /** Blank lines that come next were beside something that is gone. */
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
  }

  /** Something is gone: what blank lines there are round it become one. */
  addGap(): void {
    this.#skipsBlank = true;
  }

  toString(): string {
    return this.#parts.join('\n');
  }
}
