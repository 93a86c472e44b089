import { BACKSLASH, BACKTICK, isDelimiter, isWhiteSpace } from '../chars/char-class.ts';
import { isClusterBoundary } from '../chars/grapheme.ts';
import type { Ruler } from '../chars/length-unit.ts';
import { isBlock, readLineStart } from '../markup/line-start.ts';
import type { Markup } from '../markup/markup.ts';
import type { CutKind } from './costs.ts';
import type { Cut } from './cut.ts';
import type { Seam, SeamMaker } from './seam.ts';
import { type Position, TextWalk } from './text-walk.ts';

/**
 * A level says what is respected while places for cuts are looked for. If a stretch without places is too long for a
 * chunk, it is searched again at the next level.
 */
export const LEVEL = {
  natural: 0,
  /**
   * Also within stretches that can be read in two ways, between the words of table rows, code lines and inline code,
   * beside tokens, and after lone signs.
   */
  words: 1,
  /** Also within words and tokens. */
  clusters: 2,
  /** Between any two code points. */
  codePoints: 3,
} as const;

export interface CutWalkOptions {
  readonly ruler: Ruler;
  readonly seams: SeamMaker;
  /** Largest length of a chunk, without the additions to each chunk. */
  readonly room: number;
  /** False reads no line starts: plain text has no quotes, headings and lists. */
  readonly readsLines: boolean;
  /** null when lines do not count. */
  readonly lines: LineCount | null;
  /** A cut that is no better than the one before must be at least this far after it; 0 in most texts. */
  readonly gap: number;
  /** Only white space is after it: no chunk starts there. */
  readonly end: number;
}

export interface LineCount {
  /** The number of line breaks up to a place. */
  at(position: number): number;
  /** The number of lines added before a chunk that begins with `body`, and after one that ends with it. */
  before(body: string): number;
  after(body: string, isLast: boolean): number;
}

const NO_LINES = { endLine: 0, startLine: 0 };

/** This many units of a line are enough to know its kind, when something is added to it. */
const LINE_SIGNS_MAX = 100;

/** A walk over the text that collects the places where it can be cut. */
export class CutWalk extends TextWalk {
  readonly options: CutWalkOptions;
  /** In ascending order; the first one is the start of the text. */
  readonly cuts: Cut[] = [];
  readonly #refine: (walk: CutWalk, end: number) => void;
  #level: number = LEVEL.natural;
  #last: Cut;
  /** The walk's position at the last cut. */
  #lastPosition: Position;
  /** The last place after it that was left out as crowded, and the walk's position there. */
  #spare: Cut | null = null;
  #sparePosition: Position;
  #doubt = 0;
  #doubtEnd = 0;

