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
import type { CodeRuns } from './code-runs.ts';
import type { DelimiterRun, RunRole } from './delimiter-runs.ts';
import { type Quote, readLineMarks, readQuote } from './line-start.ts';
import type { CodeToken, Token } from './markup.ts';
import type { PairBound } from './pair-bound.ts';
import { CodeScan } from './scan-code.ts';
import { endOfAngle, endOfLinkTarget, findUrl, isEscape } from './scan-link.ts';

/** UTF-16 code units. */
const LINK_LABEL_LENGTH_MAX = 1000;
/** These end a label: the end of another one, even in code, and the start of the next list item. */
const LABEL_END = /\]\(|\n[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]/;
/** The end of a label, from within code on. */
const LABEL_END_IN_CODE = /^[^[\]]*\](?=\(<?https?:\/\/)/i;

/** When more brackets are open, the older half is dropped. */
const BRACKETS_MAX = 64;

const LESS = 0x3c;

/** Lookup tables by character: 1 if it can begin or end markup, or a mention or URL. */
const MARKUP_CHARS = tableOf('\n\\`~*_|<[]:');
const TOKEN_CHARS = tableOf('<:');

function tableOf(chars: string): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, unit) => (chars.includes(String.fromCharCode(unit)) ? 1 : 0));
}

/** A bracket that may begin a link, and the number of tokens and runs before it. */
interface Bracket {
  readonly at: number;
  readonly tokens: number;
  readonly runs: number;
}

/**
 * Finds the tokens and the runs of delimiters in one pass over the text, as Discord's clients read them. The first to
 * open wins, and marks within code do not count. To stay linear, each look-ahead either has a greatest length, or the
 * scan continues after it.
 */
export class MarkupScan {
  readonly #tokens: Token[] = [];
  readonly #runs: DelimiterRun[] = [];
  readonly #text: string;
  readonly #isPlain: boolean;
  readonly #bound: PairBound;
  readonly #code: CodeScan;
  #lineStart = 0;
  #quote: Quote = 'none';
  #quoteEnd: number;
  /** The end of the current heading or quote, in which its styles must close. */
  #containerEnd: number;
  #brackets: Bracket[] = [];
  #paragraphStart = 0;
  /** The last run of pipes, and of any other delimiter. */
  #lastPipes = -Infinity;
  #lastMark = -Infinity;

  /**
   * @param isPlain true reads only mentions and URLs
   * @param runs every run of back-ticks in the text; empty if it is plain
   * @param isPartial see CodeScan
   */
  constructor(text: string, isPlain: boolean, bound: PairBound, runs: CodeRuns, isPartial: boolean) {
    this.#text = text;
    this.#isPlain = isPlain;
    this.#bound = bound;
    this.#code = new CodeScan(isPlain ? '' : text, bound, runs, isPartial);
    this.#quoteEnd = text.length;
    this.#containerEnd = text.length;
    if (!isPlain) this.#beginLine(0);
  }

  /** Call it once. */
  scan(): { readonly tokens: readonly Token[]; readonly runs: readonly DelimiterRun[] } {
    const text = this.#text;
    const chars = this.#isPlain ? TOKEN_CHARS : MARKUP_CHARS;
    for (let at = 0; at < text.length;) {
      const unit = text.charCodeAt(at);
      at = unit < chars.length && chars[unit] === 1 ? this.#readAt(at, unit) : at + 1;
    }
    return { tokens: this.#tokens, runs: this.#runs };
  }

  /**
   * Reads the markup or text at `at`.
   * @returns its end
   */
  #readAt(at: number, unit: number): number {
    const text = this.#text;
    switch (unit) {
      case NEWLINE:
        this.#beginLine(at + 1);
        return at + 1;
      case BACKSLASH:
        return isEscape(text, at) ? this.#readEscape(at + 1) : at + 1;
      case BACKTICK:
      case TILDE:
      case STAR:
      case UNDERSCORE:
      case PIPE:
        return this.#readRun(at, unit);
      case LESS: {
        const end = endOfAngle(text, at);
        return end < 0 ? at + 1 : this.#addToken({ kind: 'angle', start: at, end });
      }
      case 0x5b:
        if (this.#brackets.length === BRACKETS_MAX) this.#brackets = this.#brackets.slice(BRACKETS_MAX / 2);
        this.#brackets.push({ at, tokens: this.#tokens.length, runs: this.#runs.length });
        return at + 1;
      case 0x5d:
        return this.#closeBracket(at);
      default: {
        const url = findUrl(text, at, this.#containerEnd);
        return url === null ? at + 1 : this.#addToken({ kind: 'url', ...url });
      }
    }
  }

  #beginLine(at: number): void {
    const text = this.#text;
    this.#lineStart = at;
    if (text.charCodeAt(at) === NEWLINE) {
      this.#paragraphStart = at;
      this.#brackets = [];
    }
    if (this.#quote === 'none' && !mayBeginBlock(text, at)) {
      this.#containerEnd = this.#quoteEnd;
      return;
    }
    const { quote, heading } = readLineMarks(text, at, this.#quote === 'multiline');
    if (this.#quote !== 'multiline' && quote !== this.#quote) {
      this.#quote = quote;
      this.#brackets = [];
      this.#quoteEnd = quote === 'line' ? endOfQuote(text, at) : text.length;
    }
    this.#containerEnd = heading === '' ? this.#quoteEnd : endOfLine(text, at);
  }

  /** An escaped mark does not open a style, but two pipes or tildes still close one: `||C:\||`. */
  #readEscape(start: number): number {
    const text = this.#text;
    const unit = text.charCodeAt(start);
    let end = start + 1;
    if (unit === PIPE || unit === TILDE) while (text.charCodeAt(end) === unit) end += 1;
    if (end - start !== 2) return start + 1;
    this.#addRun(unit, start, end, 'close');
    return end;
  }

  #readRun(start: number, unit: number): number {
    const text = this.#text;
    let end = start + 1;
    while (text.charCodeAt(end) === unit) end += 1;
    const length = end - start;
    const code = this.#readCode(start, length, unit);
    if (code !== null) {
      const linkEnd = this.#endOfLinkAround(code);
      if (linkEnd !== null) return linkEnd;
      // Text after a block does not begin a line.
      if (code.kind === 'fence') this.#lineStart = start;
      return this.#addToken(code);
    }
    if (unit !== BACKTICK) this.#addRun(unit, start, end, 'open');
    return end;
  }

