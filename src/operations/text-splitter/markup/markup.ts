import { PIPE, STAR, TILDE, UNDERSCORE } from '../chars/char-class.ts';
import { IntList } from './int-list.ts';

/** What a token is. Tokens are kept whole as long as they fit a chunk. */
export const TOKEN = {
  /** A mention, custom emoji, timestamp, guild navigation, or `<url>`. */
  angle: 0,
  url: 1,
  link: 2,
  /** Inline code; also a code block that opens and closes on one line. */
  code: 3,
  fence: 4,
} as const;

/** `> ` quotes run over neighbouring lines, `>>> ` quotes to the end of the text. */
export const QUOTE = { none: 0, line: 1, rest: 2 } as const;

/**
 * Tokens in the order of the text, as columns: a megabyte can hold hundreds of thousands of them.
 * `body*`, `run` and `language` mean something for code and fences only.
 */
export class Tokens {
  readonly kind = new IntList();
  readonly start = new IntList();
  readonly end = new IntList();
  /** Number of back-ticks or tildes that open it. */
  readonly run = new IntList();
  /** A fence can be cut at line breaks within `bodyStart … bodyEnd`, inline code anywhere. */
  readonly bodyStart = new IntList();
  readonly bodyEnd = new IntList();
  /** What to write behind the run when a fence is opened again. */
  readonly language = new Map<number, string>();

  get count(): number {
    return this.kind.length;
  }

  push(kind: number, start: number, end: number, run = 0, bodyStart = 0, bodyEnd = 0): void {
    this.kind.push(kind);
    this.start.push(start);
    this.end.push(end);
    this.run.push(run);
    this.bodyStart.push(bodyStart);
    this.bodyEnd.push(bodyEnd);
  }

  /** Drops all but the first `count`. */
  shorten(count: number): void {
    for (const column of [this.kind, this.start, this.end, this.run, this.bodyStart, this.bodyEnd]) {
      column.length = count;
    }
  }
}

/** What a run of delimiters can do. */
export const RUN = {
  /** Open and close: it stands in the text. */
  open: 0,
  /** Only close: it stands in a URL. */
  close: 1,
  /** Nothing, but clients that look for the end of a style stumble over it. */
  inToken: 2,
  inCode: 3,
} as const;

/** Runs of one delimiter character, in the order of the text. */
export class DelimiterRuns {
  readonly unit = new IntList();
  readonly start = new IntList();
  readonly length = new IntList();
  /** Where the quote or heading ends that the run stands in: what it opens is closed before. */
  readonly limit = new IntList();
  /** 1 in a quote. */
  readonly isQuoted = new IntList();
  readonly role = new IntList();

  get count(): number {
    return this.unit.length;
  }

  push(unit: number, start: number, length: number, limit: number, isQuoted: boolean, role: number): void {
    this.unit.push(unit);
    this.start.push(start);
    this.length.push(length);
    this.limit.push(limit);
    this.isQuoted.push(isQuoted ? 1 : 0);
    this.role.push(role);
  }

  shorten(count: number): void {
    for (const column of [this.unit, this.start, this.length, this.limit, this.isQuoted, this.role]) {
      column.length = count;
    }
  }
}

/** The marks of one and of two characters, by the code of the character. */
const MARK_NAMES: readonly [Readonly<Record<number, string>>, Readonly<Record<number, string>>] = [
  { [STAR]: '*', [UNDERSCORE]: '_' },
  { [STAR]: '**', [UNDERSCORE]: '__', [TILDE]: '~~', [PIPE]: '||' },
];

/** Opening and closing marks of the styles that pair, in the order of the text. */
export class Marks {
  readonly start = new IntList();
  /** Units; negative for a closing mark. */
  readonly length = new IntList();
  /** 1 in a quote. */
  readonly isQuoted = new IntList();

  push(start: number, length: number, isQuoted: number): void {
    this.start.push(start);
    this.length.push(length);
    this.isQuoted.push(isQuoted);
  }

  /** An opening mark as it is written. */
  nameAt(text: string, mark: number): string {
    const unit = text.charCodeAt(this.start.at(mark));
    return MARK_NAMES[this.length.at(mark) === 1 ? 0 : 1][unit] ?? '';
  }
}

/**
 * Stretches that hold something that could be read in two ways (`_a <:b_c:1> d_`): they are not cut when they fit
 * a chunk, so that every reading finds them whole. In the order of their start; they can overlap.
 */
export class Doubts {
  readonly start = new IntList();
  readonly end = new IntList();

  push(start: number, end: number): void {
    this.start.push(start);
    this.end.push(end);
  }
}

export interface Markup {
  readonly tokens: Tokens;
  readonly marks: Marks;
  readonly doubts: Doubts;
  /** True when the text has no markup, and no character that needs a closer look. */
  readonly isPlain: boolean;
}

export function emptyMarkup(isPlain = false): Markup {
  return { tokens: new Tokens(), marks: new Marks(), doubts: new Doubts(), isPlain };
}
