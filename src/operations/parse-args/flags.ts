import type { Line, Range } from './line.ts';
import { closersOf, findSpace, isSpaceAt, isSpaceOrEndAt, matchEnd, trimSpaces } from './token.ts';

/** Flags of one line. Further ones are text. */
const FLAGS_MAX = 20;

export interface Flag {
  readonly name: string;
  /** null for a flag without a value. */
  readonly value: Range | null;
  readonly end: number;
}

const NAME = /--[a-z0-9_][a-z0-9_-]{0,31}/iy;
/** Phones turn two dashes into one long dash. A name after it cannot begin with a digit: that may be a minus sign. */
const PHONE_NAME = /[—–][a-z][a-z0-9_-]{0,31}/iy;
const DASHES = /--|[—–]/g;
// After a space, phones type an opening quote where a closing one is meant.
const CLOSERS = closersOf(`"" '' “”“ ‘’‘ «»`);

/** Reads the long flags of one line, at most twenty, and collects them. */
export class FlagReader {
  readonly flags: Flag[] = [];
  readonly #line: Line;
  // The next closing quotes, remembered so that unclosed quotes do not each search to the end of the line.
  #closersAt: Map<string, number> | null = null;

  constructor(line: Line) {
    this.#line = line;
  }

  /** Reads the flags from `at` on. Returns the end of the last one, or `at`. */
  readFrom(at: number): number {
    let end = at;
    while (this.flags.length < FLAGS_MAX) {
      const flag = this.#read(this.#line.skipSpaces(end));
      if (flag === null) break;
      this.flags.push(flag);
      ({ end } = flag);
    }
    return end;
  }

  /** Reads the flags at the very end of the text from `start` on. Returns the end of the text before them. */
  readTrailing(start: number): number {
    const { text } = this.#line;
    const textEnd = trimSpaces(text, start, text.length);
    DASHES.lastIndex = start;
    if (!DASHES.test(text)) return textEnd;
    let run: Flag[] = [];
    let runStart = textEnd;
    for (let at = this.#line.skipSpaces(start); at < textEnd;) {
      const flag = this.flags.length + run.length < FLAGS_MAX ? this.#read(at) : null;
      if (flag === null) run = [];
      else {
        if (run.length === 0) runStart = at;
        run.push(flag);
      }
      at = this.#line.skipSpaces(flag?.end ?? findSpace(text, at));
    }
    if (run.length === 0) return textEnd;
    this.flags.push(...run);
    return trimSpaces(text, start, runStart);
  }

  #read(at: number): Flag | null {
    const { text } = this.#line;
    const nameStart = this.#skipDashes(at);
    if (nameStart === at) return null;
    const end = matchEnd(nameStart === at + 1 ? PHONE_NAME : NAME, text, at);
    const name = text.slice(nameStart, end).toLowerCase().replaceAll('-', '_');
    // In JavaScript, assigning to this key of an object adds no entry.
    if (end === at || name === '__proto__') return null;
    if (isSpaceOrEndAt(text, end)) return { name, value: null, end };
    if (text.charAt(end) !== '=') return null;
    const quoted = this.#readQuoted(end + 1);
    if (quoted !== null) return { name, value: quoted, end: quoted.end + 1 };
    const value = { start: end + 1, end: findSpace(text, end + 1) };
    return { name, value, end: value.end };
  }

  /** The end of the dashes before a flag, or `at`. */
  #skipDashes(at: number): number {
    const { text } = this.#line;
    if (text.startsWith('--', at)) return at + 2;
    const char = text.charAt(at);
    const isPhoneDash = (char === '—' || char === '–') && (at === 0 || isSpaceAt(text, at - 1));
    return isPhoneDash ? at + 1 : at;
  }

  /** The text between quotes at `at`, if the closing one ends the word. */
  #readQuoted(at: number): Range | null {
    const { text } = this.#line;
    const closersAt = Array.from(CLOSERS.get(text.charAt(at)) ?? '', (closer) =>
      this.#findCloser(closer, at + 1),
    ).filter((closerAt) => closerAt >= 0 && isSpaceOrEndAt(text, closerAt + 1));
    return closersAt.length === 0 ? null : { start: at + 1, end: Math.min(...closersAt) };
  }

  #findCloser(closer: string, from: number): number {
    this.#closersAt ??= new Map();
    const known = this.#closersAt.get(closer);
    if (known !== undefined && (known < 0 || known >= from)) return known;
    const found = this.#line.text.indexOf(closer, from);
    this.#closersAt.set(closer, found);
    return found;
  }
}
