import { findWordEnd, isAt, isBlankOrEndAt, skipBlanks, trimBlanksBefore } from './characters.ts';
import type { LineText } from './line-text.ts';
import type { Range } from './shadow-text.ts';

const FLAGS_MAX = 20;

export interface Flag {
  readonly name: string;
  /** Null for a flag without a value. */
  readonly value: Range | null;
  readonly end: number;
}

const NAME = /--([a-z0-9_][a-z0-9_-]{0,31})/iy;
const CLOSERS: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”', '‘': '’', '«': '»' };

/** Reads the long flags of one line. Keeps what it found, so that one line holds at most twenty. */
export class FlagReader {
  readonly flags: Flag[] = [];
  readonly #text: LineText;
  // The next closing quote, kept so that many unclosed quotes do not each search to the end of the line.
  #closerAt: Map<string, number> | undefined;

  constructor(text: LineText) {
    this.#text = text;
  }

  /** Reads the flags from `at` on. Returns the end of the last one, or `at`. */
  readFrom(at: number): number {
    let end = at;
    for (;;) {
      const start = skipBlanks(this.#text, end);
      const flag = this.flags.length < FLAGS_MAX ? this.#read(start) : null;
      if (flag === null) return end;
      this.flags.push(flag);
      end = flag.end;
    }
  }

  /** Reads the flags at the very end of the text from `start` on. Returns where the text before them ends. */
  readTrailing(start: number): number {
    const text = this.#text;
    const textEnd = trimBlanksBefore(text, start, text.length);
    if (text.indexOfPair(45, 45, start) < 0) return textEnd;
    let run: Flag[] = [];
    let runStart = textEnd;
    for (let at = skipBlanks(text, start); at < textEnd;) {
      const flag = this.flags.length + run.length < FLAGS_MAX ? this.#read(at) : null;
      if (flag === null) run = [];
      else {
        if (run.length === 0) runStart = at;
        run.push(flag);
      }
      at = skipBlanks(text, flag?.end ?? findWordEnd(text, at));
    }
    if (run.length === 0) return textEnd;
    this.flags.push(...run);
    return trimBlanksBefore(text, start, runStart);
  }

  #read(at: number): Flag | null {
    const text = this.#text;
    if (!isAt(text, at, '-')) return null;
    NAME.lastIndex = at;
    const match = NAME.exec(text.string);
    if (match === null) return null;
    const name = (match[1] ?? '').toLowerCase().replaceAll('-', '_');
    // In many languages, setting this key of an object adds no entry to it.
    if (name === '__proto__') return null;
    const end = at + match[0].length;
    if (isBlankOrEndAt(text, end)) return { name, value: null, end };
    if (!isAt(text, end, '=')) return null;
    const value = this.#readQuoted(end + 1) ?? { start: end + 1, end: findWordEnd(text, end + 1) };
    return { name, value, end: value.start > end + 1 ? value.end + 1 : value.end };
  }

  /** What is between quotes at `at`, when the closing one ends the word. */
  #readQuoted(at: number): Range | null {
    const closer = CLOSERS[this.#text.slice(at, at + 1)];
    if (closer === undefined) return null;
    const closerAt = this.#findCloser(closer, at + 1);
    if (closerAt === Infinity || !isBlankOrEndAt(this.#text, closerAt + 1)) return null;
    return { start: at + 1, end: closerAt };
  }

  #findCloser(closer: string, from: number): number {
    this.#closerAt ??= new Map();
    const cached = this.#closerAt.get(closer);
    if (cached !== undefined && cached >= from) return cached;
    const found = this.#text.indexOf(closer, from);
    const closerAt = found < 0 ? Infinity : found;
    this.#closerAt.set(closer, closerAt);
    return closerAt;
  }
}
