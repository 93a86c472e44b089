import { BACKSLASH, BACKTICK, isDelimiter, isWhiteSpace } from '../markup/char-class.ts';
import { COST, CUT, CUT_COST, type Seam } from './cut.ts';
import { CutList } from './cut-list.ts';
import { isClusterBoundary } from './grapheme.ts';
import type { Ruler } from './length-unit.ts';
import { type LineStart, NO_LINE } from '../markup/line-start.ts';
import { type Markup, QUOTE } from '../markup/markup.ts';
import type { SeamMaker, Styles } from './seam-maker.ts';

/**
 * What is respected while places for cuts are looked for. A stretch without places that is too long for a chunk is
 * looked at again with the next level.
 */
export const LEVEL = {
  /** In long texts only the best of the places that lie close together: it is a matter of speed. */
  sparse: 0,
  natural: 1,
  /** Also within what can be read in two ways. */
  doubtful: 2,
  /** Also between the words of table rows, code lines and inline code, and beside tokens. */
  words: 3,
  /** Also within words and tokens. */
  clusters: 4,
  /** Between any two code points. */
  codePoints: 5,
} as const;

export interface CutWalkOptions {
  readonly ruler: Ruler;
  readonly seams: SeamMaker;
  /** Largest length of a chunk, without what is written on each chunk. */
  readonly room: number;
  /** False reads no line starts: plain text has no quotes, headings and lists. */
  readonly readsLines: boolean;
  readonly countsLines: boolean;
  /** At level `sparse` a cut that is no better than the one before is at least so far behind it. */
  readonly gap: number;
  /** Behind it there is only white space: no chunk starts there. */
  readonly end: number;
}

/** Where the walk stands: everything that decides what a cut here looks like. */
interface Position {
  at: number;
  token: number;
  mark: number;
  styles: Styles;
  line: LineStart;
  hasContent: boolean;
  inRest: boolean;
  lineNumber: number;
}

/** The state of a walk over the text, and what all parts of the walk do: adding cuts. */
export class CutWalk implements Position {
  readonly text: string;
  readonly markup: Markup;
  readonly options: CutWalkOptions;
  readonly cuts: CutList;
  level: number = LEVEL.sparse;

  at = 0;
  /** The next token and the next mark. */
  token = 0;
  mark = 0;
  styles: Styles = null;
  line: LineStart = NO_LINE;
  /** False right behind an opening mark: a cut there would leave an empty pair. */
  hasContent = true;
  /** In a `>>> ` quote, which goes on to the end of the text. */
  inRest = false;
  lineNumber = 0;
  /** Line that the chunk before the next cut ends on, where that is not the line that the next one starts on. */
  endLine = -1;

  /** Whether a place for a cut was left out since the last one, for being too close to it. */
  isThinned = false;

  readonly #refine: (walk: CutWalk, end: number) => void;
  readonly #last: Position;
  #seam: Seam | null = null;
  #doubt = 0;
  #doubtEnd = 0;

  /** @param refine walks from the last cut to `end` once more, at the level that is set */
  constructor(
    text: string,
    markup: Markup,
    options: CutWalkOptions,
    refine: (walk: CutWalk, end: number) => void,
  ) {
    this.text = text;
    this.markup = markup;
    this.options = options;
    this.cuts = new CutList(text.length >> 4);
    this.#refine = refine;
    this.#last = this.#position();
  }

