import { STAR, TILDE, UNDERSCORE } from '../chars/char-class.ts';
import { FAR } from './int-list.ts';
import { IntRecords } from './int-records.ts';

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

const TOKEN_KIND = 0;
const TOKEN_START = 1;
const TOKEN_END = 2;
const TOKEN_RUN = 3;
const BODY_START = 4;
const BODY_END = 5;

/** Tokens in the order of the text. Body, run and language mean something for code and fences only. */
export class Tokens extends IntRecords {
  /** What to write after the run when a fence is opened again. */
  readonly language = new Map<number, string>();

  constructor() {
    super(6);
  }

  override clear(expected: number): void {
    super.clear(expected);
    if (this.language.size > 0) this.language.clear();
  }

  push(kind: number, start: number, end: number, run = 0, bodyStart = 0, bodyEnd = 0): void {
    const token = this.add();
    this.set(token, TOKEN_KIND, kind);
    this.set(token, TOKEN_START, start);
    this.set(token, TOKEN_END, end);
    this.set(token, TOKEN_RUN, run);
    this.set(token, BODY_START, bodyStart);
    this.set(token, BODY_END, bodyEnd);
  }

  kind(token: number): number {
    return this.get(token, TOKEN_KIND);
  }

  start(token: number): number {
    return this.get(token, TOKEN_START);
  }

  end(token: number): number {
    return this.get(token, TOKEN_END);
  }

  /** Number of back-ticks or tildes that open it. */
  run(token: number): number {
    return this.get(token, TOKEN_RUN);
  }

  /** A fence can be cut at line breaks within `bodyStart … bodyEnd`, inline code anywhere. */
  bodyStart(token: number): number {
    return this.get(token, BODY_START);
  }

  bodyEnd(token: number): number {
    return this.get(token, BODY_END);
  }
}

/** What a run of delimiters can do. */
export const RUN = {
  /** Open and close: it is in the text. */
  open: 0,
  /** Only close: it is in a URL. */
  close: 1,
  /** Nothing, but clients that look for the end of a style stumble over it. */
  inToken: 2,
  inCode: 3,
} as const;

const RUN_START = 0;
const RUN_LIMIT = 1;
/** The rest in one number: seven bits for the character, two for the role, one for the quote, and the length. */
const RUN_KIND = 2;
const RUN_ROLE_SHIFT = 7;
const RUN_QUOTE_SHIFT = 9;
const RUN_LENGTH_SHIFT = 10;
/** Longer ones style nothing, so that it does not matter how long they are. */
const RUN_LENGTH_MAX = 1000;

/** Runs of one delimiter character, in the order of the text. */
export class DelimiterRuns extends IntRecords {
  constructor() {
    super(3);
  }

  push(unit: number, start: number, length: number, limit: number, isQuoted: boolean, role: number): void {
    const run = this.add();
    this.set(run, RUN_START, start);
    this.set(run, RUN_LIMIT, limit);
    const kind = unit | (role << RUN_ROLE_SHIFT) | ((isQuoted ? 1 : 0) << RUN_QUOTE_SHIFT);
    this.set(run, RUN_KIND, kind | (Math.min(length, RUN_LENGTH_MAX) << RUN_LENGTH_SHIFT));
  }

  unit(run: number): number {
    return this.get(run, RUN_KIND) & 0x7f;
  }

  start(run: number): number {
    return this.get(run, RUN_START);
  }

  length(run: number): number {
    return this.get(run, RUN_KIND) >> RUN_LENGTH_SHIFT;
  }

  end(run: number): number {
    return this.start(run) + this.length(run);
  }

  /** Where the quote or heading of the run ends: what it opens is closed before that. */
  limit(run: number): number {
    return this.get(run, RUN_LIMIT);
  }

  isQuoted(run: number): boolean {
    return ((this.get(run, RUN_KIND) >> RUN_QUOTE_SHIFT) & 1) === 1;
  }

  role(run: number): number {
    return (this.get(run, RUN_KIND) >> RUN_ROLE_SHIFT) & 3;
  }
}

/** The marks of two characters. */
function nameOfDouble(unit: number): string {
  if (unit === STAR) return '**';
  if (unit === UNDERSCORE) return '__';
  return unit === TILDE ? '~~' : '||';
}

const MARK_START = 0;
const MARK_LENGTH = 1;
const MARK_IS_QUOTED = 2;

/** Opening and closing marks of the styles that pair, in the order of the text. */
export class Marks extends IntRecords {
  constructor() {
    super(3);
  }

  push(start: number, length: number, isQuoted: boolean): void {
    const mark = this.add();
    this.set(mark, MARK_START, start);
    this.set(mark, MARK_LENGTH, length);
    this.set(mark, MARK_IS_QUOTED, isQuoted ? 1 : 0);
  }

  start(mark: number): number {
    return this.get(mark, MARK_START);
  }

  /** Units; negative for a closing mark. */
  length(mark: number): number {
    return this.get(mark, MARK_LENGTH);
  }

  isQuoted(mark: number): boolean {
    return this.get(mark, MARK_IS_QUOTED) === 1;
  }

  /** An opening mark as it is written. */
  nameAt(text: string, mark: number): string {
    const unit = text.charCodeAt(this.start(mark));
    if (this.length(mark) === 2) return nameOfDouble(unit);
    return unit === STAR ? '*' : '_';
  }
}

/**
 * Stretches that hold something that could be read in two ways (`_a <:b_c:1> d_`): they are not cut when they fit
 * a chunk, so that every reading finds them whole. In the order of their start; they can overlap.
 */
export class Doubts extends IntRecords {
  constructor() {
    super(2);
  }

  push(start: number, end: number): void {
    const doubt = this.add();
    this.set(doubt, 0, start);
    this.set(doubt, 1, end);
  }

  start(doubt: number): number {
    return this.get(doubt, 0);
  }

  end(doubt: number): number {
    return this.get(doubt, 1);
  }
}

export interface Markup {
  readonly tokens: Tokens;
  readonly marks: Marks;
  readonly doubts: Doubts;
  /** Where the first fence begins that the text that comes next may close or undo; FAR if there is none. */
  readonly openFence: number;
}

export function emptyMarkup(): Markup {
  return { tokens: new Tokens(), marks: new Marks(), doubts: new Doubts(), openFence: FAR };
}