  /**
   * @param from start of the first chunk, at the start of a line
   * @param opening goes before the first chunk
   * @param refine walks from the last cut to `end` once more, at the level that is set
   */
  constructor(
    text: string,
    markup: Markup,
    options: CutWalkOptions,
    { from, opening }: { from: number; opening: Seam },
    refine: (walk: CutWalk, end: number) => void,
  ) {
    super(text, markup, options.seams, from);
    this.options = options;
    this.#refine = refine;
    this.#last = this.#makeCut(from, from, 'end', 0, opening);
    this.cuts.push(this.#last);
    this.#lastPosition = this.position();
    this.#sparePosition = this.#lastPosition;
  }

  get level(): number {
    return this.#level;
  }

  /** The start of the chunk after the last cut. */
  get lastStart(): number {
    return this.#last.start;
  }

  /** Stores the position for the cut that was added last, or left out since. */
  remember(): void {
    if (this.#spare === null) this.#lastPosition = this.position();
    else this.#sparePosition = this.position();
  }

  /** The smallest distance between cuts within words. */
  get clusterGap(): number {
    return Math.max(1, this.options.gap);
  }

  /** Adds a cut, if it is worth it, and moves to the start of the next chunk. */
  cut(end: number, start: number, kind: CutKind, cost: number, seam: Seam): void {
    if (!this.add(end, start, kind, cost, seam)) return;
    this.skipTo(start);
    this.remember();
  }

  /**
   * Adds a cut between two characters without white space, if one is allowed there. The walk stays where it is.
   * @param isBoundary true when `at` is known to be between two clusters
   */
  cutBetween(at: number, kind: CutKind, isBoundary = false): void {
    const { text } = this;
    if (!this.hasContent) return;
    if (this.#level < LEVEL.words && (this.line.isTableRow || this.wouldBeginBlock(at))) return;
    const before = text.charCodeAt(at - 1);
    const after = text.charCodeAt(at);
    if (Number.isNaN(after) || isWhiteSpace(after) || isWhiteSpace(before) || before === BACKSLASH) return;
    if ((isDelimiter(after) || after === BACKTICK) && (after === before || isDelimiter(before))) return;
    if (this.closesAt(at)) return;
    if (this.isTouching(before, after) || this.isDoubtful(at) || !(isBoundary || isClusterBoundary(text, at)))
      return;
    const here = this.at;
    this.cut(at, at, kind, this.costOf(kind), this.innerSeam());
    this.skipTo(here);
  }

  /** Adds the end of the text, where no chunk follows. */
  finish(end: number, closing: Seam): readonly Cut[] {
    const cut = this.#makeCut(end, end, 'end', 0, closing);
    this.#closeGap(end, cut.need - this.options.room);
    this.#keep(cut);
    return this.cuts;
  }

  /** Adds a cut without checking it. */
  push(end: number, start: number, kind: CutKind, cost: number, seam: Seam): void {
    this.#keep(this.#makeCut(end, start, kind, cost, seam));
  }

  /**
   * Adds a cut, if it is worth it. Looks for more cuts before it when the last one is too far away. The walk stays
   * where it is.
   * @returns false when a chunk could not end there; otherwise the walk has to remember its position
   */
  add(end: number, start: number, kind: CutKind, cost: number, seam: Seam): boolean {
    const cut = this.#makeCut(end, start, kind, cost, seam);
    const earliest = cut.need - this.options.room;
    if (end === this.#last.start) {
      // Nothing is between the two, so this one counts only if it is better, and no chunk goes from one to the other.
      if (cost >= this.#last.cost || earliest > (this.cuts.at(-2)?.reach ?? -Infinity)) return false;
    } else {
      if (this.#isCrowded(cut)) return true;
      this.#closeGap(end, earliest);
      // Closer cuts may have led beyond it.
      if (end < this.#last.start) return false;
    }
    this.#keep(cut);
    return true;
  }

  #keep(cut: Cut): void {
    this.#last = cut;
    this.cuts.push(cut);
    this.#spare = null;
  }

  /** True when a cut is left out because it is close to the last one, and no better. */
  #isCrowded(cut: Cut): boolean {
    const isTooClose = cut.end - this.#last.start < this.options.gap && cut.cost >= this.#last.cost;
    if (!isTooClose || this.#level > LEVEL.words || this.cuts.length === 1) return false;
    this.#spare = cut;
    return true;
  }

  #makeCut(end: number, start: number, kind: CutKind, cost: number, seam: Seam): Cut {
    const { ruler, lines } = this.options;
    const endLength = ruler.at(end);
    const startLength = end === start ? endLength : ruler.at(start);
    const need = endLength + seam.suffixLength;
    const reach = startLength - seam.prefixLength;
    const { endLine, startLine } = lines === null ? NO_LINES : this.#countLines(lines, end, start, seam);
    const isNatural = this.#level === LEVEL.natural;
    return { end, start, kind, cost, isNatural, seam, startLength, need, reach, endLine, startLine };
  }

  #countLines(lines: LineCount, end: number, start: number, seam: Seam) {
    const line = this.text.slice(this.lineStart, Math.min(end, this.lineStart + LINE_SIGNS_MAX));
    const opening = seam.prefix + this.text.slice(start, start + LINE_SIGNS_MAX);
    const added = this.cuts.length === 0 ? 0 : lines.before(opening);
    const isEnd = end >= this.options.end;
    const endLine = lines.at(end) + countBreaks(seam.suffix) + lines.after(line + seam.suffix, isEnd);
    return { endLine, startLine: lines.at(start) - countBreaks(seam.prefix) - added };
  }

  /**
   * Looks for cuts in a stretch that was passed without any, once it is longer than two chunks, so that a long stretch
   * is searched in steps and not only at its end.
   * @param length units to search
   * @returns true when cuts were found; then there may be more to do
   */
  settle(length: number): boolean {
    const { ruler, room } = this.options;
    const { length: count } = this.cuts;
    if (ruler.at(this.at) - this.#last.reach <= room * 2) return false;
    const end = Math.min(this.at, this.#last.start + Math.max(length, room * 4));
    this.#closeGap(end, ruler.at(end) - room);
    return this.cuts.length > count;
  }

  /** @param earliest beginning of the room of a chunk that ends at `end` */
  #closeGap(end: number, earliest: number): void {
    for (let level = this.#level + 1; level <= LEVEL.codePoints; level += 1) {
      if (earliest > this.#last.reach && this.#spare !== null) {
        this.#keep(this.#spare);
        this.#lastPosition = this.#sparePosition;
      }
      if (earliest <= this.#last.reach) return;
      if (level !== LEVEL.words || this.#hasWords(end)) this.#lookCloser(end, level);
    }
  }

  /** True when a walk up to `end` that respects only words and tokens could find more than the natural one. */
  #hasWords(end: number): boolean {
    const { line, token } = this.#lastPosition;
    if (this.options.readsLines || line.isTableRow || this.markup.doubts.length > 0) return true;
    return (this.markup.tokens[token]?.start ?? Infinity) < end;
  }

  #lookCloser(end: number, level: number): void {
    const position = this.position();
    const outer = this.#level;
    this.restore(this.#lastPosition);
    this.#level = level;
    this.#refine(this, end);
    // After the last cut that was found everything is as it was.
    this.restore(position);
    this.#level = outer;
  }

  /** True when text from within a line would become a quote, heading or list item if a chunk began with it. */
  wouldBeginBlock(at: number): boolean {
    return this.options.readsLines && isBlock(readLineStart(this.text, at, this.inRest));
  }

  /** True when a natural cut at `at` would be inside a stretch that can be read in two ways. */
  isDoubtful(at: number): boolean {
    if (this.#level > LEVEL.natural) return false;
    const { doubts } = this.markup;
    for (let next = doubts[this.#doubt]; next !== undefined && next.start < at; next = doubts[this.#doubt]) {
      this.#doubtEnd = Math.max(this.#doubtEnd, next.end);
      this.#doubt += 1;
    }
    return at < this.#doubtEnd;
  }
}

function countBreaks(text: string): number {
  let breaks = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks += 1;
  return breaks;
}
