import { type Boundaries, FIRST_JOINING_UNIT } from '../chars/boundaries.ts';
import { NEWLINE, standsAlone } from '../chars/char-class.ts';
import { isBlock, type LineMarks, NO_LINE_MARKS, readLineMarks } from '../markup/line-start.ts';
import type { CodeToken, Markup, Token } from '../markup/markup.ts';
import { COST, type CutKind } from './costs.ts';
import type { Reopening, MarkupReopener, Styles } from './reopen-markup.ts';

/** Levels of the search for cuts. Each finer level also cuts parts of the text that the one before keeps whole. */
export const LEVEL = {
  natural: 0,
  /** Also between the words of table rows, code lines and inline code, next to tokens, and after lone markers. */
  words: 1,
  /** Also within words and tokens. */
  clusters: 2,
  /** Between any two code points. */
  codePoints: 3,
} as const;

/** Options that are the same for all walks over a text. */
export interface WalkOptions {
  readonly text: string;
  readonly markup: Markup;
  readonly clusters: Boundaries;
  readonly words: Boundaries;
  readonly reopener: MarkupReopener;
  /** Largest length of a chunk, without the additions to each chunk. */
  readonly capacity: number;
  /** False skips the starts of lines, because plain text has no quotes, headings and lists. */
  readonly readsLines: boolean;
  /** null when lines do not count. */
  readonly lines: LineCount | null;
}

export interface LineCount {
  /** The number of line breaks up to a position. */
  at(position: number): number;
  /** The number of lines added before a chunk that begins with `body`, and after one that ends with it. */
  before(body: string): number;
  after(body: string, isLast: boolean): number;
}

/** A position in the text, and the state there that decides about a cut. */
export interface Position {
  at: number;
  /** Indexes of the next token, or the one at this position, and of the next style that opens. */
  token: number;
  style: number;
  styles: Styles;
  lineMarks: LineMarks;
  lineStart: number;
  /** False right after an opening mark, where a cut would leave an empty pair. */
  hasContent: boolean;
  /** True in a `>>> ` quote, which continues to the end of the text. */
  inMultilineQuote: boolean;
  /** The reopening within the line, until styles or the line change. */
  reopening: Reopening | null;
}

/** @param at start of a line, without open markup */
export function startAt(at: number): Position {
  return {
    at,
    token: 0,
    style: 0,
    styles: null,
    lineMarks: NO_LINE_MARKS,
    lineStart: at,
    hasContent: true,
    inMultilineQuote: false,
    reopening: null,
  };
}

/** A walk over the text at one level. Only this class writes its position. The walkers ask it to move. */
export class TextWalk {
  readonly options: WalkOptions;
  readonly text: string;
  readonly level: number;
  readonly #here: Position;

  constructor(options: WalkOptions, level: number, from: Readonly<Position>) {
    this.options = options;
    this.text = options.text;
    this.level = level;
    this.#here = { ...from };
  }

  get here(): Readonly<Position> {
    return this.#here;
  }