  #readCode(start: number, length: number, unit: number): CodeToken | null {
    if (unit === BACKTICK)
      return this.#code.readBackticks(start, length, this.#lineStart, this.#containerEnd);
    if (unit === TILDE) return this.#code.readTildes(start, length, this.#lineStart, this.#containerEnd);
    return null;
  }

  #addToken(token: Token): number {
    this.#tokens.push(token);
    this.#addInnerRuns(token, Math.min(token.end, this.#openUntil()));
    return token.end;
  }

  /** Adds runs in a URL, which may close a style: `**https://example.com**`. */
  #addInnerRuns({ kind, start, end }: Token, limit: number): void {
    if (kind === 'code' || kind === 'fence') return;
    const text = this.#text;
    for (let at = start; at < limit;) {
      const unit = text.charCodeAt(at);
      let read = at + 1;
      if (isDelimiter(unit)) {
        while (read < end && text.charCodeAt(read) === unit) read += 1;
        const closes = kind === 'url' && (read === end || (read - at > 1 && unit !== UNDERSCORE));
        this.#addRun(unit, at, read, closes ? 'close' : 'inToken');
      }
      at = read;
    }
  }

  /** Open styles can be closed up to here: spoilers across blank lines too, all others in their paragraph. */
  #openUntil(): number {
    const last = this.#lastMark >= this.#paragraphStart ? this.#lastMark : this.#lastPipes;
    return Math.max(last, this.#lastPipes) + this.#bound.lengthMax;
  }

  #addRun(unit: number, start: number, end: number, role: RunRole): void {
    // A single pipe or tilde is not a mark.
    if (end - start === 1 && (unit === PIPE || unit === TILDE)) return;
    if (unit === PIPE) this.#lastPipes = start;
    else this.#lastMark = start;
    this.#runs.push({ unit, start, end, enclosingBlockEnd: this.#containerEnd, role });
  }

  /**
   * Discord reads a link from its first bracket, so its label can end inside of inline code. Returns null for other
   * code.
   */
  #endOfLinkAround({ kind, start, end }: CodeToken): number | null {
    if (kind === 'fence' || this.#brackets.length === 0) return null;
    const code = this.#text.slice(start, Math.min(end, start + LINK_LABEL_LENGTH_MAX));
    const label = LABEL_END_IN_CODE.exec(code)?.[0];
    if (label === undefined) return null;
    const labelEnd = start + label.length - 1;
    const linkEnd = this.#closeBracket(labelEnd);
    return linkEnd > labelEnd + 1 ? linkEnd : null;
  }

  #closeBracket(at: number): number {
    const text = this.#text;
    const open = this.#brackets.pop();
    if (open === undefined || text.charCodeAt(at + 1) !== 0x28) return at + 1;
    // The labels of the brackets around it would contain the end of this one, so they are dropped.
    this.#brackets = [];
    if (at === open.at + 1 || at - open.at > LINK_LABEL_LENGTH_MAX) return at + 1;
    const end = endOfLinkTarget(text, at + 2);
    if (end < 0 || LABEL_END.test(text.slice(open.at + 1, at))) return at + 1;
    // The tokens and runs in the label are part of the link now.
    this.#tokens.length = open.tokens;
    this.#runs.length = open.runs;
    const isImage = open.at > 0 && text[open.at - 1] === '!';
    return this.#addToken({ kind: 'link', start: isImage ? open.at - 1 : open.at, end });
  }
}

/** True when a line can be a quote or a heading. Most lines are neither. */
function mayBeginBlock(text: string, lineStart: number): boolean {
  let at = lineStart;
  while (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === 0x09) at += 1;
  const unit = text.charCodeAt(at);
  return unit === GREATER || unit === HASH || (unit === DASH && text.charCodeAt(at + 1) === HASH);
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** The end of the neighbouring lines that begin with `> `. */
function endOfQuote(text: string, lineStart: number): number {
  let at = lineStart;
  while (at < text.length && readQuote(text, at) === 'line') {
    const lineEnd = text.indexOf('\n', at);
    if (lineEnd < 0) return text.length;
    at = lineEnd + 1;
  }
  return at;
}
