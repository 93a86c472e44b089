import { BACKSLASH, BACKTICK, isDelimiter, isWhiteSpace } from '../chars/char-class.ts';
import { isClusterBoundary } from '../chars/grapheme.ts';
import type { Ruler } from '../chars/length-unit.ts';
import { isBlock, readLineStart } from '../markup/line-start.ts';
import type { Markup } from '../markup/markup.ts';
import { type Cut, CUT } from './cut-kind.ts';
import { CutTable } from './cut-table.ts';
import type { Seam, SeamMaker } from './seam.ts';
import { TextWalk } from './text-walk.ts';

/**
 * What is respected while places for cuts are looked for. A stretch without places that is too long for a chunk is
 * looked at again with the next level.
 */
export const LEVEL = {
  /** Only the places that are better than the last one or at least `gap` after it. */
  sparse: 0,
  natural: 1,
  /** Also within what can be read in two ways. */
  doubtful: 2,
  /** Also between the words of table rows, code lines and inline code, beside tokens, and after lone signs. */
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
  /** Null when lines do not count. */
  readonly lines: LineCount | null;
  /** At level `sparse` a cut that is no better than the one before is at least this far after it. */
  readonly gap: number;
  /** After it there is only white space: no chunk starts there. */
  readonly end: number;
}

export interface LineCount {
  /** How many line breaks the text has up to a place. */
  at(position: number): number;
  /** How many lines are written before a chunk that begins with `body`, and after one that ends with it. */
  before(body: string): number;
  after(body: string, isLast: boolean): number;
}

/** This many units of a line are enough to say what it is, when something is added to it. */
const LINE_SIGNS_MAX = 100;

/** A walk over the text that collects the places where it can be cut. */
export class CutWalk extends TextWalk {
  readonly options: CutWalkOptions;
  readonly cuts = new CutTable();
  readonly #refine: (walk: CutWalk, end: number) => void;

  #level: number = LEVEL.sparse;
  #lastStart = 0;
  #lastCost = 0;
  /** Whether a place for a cut was left out since the last one. */
  #isThinned = false;
  #doubt = 0;
  #doubtEnd = 0;

  /**
   * @param from where the first chunk starts: the start of a line
   * @param opening what is written before the first chunk
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
    this.push(from, from, CUT.end, 0, opening);
  }

  get level(): number {
    return this.#level;
  }

  /** Where the chunk after the last cut starts. */
  get lastStart(): number {
    return this.#lastStart;
  }

  /** How far apart cuts within words are at least. */
  get clusterGap(): number {
    return Math.max(1, this.options.gap);
  }

  /** Whether a cut at `end` would be no better than the last one, and too close to it to matter. */
  isCrowded(end: number, cost: number): boolean {
    const { cuts } = this;
    const isSparse = this.#level === LEVEL.sparse;
    if (!isSparse && this.#level !== LEVEL.words) return false;
    if (end - this.#lastStart >= this.options.gap || cost < this.#lastCost || cuts.last === 0) return false;
    this.#isThinned = true;
    return true;
  }

  /** Adds a cut, if it is worth it, and moves to where the next chunk starts. */
  cut(end: number, start: number, kind: Cut, cost: number, seam: Seam): void {
    if (!this.add(end, start, kind, cost, seam)) return;
    this.skipTo(start);
    this.remember();
  }

  /**
   * Adds a cut between two characters without white space, where one may be. The walk stays where it is.
   * @param isBoundary true when `at` is known to be between two clusters
   */
  cutBetween(at: number, kind: Cut, isBoundary = false): void {
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
  finish(end: number, closing: Seam): CutTable {
    this.add(end, end, CUT.end, 0, closing);
    return this.cuts;
  }

  /** Adds a cut as it is. */
  push(end: number, start: number, kind: Cut, cost: number, seam: Seam): void {
    const { ruler, lines } = this.options;
    const endLength = ruler.at(end);
    const startLength = end === start ? endLength : ruler.at(start);
    this.cuts.add(end, start, kind, cost, seam);
    this.cuts.setLengths(endLength, startLength, seam);
    if (lines !== null) this.#setLines(lines, end, start, seam);
    this.#isThinned = false;
    this.#lastStart = start;
    this.#lastCost = cost;
  }

  #setLines(lines: LineCount, end: number, start: number, seam: Seam): void {
    const line = this.text.slice(this.lineStart, Math.min(end, this.lineStart + LINE_SIGNS_MAX));
    const opening = seam.prefix + this.text.slice(start, start + LINE_SIGNS_MAX);
    const added = this.cuts.last === 0 ? 0 : lines.before(opening);
    const isEnd = end >= this.options.end;
    const endLine = lines.at(end) + countBreaks(seam.suffix) + lines.after(line + seam.suffix, isEnd);
    this.cuts.setLines(endLine, lines.at(start) - countBreaks(seam.prefix) - added);
  }

  /**
   * Adds a cut, if it is worth it, after looking for more before it when the last one is too far away. The walk stays
   * where it is.
   * @returns whether it was added
   */
  add(end: number, start: number, kind: Cut, cost: number, seam: Seam): boolean {
    const { ruler, room } = this.options;
    const { cuts } = this;
    const isEnd = kind === CUT.end;
    if (!isEnd && (end < this.#lastStart || start >= this.options.end)) return false;
    const need = ruler.at(end) + seam.suffixLength;
    if (end === this.#lastStart && !isEnd) {
      // Nothing is between the two, so that this one counts only if it is better, and no chunk goes from one to the other.
      if (cuts.last === 0 || cost >= this.#lastCost || need - room > cuts.reach(cuts.last - 1)) return false;
    } else {
      if (!isEnd && this.isCrowded(end, cost)) return false;
      if (need - room > cuts.reach(cuts.last)) this.#closeGap(end, need - room);
      if (end <= this.#lastStart && !isEnd) return false;
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
    const { ruler, room } = this.options;
    const { last, count } = this.cuts;
    if (ruler.at(this.at) - this.cuts.reach(last) <= room * 2) return false;
    const end = Math.min(this.at, this.#lastStart + Math.max(length, room * 4));
    this.#closeGap(end, ruler.at(end) - room);
    return this.cuts.count > count;
  }

  /** @param need how far back the room of the chunk may begin that ends at `end` */
  #closeGap(end: number, need: number): void {
    for (let level = this.#level + 1; level <= LEVEL.codePoints; level += 1) {
      if (!this.#finds(level, end)) continue;
      this.#lookCloser(end, level);
      if (need <= this.cuts.reach(this.cuts.last)) return;
    }
  }

  /** Whether a walk up to `end` at that level could find more than the one at the level before. */
  #finds(level: number, end: number): boolean {
    if (level === LEVEL.natural) return this.#isThinned;
    if (level === LEVEL.doubtful) return this.markup.doubts.length > 0;
    if (level !== LEVEL.words || this.last.line.isTableRow) return true;
    return (this.markup.tokens[this.last.token]?.start ?? Infinity) < end || this.options.readsLines;
  }

  #lookCloser(end: number, level: number): void {
    const position = this.position();
    const outer = this.#level;
    this.restore(this.last);
    this.#level = level;
    this.#refine(this, end);
    // After the last cut that was found everything is as it was.
    this.restore(position);
    this.#level = outer;
  }

  /** Whether text within a line would become a quote, heading or list item if a chunk began with it. */
  wouldBeginBlock(at: number): boolean {
    return this.options.readsLines && isBlock(readLineStart(this.text, at, this.inRest));
  }

  /** Whether a natural cut at `at` would fall into something that can be read in two ways. */
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
