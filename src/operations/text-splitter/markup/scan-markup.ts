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
import { FAR } from './int-list.ts';
import { headingOf, quoteOf, readLineStart, readQuote } from './line-start.ts';
import { DelimiterRuns, QUOTE, RUN, TOKEN, Tokens } from './markup.ts';
import type { PairBound } from './pair-bound.ts';
import { type CodePlace, CodeScan, type CodeToken } from './scan-code.ts';
import { endOfAngle, endOfLinkTarget, findUrl, isEscape } from './scan-link.ts';

/** Units that something can begin or end with; all others are passed at once. */
const MEANS_SOMETHING = new Uint8Array(128);
for (const unit of '\n\\`~*_|<[]:') MEANS_SOMETHING[unit.charCodeAt(0)] = 1;

const LINK_LABEL_LENGTH_MAX = 1000;
const OPEN_BRACKETS_MAX = 64;

interface OpenBracket {
  readonly at: number;
  readonly tokens: number;
  readonly runs: number;
}

/**
 * One pass over the text that finds the tokens and the runs of delimiters, as Discord's clients read them: what
 * opens first wins, and nothing within code counts. Looking ahead is bounded or leads to what is then skipped.
 */
export class MarkupScan {
  readonly tokens = new Tokens();
  readonly runs = new DelimiterRuns();
  readonly #text: string;
  readonly #isPlain: boolean;
  readonly #bound: PairBound;
  readonly #code: CodeScan;
  #at = 0;
  #lineStart = 0;
  #quote: number = QUOTE.none;
  #quoteEnd: number;
  /** Where the heading or quote ends that is being read: what opens in it closes in it. */
  #containerEnd: number;
  #brackets: OpenBracket[] = [];
  #paragraphStart = 0;
  /** The last run of bars, and of any other delimiter. */
  #lastBars = -FAR;
  #lastMark = -FAR;

  readonly #heldFrom: number;
  #openFence = FAR;

  /**
   * @param isPlain true reads only mentions and URLs
   * @param heldFrom from where on a fence that is not closed may be closed by what follows the text
   */
  constructor(text: string, isPlain: boolean, bound: PairBound, heldFrom: number) {
    this.#text = text;
    this.#isPlain = isPlain;
    this.#bound = bound;
    this.#heldFrom = heldFrom;
    this.#code = new CodeScan(isPlain ? '' : text, bound);
    this.#quoteEnd = text.length;
    this.#containerEnd = text.length;
    if (!isPlain) this.#beginLine(0);
  }

  /** Where the first sign of a fence is that what follows the text may close; FAR when there is none. */
  get openFence(): number {
    return this.#openFence;
  }

