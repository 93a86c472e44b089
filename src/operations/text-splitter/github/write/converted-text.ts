import { Problem } from '../../../../kernel/problem.ts';

/** The longest converted text. */
const LENGTH_MAX = 200_000;

/** A range of the converted text that must stay in one chunk. */
export interface UnbreakableRange {
  readonly start: number;
  readonly end: number;
}

export function textTooLong(): Problem {
  return new Problem('text_too_long/converted', { field: 'text', values: { max: LENGTH_MAX } });
}

/** Collects the lines of the converted text. */
export class ConvertedText {
  readonly unbreakable: UnbreakableRange[] = [];
  readonly #lines: string[] = [];
  #length = 0;
  #isLastBlank = true;
  /** Empty quoted lines, which are written when the quote continues. */
  #quotedBlanks = 0;
  /** True after removed content, where more blank lines are dropped. */
  #skipsBlank = true;

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

  /** The length left for more text. Check a long line against it while the line is written. */
  get lengthLeft(): number {
    return LENGTH_MAX - this.#length;
  }

  /** Marks the position of removed content. The blank lines around it become one. */
  addGap(): void {
    this.#skipsBlank = true;
  }

  #push(line: string): void {
    this.#length += line.length + 1;
    // The line break after the last line is not part of the text.
    if (this.#length > LENGTH_MAX + 1) throw textTooLong();
    this.#lines.push(line);
  }

  toString(): string {
    return this.#lines.join('\n');
  }
}
