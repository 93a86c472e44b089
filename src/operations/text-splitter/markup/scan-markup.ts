import {
  BACKSLASH,
  BACKTICK,
  DASH,
  GREATER,
  HASH,
  isDelimiter,
  NEWLINE,
  PIPE,
  SPACE,
  STAR,
  TILDE,
  UNDERSCORE,
} from '../chars/char-class.ts';
import type { Places, Survey } from '../chars/survey.ts';
import { FAR } from './int-list.ts';
import { headingOf, quoteOf, readLineStart, readQuote } from './line-start.ts';
import { type DelimiterRuns, QUOTE, RUN, TOKEN, type Tokens } from './markup.ts';
import type { MarkupMemory } from './markup-memory.ts';
import type { OpenBrackets } from './open-brackets.ts';
import type { PairBound } from './pair-bound.ts';
import { CodeScan } from './scan-code.ts';
import { endOfAngle, endOfLinkTarget, findUrl, isEscape } from './scan-link.ts';

const LINK_LABEL_LENGTH_MAX = 1000;

/**
 * One pass over the text that finds the tokens and the runs of delimiters, as Discord's clients read them: what
 * opens first wins, and nothing within code counts. Looking ahead is bounded or leads to what is then skipped.
 */
export class MarkupScan {
  readonly #tokens: Tokens;
  readonly #runs: DelimiterRuns;
  readonly #text: string;
  readonly #units: Uint16Array;
  /** The signs of the text, and the next one to look at. */
  readonly #signs: Places;
  #sign = 0;
  readonly #isPlain: boolean;
  readonly #bound: PairBound;
  readonly #code: CodeScan;
  /** How far the text is read. */
  #at = 0;
  #lineStart = 0;
  #quote: number = QUOTE.none;
  #quoteEnd: number;
  /** Where the heading or quote ends that is being read: what opens in it closes in it. */
  #containerEnd: number;
  readonly #brackets: OpenBrackets;
  #paragraphStart = 0;
  /** The last run of bars, and of any other delimiter. */
  #lastBars = -FAR;
  #lastMark = -FAR;

  readonly #heldFrom: number;
  #openFence = FAR;

  /**
   * @param isPlain true reads only mentions and URLs
   * @param heldFrom from here on, what follows the text may close a fence or undo it
   */
  constructor(
    text: string,
    survey: Survey,
    memory: MarkupMemory,
    isPlain: boolean,
    bound: PairBound,
    heldFrom: number,
  ) {
    this.#tokens = memory.tokens;
    this.#runs = memory.runs;
    this.#brackets = memory.brackets;
    this.#text = text;
    this.#units = survey.units;
    this.#signs = survey.signs;
    this.#isPlain = isPlain;
    this.#bound = bound;
    this.#heldFrom = heldFrom;
    this.#code = new CodeScan(isPlain ? '' : text, memory, bound);
    this.#quoteEnd = text.length;
    this.#containerEnd = text.length;
    if (!isPlain) this.#beginLine(0);
  }

  /** Where the first fence begins that the text that comes next may close or undo; FAR if there is none. */
  get openFence(): number {
    return this.#openFence;
  }

