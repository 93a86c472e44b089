import { BACKTICK, isDelimiter, NEWLINE, PIPE, SPACE, TILDE } from '../chars/char-class.ts';
import type { CodeRuns } from './code-runs.ts';
import type { CodeToken } from './markup.ts';
import type { PairBound } from './pair-bound.ts';

const LANGUAGE = /^[\w+\-.#]+$/;
const FIRST_WORD = /^[\w+\-.#]+/;
/** UTF-16 code units that are searched for the language of a code block. */
const INFO_LENGTH_MAX = 200;

/** Finds inline code and code blocks. Call its methods in the order of the text. */
export class CodeScan {
  readonly #text: string;
  readonly #runs: CodeRuns;
  readonly #bound: PairBound;
  #tildeLines: { readonly start: number[]; next: number } | null = null;

  readonly #isPartial: boolean;

  /** @param isPartial true when more of the text follows, which may close open blocks */
  constructor(text: string, bound: PairBound, runs: CodeRuns, isPartial: boolean) {
    this.#isPartial = isPartial;
    this.#text = text;
    this.#bound = bound;
    this.#runs = runs;
  }

  /**
   * Returns the code that the back-ticks at `start` open, or null.
   * @param containerEnd the end of the quote around it, which ends code too
   */
  readBackticks(start: number, run: number, lineStart: number, containerEnd: number): CodeToken | null {
    const bodyStart = start + run;
    const block = run >= 3 ? this.#readBlock(start, run, lineStart, containerEnd) : null;
    if (block !== null) return block;
    const close = this.#runs.nextExact(run, bodyStart);
    const isMeant = close >= 0 && close + run <= containerEnd && this.#bound.allows(start, close + run);
    if (isMeant) return inlineCode(start, run, close);
    const isOpen = run >= 3 && (this.#isPartial || this.#beginsLine(start, lineStart));
    return isOpen ? this.#readUnclosed(start, run, lineStart, containerEnd) : null;
  }

  /**
   * Returns the block that the tildes at `start` open, or null. Clients show such blocks as text, but they are kept
   * whole to stay readable.
   */
  readTildes(start: number, run: number, lineStart: number, containerEnd: number): CodeToken | null {
    if (run < 3 || !this.#beginsLine(start, lineStart)) return null;
    const text = this.#text;
    const lineEnd = text.indexOf('\n', start + run);
    if (lineEnd < 0) return null;
    const info = this.#infoOf(start + run, lineEnd);
    if (info === null) return null;
    const close = this.#nextTildeLine(run, lineEnd);
    if (close < 0 || close >= containerEnd) return null;
    let end = close;
    while (text.charCodeAt(end) === TILDE) end += 1;
    return this.#blockOf(start, run, lineEnd + 1, close, end, info);
  }

  #readBlock(start: number, run: number, lineStart: number, containerEnd: number): CodeToken | null {
    const text = this.#text;
    const bodyStart = start + run;
    const close = this.#runs.nextAtLeast(run, bodyStart, containerEnd);
    if (close < 0) return null;
    const lineEnd = text.indexOf('\n', bodyStart);
    if (lineEnd < 0 || lineEnd > close) return inlineCode(start, run, close);
    const end = this.#endOfRun(close);
    const info = this.#infoOf(bodyStart, lineEnd);
    if (info !== null) {
      // In a client a block has at least one character. Here that is the opening run of the next block, so both end where
      // that block ends.
      const isEmpty = /^[\r\n]*$/.test(text.slice(bodyStart + info.length, close));
      if (isEmpty && this.#opensBlock(close, end)) {
        const later = this.#runs.nextAtLeast(run, end, containerEnd);
        return later < 0
          ? this.#readUnclosed(start, run, lineStart, containerEnd)
          : this.#blockOf(start, run, lineEnd + 1, later, this.#endOfRun(later), info);
      }
      return this.#blockOf(start, run, lineEnd + 1, close, end, info);
    }
    if (this.#beginsLine(start, lineStart)) {
      return this.#blockOf(start, run, lineEnd + 1, close, end, this.#firstWord(bodyStart));
    }
    // This is prose that mentions a fence. The next run opens a real one.
    if (this.#opensBlock(close, end)) return null;
    return this.#blockOf(start, run, bodyStart, close, end, '');
  }

  /** Reads an unclosed block, which continues to the end of the text or of its quote. */
  #readUnclosed(start: number, run: number, lineStart: number, containerEnd: number): CodeToken | null {
    const text = this.#text;
    // The line break after a quote is not part of a block in it.
    const lineBreak = text.charCodeAt(containerEnd - 2) === 0x0d ? 2 : 1;
    const end = containerEnd < text.length ? containerEnd - lineBreak : text.length;
    const lineEnd = text.indexOf('\n', start + run);
    if (lineEnd < 0 || lineEnd >= end) return null;
    const isMeant = this.#isPartial && this.#beginsLine(start, lineStart);
    const info = this.#infoOf(start + run, lineEnd) ?? (isMeant ? this.#firstWord(start + run) : null);
    return info === null ? null : this.#blockOf(start, run, lineEnd + 1, end, end, info);
  }

  #blockOf(
    start: number,
    run: number,
    bodyStart: number,
    close: number,
    end: number,
    language: string,
  ): CodeToken {
    const text = this.#text;
    // The text is never cut at the line break before a closing line, so the body ends before it.
    let bodyEnd = close;
    while (bodyEnd > bodyStart && isIndentOrQuote(text.charCodeAt(bodyEnd - 1))) bodyEnd -= 1;
    if (bodyEnd > bodyStart && text.charCodeAt(bodyEnd - 1) === NEWLINE) bodyEnd -= 1;
    else bodyEnd = close;
    return { kind: 'fence', start, end, run, bodyStart, bodyEnd: Math.max(bodyStart, bodyEnd), language };
  }

  /** Returns the language right after an opening run, or null when its line has more text. */
  #infoOf(from: number, lineEnd: number): string | null {
    if (lineEnd - from > INFO_LENGTH_MAX) return null;
    const info = this.#text.slice(from, lineEnd).trimEnd();
    // After a space, clients show the word as the first line of the code.
    if (!LANGUAGE.test(info.trimStart())) return info.trimStart() === '' ? '' : null;
    return LANGUAGE.test(info) ? info : '';
  }

  #firstWord(from: number): string {
    return FIRST_WORD.exec(this.#text.slice(from, from + INFO_LENGTH_MAX))?.[0] ?? '';
  }

  #endOfRun(start: number): number {
    let end = start;
    while (this.#text.charCodeAt(end) === BACKTICK) end += 1;
    return end;
  }

  /** True when only indentation, a quote, a bullet or delimiters are before it on its line. */
  #beginsLine(at: number, lineStart: number): boolean {
    if (at - lineStart > 40) return false;
    for (let k = at - 1; k >= lineStart; k -= 1) {
      const unit = this.#text.charCodeAt(k);
      if (!isIndentOrQuote(unit) && unit !== 0x2d && !isDelimiter(unit)) return false;
    }
    return true;
  }

  #opensBlock(start: number, end: number): boolean {
    const text = this.#text;
    if (text.charCodeAt(start - 1) !== NEWLINE) return false;
    const lineEnd = text.indexOf('\n', end);
    return lineEnd > end && (this.#infoOf(end, lineEnd) ?? '') !== '';
  }

  /** The next line that consists of at least `run` tildes, or -1. */
  #nextTildeLine(run: number, from: number): number {
    this.#tildeLines ??= { start: findTildeLines(this.#text), next: 0 };
    const lines = this.#tildeLines;
    while ((lines.start[lines.next] ?? Infinity) < from) lines.next += 1;
    // Shorter runs of tildes inside a fence are rare, so only a few lines are checked.
    for (let k = lines.next; k < lines.next + 4; k += 1) {
      const start = lines.start[k];
      if (start === undefined) return -1;
      let end = start;
      while (end < start + run && this.#text.charCodeAt(end) === TILDE) end += 1;
      if (end === start + run) return start;
    }
    return -1;
  }
}

function inlineCode(start: number, run: number, close: number): CodeToken {
  return { kind: 'code', start, end: close + run, run, bodyStart: start + run, bodyEnd: close, language: '' };
}

function isIndentOrQuote(unit: number): boolean {
  return unit === SPACE || unit === 0x09 || unit === 0x3e;
}

function findTildeLines(text: string): number[] {
  const starts: number[] = [];
  let at = text.indexOf('~~~');
  while (at >= 0) {
    let end = at;
    while (text.charCodeAt(end) === TILDE) end += 1;
    let before = at;
    while (before > 0 && isIndentOrQuote(text.charCodeAt(before - 1)) && at - before < 40) before -= 1;
    let after = end;
    while (text.charCodeAt(after) === SPACE || text.charCodeAt(after) === 0x0d) after += 1;
    const next = text.charCodeAt(after);
    const closes = after >= text.length || next === NEWLINE || next === PIPE;
    if (closes && (before === 0 || text.charCodeAt(before - 1) === NEWLINE)) starts.push(at);
    at = text.indexOf('~~~', Math.max(end, after));
  }
  return starts;
}
