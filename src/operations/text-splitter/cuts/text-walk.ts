import type { Survey } from '../chars/survey.ts';
import { headingOf, isTableRow, type LineStart, NO_LINE, quoteOf } from '../markup/line-start.ts';
import { type Markup, QUOTE, TOKEN } from '../markup/markup.ts';
import { COST, type Cut } from './cut-kind.ts';
import type { Position } from './position.ts';
import type { Seam, SeamMaker, Styles } from './seam.ts';

/** Where a walk over the text is, what is open there, and what a cut there would have to write. */
export class TextWalk {
  readonly text: string;
  readonly units: Uint16Array;
  readonly markup: Markup;
  readonly #seams: SeamMaker;
  #at: number;
  #token = 0;
  #mark = 0;
  #nextToken: number;
  #nextMark: number;
  #styles: Styles = null;
  #line: LineStart = NO_LINE;
  #lineStart: number;
  #hasContent = true;
  #inRest = false;
  /** Where the walk was at the last cut: one record for all of them, since there are many. */
  readonly #last: Position;
  /** The seam within the line, until styles or the line change. */
  #seam: Seam | null = null;

  /** @param from the start of a line */
  constructor(text: string, survey: Survey, markup: Markup, seams: SeamMaker, from: number) {
    this.text = text;
    this.units = survey.units;
    this.markup = markup;
    this.#seams = seams;
    this.#at = from;
    this.#lineStart = from;
    this.#nextToken = markup.tokens.start(0);
    this.#nextMark = markup.marks.start(0);
    this.#last = this.position();
  }

  get at(): number {
    return this.#at;
  }

  get mark(): number {
    return this.#mark;
  }

  get token(): number {
    return this.#token;
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

  /** Where the next token and the next mark start; FAR when there are no more. */
  get nextToken(): number {
    return this.#nextToken;
  }

  get nextMark(): number {
    return this.#nextMark;
  }

  #goToToken(token: number): void {
    this.#token = token;
    this.#nextToken = this.markup.tokens.start(token);
  }

  #goToMark(mark: number): void {
    this.#mark = mark;
    this.#nextMark = this.markup.marks.start(mark);
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
    const { marks } = this.markup;
    const mark = marks.nameAt(this.text, this.#mark);
    const isQuoted = marks.isQuoted(this.#mark);
    this.#styles = { mark, isQuoted, outer: this.#styles, depth: (this.#styles?.depth ?? 0) + 1 };
    this.#hasContent = false;
    this.#at = this.#nextMark + mark.length;
    this.#goToMark(this.#mark + 1);
    this.#seam = null;
  }

  /** Moves over the next mark, which closes the innermost style. */
  closeStyle(): void {
    this.#styles = this.#styles?.outer ?? null;
    this.#at = this.#nextMark - this.markup.marks.length(this.#mark);
    this.#hasContent = true;
    this.#goToMark(this.#mark + 1);
    this.#seam = null;
  }

  /** Moves past the next token; after a block of code no line begins. */
  passToken(end: number): void {
    const { tokens } = this.markup;
    const isFence = tokens.kind(this.#token) === TOKEN.fence;
    const closingLine = tokens.bodyEnd(this.#token);
    this.passTo(end);
    this.#goToToken(this.#token + 1);
    if (!isFence) return;
    this.#line = quoteOf(this.#line);
    this.#lineStart = closingLine;
    this.#seam = null;
  }

  /** Whether the next mark closes a style at that very place. */
  closesAt(place: number): boolean {
    return this.#nextMark === place && this.markup.marks.length(this.#mark) < 0;
  }

  /** Whether a mark that is written at a cut would run together with what is there. */
  isTouching(before: number, after: number): boolean {
    if (this.#styles === null) return false;
    const unit = this.#styles.mark.charCodeAt(0);
    return before === unit || after === unit;
  }

  /** What a cut within a line costs here. */
  costOf(kind: Cut): number {
    return (
      kind.cost +
      (this.#styles?.depth ?? 0) * COST.inStyle +
      (headingOf(this.#line) === '' ? 0 : COST.inHeading) +
      (isTableRow(this.#line) ? COST.inTable : 0)
    );
  }

  /** The seam of a cut within a line. */
  innerSeam(): Seam {
    this.#seam ??= this.#seams.make({
      styles: this.#styles,
      quote: this.quote(),
      heading: headingOf(this.#line),
      code: null,
      lead: '',
    });
    return this.#seam;
  }

  /** What begins a line here when it is opened again. */
  quote(): string {
    return this.#inRest ? '>>> ' : quoteOf(this.#line) === QUOTE.line ? '> ' : '';
  }

  /** Begins the first line. */
  beginText(line: LineStart, to: number): void {
    this.beginLine(this.#lineStart, line);
    this.#at = to;
    this.remember();
  }

  /** Begins another line at `lineStart`. @param line what it begins with */
  beginLine(lineStart: number, line: LineStart): void {
    this.#lineStart = lineStart;
    this.#line = line;
    if (quoteOf(line) === QUOTE.rest) this.#inRest = true;
    this.#seam = null;
  }

  /** Begins another line within a block of code. */
  beginCodeLine(lineStart: number): void {
    this.#lineStart = lineStart;
    this.#at = lineStart;
  }

  /** Where the walk was at the last cut. */
  get last(): Readonly<Position> {
    return this.#last;
  }

  /** Keeps the position as that of the last cut. */
  remember(): void {
    const last = this.#last;
    last.at = this.#at;
    last.token = this.#token;
    last.mark = this.#mark;
    last.styles = this.#styles;
    last.line = this.#line;
    last.lineStart = this.#lineStart;
    last.hasContent = this.#hasContent;
    last.inRest = this.#inRest;
  }

  /** Where the walk is, to come back to it. */
  position(): Position {
    return {
      at: this.#at,
      token: this.#token,
      mark: this.#mark,
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
    this.#goToMark(position.mark);
    this.#styles = position.styles;
    this.#line = position.line;
    this.#lineStart = position.lineStart;
    this.#hasContent = position.hasContent;
    this.#inRest = position.inRest;
    this.#seam = null;
  }

  /** Moves over marks and tokens without looking at what is between them. */
  leapTo(at: number): void {
    const { tokens, marks } = this.markup;
    while (this.#nextMark < at) {
      if (marks.length(this.#mark) < 0) this.closeStyle();
      else this.openStyle();
    }
    while (tokens.end(this.#token) <= at) this.#goToToken(this.#token + 1);
    this.#at = Math.max(this.#at, at);
    this.remember();
  }
}