  /** The next token, or the one that the walk is in, or null. */
  get token(): Token | null {
    return this.options.markup.tokens[this.#here.token] ?? null;
  }

  /** The start of the next mark, or Infinity. */
  get nextMark(): number {
    const { styles, style } = this.#here;
    return Math.min(styles?.close ?? Infinity, this.options.markup.styles[style]?.start ?? Infinity);
  }

  /** Moves over white space. */
  skipTo(at: number): void {
    this.#here.at = at;
  }

  /** Moves over text. */
  passTo(at: number): void {
    this.#here.at = at;
    this.#here.hasContent = true;
  }

  /** Moves over the next mark, which opens a style. */
  openStyle(): void {
    const here = this.#here;
    const style = this.options.markup.styles[here.style];
    if (style === undefined) return;
    const { mark, start, close } = style;
    const isQuoted = here.inMultilineQuote || here.lineMarks.quote !== 'none';
    const outer = here.styles;
    here.at = start + mark.length;
    here.hasContent = false;
    here.styles = { mark, close, isQuoted, outer, depth: (outer?.depth ?? 0) + 1 };
    here.style += 1;
    here.reopening = null;
  }

  /** Moves over the next mark, which closes the innermost style. */
  closeStyle(): void {
    const { styles } = this.#here;
    if (styles === null) return;
    this.passTo(styles.close + styles.mark.length);
    this.#here.styles = styles.outer;
    this.#here.reopening = null;
  }

  /** Moves past the next token. No line begins after a block of code. */
  passToken(end: number): void {
    const { token } = this;
    this.passTo(end);
    this.#here.token += 1;
    if (token?.kind === 'fence') {
      this.beginLine(token.bodyEnd, { ...NO_LINE_MARKS, quote: this.#here.lineMarks.quote });
    }
  }

  /**
   * Begins another line at `lineStart`.
   * @param lineMarks what its first characters mean
   */
  beginLine(lineStart: number, lineMarks: LineMarks): void {
    this.#here.lineStart = lineStart;
    this.#here.lineMarks = lineMarks;
    if (lineMarks.quote === 'multiline') this.#here.inMultilineQuote = true;
    this.#here.reopening = null;
  }

  /** Moves over marks and tokens without looking at the text between them. */
  leapTo(at: number): void {
    while (this.nextMark < at) {
      if (this.closesAt(this.nextMark)) this.closeStyle();
      else this.openStyle();
    }
    while ((this.token?.end ?? Infinity) <= at) this.#here.token += 1;
    this.#here.at = Math.max(this.#here.at, at);
  }

  /** True when `at` is between two clusters. */
  isClusterBoundary(at: number): boolean {
    const before = this.text.charCodeAt(at - 1);
    const after = this.text.charCodeAt(at);
    if (before < FIRST_JOINING_UNIT && after < FIRST_JOINING_UNIT)
      return before !== 0x0d || after !== NEWLINE;
    // The segmenter is by far the most expensive step of the walk.
    return (standsAlone(before) && standsAlone(after)) || this.options.clusters.has(at);
  }

  /** True when the next mark closes a style at exactly this position. */
  closesAt(position: number): boolean {
    return this.#here.styles?.close === position;
  }

  /** True when a mark that is written at a cut would join its neighbours. */
  isTouching(before: number, after: number): boolean {
    const { styles } = this.#here;
    if (styles === null) return false;
    const unit = styles.mark.charCodeAt(0);
    return before === unit || after === unit;
  }

  /** True when text from within a line would become a quote, heading or list item if a chunk began with it. */
  wouldBeginBlock(at: number): boolean {
    return this.options.readsLines && isBlock(readLineMarks(this.text, at, this.#here.inMultilineQuote));
  }

  /** The cost of a cut within a line here. */
  costOf(kind: CutKind): number {
    const { styles, lineMarks } = this.#here;
    return (
      COST[kind] +
      (styles?.depth ?? 0) * COST.inStyle +
      (lineMarks.heading === '' ? 0 : COST.inHeading) +
      (lineMarks.isTableRow ? COST.inTable : 0)
    );
  }

  /** The reopening of a cut within a line. */
  innerReopening(): Reopening {
    const { styles, lineMarks } = this.#here;
    this.#here.reopening ??= this.options.reopener.make({
      styles,
      quote: this.quote(),
      heading: lineMarks.heading,
      code: null,
      lead: '',
    });
    return this.#here.reopening;
  }

  /**
   * The reopening of a cut in code.
   * @param lead is put before the next chunk's first line of code
   */
  codeReopening({ kind, start, run, bodyStart, language }: CodeToken, lead: string): Reopening {
    const { styles, lineMarks } = this.#here;
    const isFence = kind === 'fence';
    // In mode `code` the fence is not part of the text.
    const isWritten = bodyStart > start;
    const code = {
      run: isWritten ? this.text.slice(start, start + run) : '`'.repeat(run),
      language,
      openingLength: isWritten ? bodyStart - start : run + language.length,
      isFence,
    };
    const heading = isFence ? '' : lineMarks.heading;
    return this.options.reopener.make({ styles, quote: this.quote(), heading, code, lead });
  }

  /** The mark of the quote that must be opened again here, or empty. */
  quote(): string {
    const { inMultilineQuote, lineMarks } = this.#here;
    if (inMultilineQuote) return '>>> ';
    return lineMarks.quote === 'line' ? '> ' : '';
  }
}