  #position(): Position {
    const { at, token, mark, styles, line, hasContent, inRest, lineNumber } = this;
    return { at, token, mark, styles, line, hasContent, inRest, lineNumber };
  }

  /** Keeps the position as that of the last cut: to be called where the chunk behind it starts. */
  remember(): void {
    const last = this.#last;
    last.at = this.at;
    last.token = this.token;
    last.mark = this.mark;
    last.styles = this.styles;
    last.line = this.line;
    last.hasContent = this.hasContent;
    last.inRest = this.inRest;
    last.lineNumber = this.lineNumber;
  }

  /** Adds a cut, after looking for more before it when the last one is too far away. */
  add(end: number, start: number, kind: number, cost: number, seam: Seam): boolean {
    const { cuts } = this;
    const { last } = cuts;
    const lastStart = cuts.start[last] ?? 0;
    const isEnd = kind === CUT.end;
    const { ruler, room, gap } = this.options;
    if (!isEnd && (end <= lastStart || start >= this.options.end)) return false;
    const isDense = end - lastStart < gap && last > 0 && !isEnd;
    const thins = this.level === LEVEL.sparse || this.level === LEVEL.words;
    if (isDense && thins && cost >= (cuts.cost[last] ?? 0)) {
      this.isThinned = true;
      return false;
    }
    const need = ruler.at(end) + seam.suffixLength - room;
    if (need > (cuts.reach[last] ?? 0)) {
      this.#closeGap(end, need);
      if (end <= (cuts.start[cuts.last] ?? 0) && !isEnd) return false;
    }
    this.push(end, start, kind, cost, seam);
    return true;
  }

  /**
   * Looks for cuts in what was passed without any, once it is longer than two chunks, so that a long stretch is
   * worked off in steps and not when its end is found.
   * @param length units to look at
   * @returns whether cuts were found; then there may be more to do
   */
  settle(length: number): boolean {
    const { cuts } = this;
    const { ruler, room } = this.options;
    if (ruler.at(this.at) - (cuts.reach[cuts.last] ?? 0) <= room * 2) return false;
    const { count } = cuts;
    const end = Math.min(this.at, (cuts.start[cuts.last] ?? 0) + Math.max(length, room * 4));
    this.#closeGap(end, ruler.at(end) - room);
    return cuts.count > count;
  }

  /** @param need how far back the room of the chunk may begin that ends at `end` */
  #closeGap(end: number, need: number): void {
    for (let level = this.level + 1; level <= LEVEL.codePoints; level += 1) {
      if (!this.#finds(level, end)) continue;
      this.#lookCloser(end, level);
      if (need <= (this.cuts.reach[this.cuts.last] ?? 0)) return;
    }
  }

  /** Whether a walk up to `end` at that level could find more than the one at the level before. */
  #finds(level: number, end: number): boolean {
    const { tokens, doubts } = this.markup;
    if (level === LEVEL.natural) return this.isThinned;
    if (level === LEVEL.doubtful) return doubts.start.length > 0;
    const { line, token } = this.#last;
    return level !== LEVEL.words || line.isTableRow || tokens.start.at(token) < end;
  }

  /** Adds a cut as it is. */
  push(end: number, start: number, kind: number, cost: number, seam: Seam): void {
    const { cuts } = this;
    const { ruler, countsLines } = this.options;
    const endLength = ruler.at(end);
    this.isThinned = false;
    cuts.push(end, start, endLength, end === start ? endLength : ruler.at(start), kind, cost, seam);
    if (!countsLines) return;
    cuts.startLine[cuts.last] = this.lineNumber;
    cuts.endLine[cuts.last] = this.endLine < 0 ? this.lineNumber : this.endLine;
  }

  #lookCloser(end: number, level: number): void {
    const position = this.#position();
    const { level: outerLevel, endLine } = this;
    const seam = this.#seam;
    Object.assign(this, this.#last);
    this.level = level;
    this.endLine = -1;
    this.#seam = null;
    this.#refine(this, end);
    Object.assign(this, position);
    this.level = outerLevel;
    this.endLine = endLine;
    this.#seam = seam;
  }

  /** Whether a natural cut at `at` would fall into something that can be read in two ways. */
  isDoubtful(at: number): boolean {
    if (this.level > LEVEL.natural) return false;
    const { start, end } = this.markup.doubts;
    while (start.at(this.#doubt) < at) {
      this.#doubtEnd = Math.max(this.#doubtEnd, end.at(this.#doubt));
      this.#doubt += 1;
    }
    return at < this.#doubtEnd;
  }

  /** Whether a mark that is written at a cut would run together with what stands there. */
  isTouching(before: number, after: number): boolean {
    if (this.styles === null) return false;
    const unit = this.styles.mark.charCodeAt(0);
    return before === unit || after === unit;
  }

  /**
   * Adds a cut between two characters without white space, where one may be.
   * @param isBoundary true when `at` is known to lie between two clusters
   */
  addBetween(at: number, kind: number, isBoundary = false): void {
    const { text } = this;
    if (!this.hasContent || (this.line.isTableRow && this.level < LEVEL.words)) return;
    const before = text.charCodeAt(at - 1);
    const after = text.charCodeAt(at);
    if (Number.isNaN(after) || isWhiteSpace(after) || isWhiteSpace(before) || before === BACKSLASH) return;
    if ((isDelimiter(after) || after === BACKTICK) && (after === before || isDelimiter(before))) return;
    if (this.markup.marks.closesAt(this.mark, at)) return;
    if (this.isTouching(before, after) || this.isDoubtful(at) || !(isBoundary || isClusterBoundary(text, at)))
      return;
    if (!this.add(at, at, kind, this.costOf(kind), this.innerSeam())) return;
    const { at: here } = this;
    this.at = at;
    this.remember();
    this.at = here;
  }

  /** How far apart cuts within words are at least. */
  get clusterGap(): number {
    return Math.max(1, this.options.gap);
  }

  /** What a cut within a line costs here. */
  costOf(kind: number): number {
    const { styles, line } = this;
    return (
      (CUT_COST[kind] ?? 0) +
      (styles?.depth ?? 0) * COST.inStyle +
      (line.heading === '' ? 0 : COST.inHeading) +
      (line.isTableRow ? COST.inTable : 0)
    );
  }

  /** The seam of a cut within a line. */
  innerSeam(): Seam {
    this.#seam ??= this.options.seams.make({
      styles: this.styles,
      quote: this.quote(),
      heading: this.line.heading,
      code: null,
      lead: '',
    });
    return this.#seam;
  }

  /** To be called when the styles or the line have changed. */
  forgetSeam(): void {
    this.#seam = null;
  }

  /** What begins a line here when it begins anew. */
  quote(): string {
    return this.inRest ? '>>> ' : this.line.quote === QUOTE.line ? '> ' : '';
  }
}