  /** Reads the signs before `until`; true when there are no more. */
  advance(until: number): boolean {
    const units = this.#units;
    const { at: signs, count } = this.#signs;
    for (; this.#sign < count; this.#sign += 1) {
      const at = signs[this.#sign] ?? 0;
      if (at >= until) return false;
      // Within what was read already.
      if (at < this.#at) continue;
      const unit = units[at] ?? 0;
      if (!this.#isPlain || unit === 0x3c || unit === 0x3a) this.#at = this.#readAt(at, unit);
    }
    return true;
  }

  /** Reads what begins at `at`. @returns where it ends */
  #readAt(at: number, unit: number): number {
    switch (unit) {
      case NEWLINE:
        this.#beginLine(at + 1);
        return at + 1;
      case BACKSLASH:
        return at + (isEscape(this.#text, at) ? 2 : 1);
      case BACKTICK:
      case TILDE:
      case STAR:
      case UNDERSCORE:
      case PIPE:
        return this.#readRun(at, unit);
      case 0x3c: {
        const end = endOfAngle(this.#text, at);
        return end < 0 ? at + 1 : this.#addToken(TOKEN.angle, at, end);
      }
      case 0x5b:
        this.#brackets.push(at, this.#tokens.count, this.#runs.count);
        return at + 1;
      case 0x5d:
        return this.#closeBracket(at);
      case 0x3a: {
        if (this.#units[at + 1] !== 0x2f) return at + 1;
        const url = findUrl(this.#text, at, this.#containerEnd);
        return url === null ? at + 1 : this.#addToken(TOKEN.url, url.start, url.end);
      }
      default:
        return at + 1;
    }
  }

  #beginLine(at: number): void {
    const text = this.#text;
    this.#lineStart = at;
    const first = this.#units[at] ?? 0;
    if (first === NEWLINE) {
      this.#paragraphStart = at;
      this.#brackets.clear();
    }
    if (this.#quote === QUOTE.none && !mayBeginBlock(this.#units, at)) {
      this.#containerEnd = this.#quoteEnd;
      return;
    }
    const line = readLineStart(this.#units, at, this.#quote === QUOTE.rest);
    const quote = quoteOf(line);
    if (this.#quote !== QUOTE.rest && quote !== this.#quote) {
      this.#quote = quote;
      this.#brackets.clear();
      this.#quoteEnd = quote === QUOTE.line ? endOfQuote(text, this.#units, at) : text.length;
    }
    this.#containerEnd = headingOf(line) === '' ? this.#quoteEnd : endOfLine(text, at);
  }

  #readRun(at: number, unit: number): number {
    const units = this.#units;
    let end = at + 1;
    while (units[end] === unit) end += 1;
    const code =
      unit === BACKTICK
        ? this.#code.readBackticks(at, end - at, this.#lineStart, this.#containerEnd)
        : unit === TILDE && end - at >= 3
          ? this.#code.readTildes(at, end - at, this.#lineStart, this.#containerEnd)
          : -1;
    const isHeld = at >= this.#heldFrom && this.#openFence === FAR;
    if (code >= 0) {
      if (isHeld && this.#code.isUndecided(code)) this.#openFence = at;
      return this.#endCode(at, code);
    }
    if (isHeld && this.#code.mayOpen(at, end - at, this.#lineStart)) this.#openFence = at;
    if (unit === BACKTICK) return end;
    this.#addRun(unit, at, end - at, RUN.open);
    return end;
  }

  /** Goes on after the code that was added last. */
  #endCode(start: number, end: number): number {
    const kind = this.#tokens.kind(this.#tokens.count - 1);
    // What is after a block begins no line.
    if (kind === TOKEN.fence) this.#lineStart = start;
    return this.#endToken(kind, start, end);
  }

  #addToken(kind: number, start: number, end: number): number {
    this.#tokens.push(kind, start, end);
    return this.#endToken(kind, start, end);
  }

  #endToken(kind: number, start: number, end: number): number {
    const limit = Math.min(end, this.#openUntil());
    if (limit > start && !this.#isPlain) this.#addInnerRuns(kind, start, end, limit);
    return end;
  }

  /** `**https://example.com**`: what is in a URL closes a style; elsewhere in tokens it only raises doubts. */
  #addInnerRuns(kind: number, start: number, end: number, limit: number): void {
    const units = this.#units;
    const signs = this.#signs.at;
    let sign = this.#sign;
    while (sign > 0 && (signs[sign - 1] ?? 0) >= start) sign -= 1;
    const isCode = kind === TOKEN.code || kind === TOKEN.fence;
    for (let read = start; ; sign += 1) {
      const at = sign < this.#signs.count ? (signs[sign] ?? FAR) : FAR;
      if (at >= limit) return;
      const unit = units[at] ?? 0;
      if (at < read || !isDelimiter(unit)) continue;
      read = at + 1;
      while (read < end && units[read] === unit) read += 1;
      const closes = kind === TOKEN.url && (read === end || (read - at > 1 && unit !== UNDERSCORE));
      this.#addRun(unit, at, read - at, closes ? RUN.close : isCode ? RUN.inCode : RUN.inToken);
    }
  }

  /** How far what was opened before can be closed: bars across blank lines too, all others in their paragraph. */
  #openUntil(): number {
    const last = this.#lastMark >= this.#paragraphStart ? this.#lastMark : this.#lastBars;
    return Math.max(last, this.#lastBars) + this.#bound.spanMax;
  }

  #addRun(unit: number, start: number, length: number, role: number): void {
    // One bar or tilde alone neither opens nor closes anything.
    if (length === 1 && (unit === PIPE || unit === TILDE)) return;
    if (unit === PIPE) this.#lastBars = start;
    else this.#lastMark = start;
    this.#runs.push(unit, start, length, this.#containerEnd, this.#quote !== QUOTE.none, role);
  }

  #closeBracket(at: number): number {
    const units = this.#units;
    const open = this.#brackets;
    if (!open.pop() || units[at + 1] !== 0x28) return at + 1;
    if (at === open.at + 1 || at - open.at > LINK_LABEL_LENGTH_MAX) return at + 1;
    const end = endOfLinkTarget(units, this.#text.length, at + 2);
    if (end < 0) return at + 1;
    // What the label holds belongs to the link now.
    this.#tokens.shorten(open.tokens);
    this.#runs.shorten(open.runs);
    const isImage = open.at > 0 && units[open.at - 1] === 0x21;
    return this.#addToken(TOKEN.link, isImage ? open.at - 1 : open.at, end);
  }
}

/** Whether a line can be a quote or a heading; most lines are neither. */
function mayBeginBlock(units: Uint16Array, lineStart: number): boolean {
  let at = lineStart;
  while (units[at] === SPACE || units[at] === 0x09) at += 1;
  const unit = units[at];
  return unit === GREATER || unit === HASH || (unit === DASH && units[at + 1] === HASH);
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** Where the neighbouring lines that begin with `> ` end. */
function endOfQuote(text: string, units: Uint16Array, lineStart: number): number {
  let at = lineStart;
  while (at < text.length && readQuote(units, at) === QUOTE.line) {
    const lineEnd = text.indexOf('\n', at);
    if (lineEnd < 0) return text.length;
    at = lineEnd + 1;
  }
  return at;
}
