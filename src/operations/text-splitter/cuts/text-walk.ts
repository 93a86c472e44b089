import { type LineStart, NO_LINE } from '../markup/line-start.ts';
import type { Markup, Token } from '../markup/markup.ts';
import { COST, type CutKind } from './costs.ts';
import type { Seam, SeamMaker, Styles } from './seam.ts';

/** Everything at the walk's position that decides about a cut there. */
export interface Position {
  readonly at: number;
  /** Indexes of the next token and of the next style that opens. */
  readonly token: number;
  readonly style: number;
  readonly styles: Styles;
  readonly line: LineStart;
  readonly lineStart: number;
  /** False right after an opening mark: a cut there would leave an empty pair. */
  readonly hasContent: boolean;
  /** In a `>>> ` quote, which goes on to the end of the text. */
  readonly inRest: boolean;
}

/** The position of a walk over the text, the open styles there, and the seam for a cut. */
export class TextWalk {
  readonly text: string;
  readonly markup: Markup;
  readonly #seams: SeamMaker;
  #at: number;
  /** Indexes of the next token and of the next style that opens. */
  #token = 0;
  #style = 0;
  #nextToken: number;
  #nextMark: number;
  #styles: Styles = null;
  #line: LineStart = NO_LINE;
  #lineStart: number;
  #hasContent = true;
  #inRest = false;
  /** The seam within the line, until styles or the line change. */
  #seam: Seam | null = null;

  /** @param from the start of a line */
  constructor(text: string, markup: Markup, seams: SeamMaker, from: number) {
    this.text = text;
    this.markup = markup;
    this.#seams = seams;
    this.#at = from;
    this.#lineStart = from;
    this.#nextToken = markup.tokens[0]?.start ?? Infinity;
    this.#nextMark = markup.styles[0]?.start ?? Infinity;
  }

  get at(): number {
    return this.#at;
  }

  /** The next token, or the one that the walk is in; null when there are no more. */
  get token(): Token | null {
    return this.markup.tokens[this.#token] ?? null;
  }

  get styles(): Styles {
    return this.#styles;
  }

  get line(): LineStart {
    return this.#line;
  }

  get lineStart(): number {
    return this.#lineStart;
  }

  get inRest(): boolean {
    return this.#inRest;
  }

  get hasContent(): boolean {
    return this.#hasContent;
  }

  /** The starts of the next token and the next mark; Infinity when there are no more. */
  get nextToken(): number {
    return this.#nextToken;
  }

  get nextMark(): number {
    return this.#nextMark;
  }

  #goToToken(token: number): void {
    this.#token = token;
    this.#nextToken = this.markup.tokens[token]?.start ?? Infinity;
  }

  /**
   * @param styles open from here on
   * @param next index of the next one that opens
   */
  #goToStyle(styles: Styles, next: number): void {
    this.#styles = styles;
    this.#style = next;
    this.#nextMark = Math.min(styles?.close ?? Infinity, this.markup.styles[next]?.start ?? Infinity);
    this.#seam = null;
  }

  /** Moves over white space. */
  skipTo(at: number): void {
    this.#at = at;
  }

  /** Moves over text. */
  passTo(at: number): void {
    this.#at = at;
    this.#hasContent = true;
  }

  /** Moves over the next mark, which opens a style. */
  openStyle(): void {
    const style = this.markup.styles[this.#style];
    if (style === undefined) return;
    const { mark, start, close } = style;
    const isQuoted = this.#inRest || this.#line.quote !== 'none';
    const outer = this.#styles;
    this.#at = start + mark.length;
    this.#hasContent = false;
    this.#goToStyle({ mark, close, isQuoted, outer, depth: (outer?.depth ?? 0) + 1 }, this.#style + 1);
  }

  /** Moves over the next mark, which closes the innermost style. */
  closeStyle(): void {
    if (this.#styles === null) return;
    const { mark, close, outer } = this.#styles;
    this.#at = close + mark.length;
    this.#hasContent = true;
    this.#goToStyle(outer, this.#style);
  }

  /** Moves past the next token. No line begins after a block of code. */
  passToken(end: number): void {
    const { token } = this;
    this.passTo(end);
    this.#goToToken(this.#token + 1);
    if (token?.kind !== 'fence') return;
    this.#line = { ...NO_LINE, quote: this.#line.quote };
    this.#lineStart = token.bodyEnd;
    this.#seam = null;
  }

  /** True when the next mark closes a style at exactly this place. */
  closesAt(place: number): boolean {
    return this.#styles?.close === place;
  }

  /** True when a mark that is written at a cut would run together with its neighbours. */
  isTouching(before: number, after: number): boolean {
    if (this.#styles === null) return false;
    const unit = this.#styles.mark.charCodeAt(0);
    return before === unit || after === unit;
  }

  /** The cost of a cut within a line here. */
  costOf(kind: CutKind): number {
    return (
      COST[kind] +
      (this.#styles?.depth ?? 0) * COST.inStyle +
      (this.#line.heading === '' ? 0 : COST.inHeading) +
      (this.#line.isTableRow ? COST.inTable : 0)
    );
  }

  /** The seam of a cut within a line. */
  innerSeam(): Seam {
    this.#seam ??= this.#seams.make({
      styles: this.#styles,
      quote: this.quote(),
      heading: this.#line.heading,
      code: null,
      lead: '',
    });
    return this.#seam;
  }

  /** The sign of the quote that has to be opened again here; empty outside of quotes. */
  quote(): string {
    return this.#inRest ? '>>> ' : this.#line.quote === 'line' ? '> ' : '';
  }

  /** Begins the first line. */
  beginText(line: LineStart, to: number): void {
    this.beginLine(this.#lineStart, line);
    this.#at = to;
  }

  /**
   * Begins another line at `lineStart`.
   * @param line its beginning
   */
  beginLine(lineStart: number, line: LineStart): void {
    this.#lineStart = lineStart;
    this.#line = line;
    if (line.quote === 'rest') this.#inRest = true;
    this.#seam = null;
  }

  /** Begins another line within a block of code. */
  beginCodeLine(lineStart: number): void {
    this.#lineStart = lineStart;
    this.#at = lineStart;
  }

  /** The position, to come back to it. */
  position(): Position {
    return {
      at: this.#at,
      token: this.#token,
      style: this.#style,
      styles: this.#styles,
      line: this.#line,
      lineStart: this.#lineStart,
      hasContent: this.#hasContent,
      inRest: this.#inRest,
    };
  }

  restore(position: Position): void {
    this.#at = position.at;
    this.#goToToken(position.token);
    this.#goToStyle(position.styles, position.style);
    this.#line = position.line;
    this.#lineStart = position.lineStart;
    this.#hasContent = position.hasContent;
    this.#inRest = position.inRest;
    this.#seam = null;
  }

  /** Moves over marks and tokens without looking at the text between them. */
  leapTo(at: number): void {
    while (this.#nextMark < at) {
      if (this.closesAt(this.#nextMark)) this.closeStyle();
      else this.openStyle();
    }
    while ((this.token?.end ?? Infinity) <= at) this.#goToToken(this.#token + 1);
    this.#at = Math.max(this.#at, at);
  }
}