  /** Reads up to `until` or a little beyond; true when the text is at its end. */
  advance(until: number): boolean {
    const text = this.#text;
    const end = Math.min(until, text.length);
    let at = this.#at;
    while (at < end) {
      const unit = text.charCodeAt(at);
      if (unit > 0x7e || MEANS_SOMETHING[unit] === 0) at += 1;
      else if (this.#isPlain) at = unit === 0x3c || unit === 0x3a ? this.#readAt(at, unit) : at + 1;
      else at = this.#readAt(at, unit);
    }
    this.#at = at;
    return at >= text.length;
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
        this.#openBracket(at);
        return at + 1;
      case 0x5d:
        return this.#closeBracket(at);
      case 0x3a: {
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
    const first = text.charCodeAt(at);
    if (first === NEWLINE) {
      this.#paragraphStart = at;
      if (this.#brackets.length > 0) this.#brackets = [];
    }
    if (this.#quote === QUOTE.none && !canBeginBlock(first)) {
      this.#containerEnd = this.#quoteEnd;
      return;
    }
    const line = readLineStart(text, at, this.#quote === QUOTE.rest);
    const quote = quoteOf(line);
    if (this.#quote !== QUOTE.rest && quote !== this.#quote) {
      this.#quote = quote;
      this.#brackets = [];
      this.#quoteEnd = quote === QUOTE.line ? endOfQuote(text, at) : text.length;
    }
    this.#containerEnd = headingOf(line) === '' ? this.#quoteEnd : endOfLine(text, at);
  }

  #readRun(at: number, unit: number): number {
    const text = this.#text;
    let end = at + 1;
    while (text.charCodeAt(end) === unit) end += 1;
    const code =
      unit === BACKTICK
        ? this.#code.readBackticks(at, end - at, this.#place())
        : unit === TILDE && end - at >= 3
          ? this.#code.readTildes(at, end - at, this.#place())
          : null;
    if (code !== null) return this.#addCode(code);
    if (
      at >= this.#heldFrom &&
      this.#openFence === FAR &&
      this.#code.mayOpen(at, end - at, this.#lineStart)
    ) {
      this.#openFence = at;
    }
    if (unit === BACKTICK) return end;
    this.#addRun(unit, at, end - at, RUN.open);
    return end;
  }

  #place(): CodePlace {
    return { lineStart: this.#lineStart, containerEnd: this.#containerEnd };
  }

  #addCode(code: CodeToken): number {
    if (code.language !== '') this.tokens.language.set(this.tokens.count, code.language);
    // What stands behind a block begins no line.
    if (code.kind === TOKEN.fence) this.#lineStart = code.start;
    return this.#addToken(code.kind, code.start, code.end, code.run, code.bodyStart, code.bodyEnd);
  }

  #addToken(kind: number, start: number, end: number, run = 0, bodyStart = 0, bodyEnd = 0): number {
    this.tokens.push(kind, start, end, run, bodyStart, bodyEnd);
    const limit = Math.min(end, this.#openUntil());
    if (limit > start && !this.#isPlain) this.#addInnerRuns(kind, start, end, limit);
    return end;
  }

  /** `**https://example.com**`: what stands in a URL closes a style; elsewhere in tokens it only raises doubts. */
  #addInnerRuns(kind: number, start: number, end: number, limit: number): void {
    const text = this.#text;
    let at = start;
    while (at < limit) {
      const unit = text.charCodeAt(at);
      if (!isDelimiter(unit)) {
        at += 1;
        continue;
      }
      let runEnd = at + 1;
      while (runEnd < end && text.charCodeAt(runEnd) === unit) runEnd += 1;
      const closes = kind === TOKEN.url && (runEnd === end || (runEnd - at > 1 && unit !== UNDERSCORE));
      const role = closes
        ? RUN.close
        : kind === TOKEN.code || kind === TOKEN.fence
          ? RUN.inCode
          : RUN.inToken;
      this.#addRun(unit, at, runEnd - at, role);
      at = runEnd;
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
    this.runs.push(unit, start, length, this.#containerEnd, this.#quote !== QUOTE.none, role);
  }

  #openBracket(at: number): void {
    if (this.#brackets.length >= OPEN_BRACKETS_MAX) this.#brackets.splice(0, OPEN_BRACKETS_MAX / 2);
    this.#brackets.push({ at, tokens: this.tokens.count, runs: this.runs.count });
  }

  #closeBracket(at: number): number {
    const open = this.#brackets.pop();
    if (open === undefined || this.#text.charCodeAt(at + 1) !== 0x28) return at + 1;
    if (at === open.at + 1 || at - open.at > LINK_LABEL_LENGTH_MAX) return at + 1;
    const end = endOfLinkTarget(this.#text, at + 2);
    if (end < 0) return at + 1;
    // What the label holds belongs to the link now.
    this.tokens.shorten(open.tokens);
    this.runs.shorten(open.runs);
    const isImage = open.at > 0 && this.#text.charCodeAt(open.at - 1) === 0x21;
    return this.#addToken(TOKEN.link, isImage ? open.at - 1 : open.at, end);
  }
}

/** Whether a line that begins with the unit can be a quote or a heading. */
function canBeginBlock(unit: number): boolean {
  return unit === SPACE || unit === 0x09 || unit === GREATER || unit === HASH || unit === DASH;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** Where the neighbouring lines that begin with `> ` end. */
function endOfQuote(text: string, lineStart: number): number {
  let at = lineStart;
  while (at < text.length && readQuote(text, at) === QUOTE.line) {
    const lineEnd = text.indexOf('\n', at);
    if (lineEnd < 0) return text.length;
    at = lineEnd + 1;
  }
  return at;
}
