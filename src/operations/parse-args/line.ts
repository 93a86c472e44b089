import { readToken, skipSpaces, type Token } from './token.ts';

/** A part of a line's text in UTF-16 code units, from `start` up to but excluding `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

// Soft hyphen, grapheme joiner, Hangul filler, Khmer inherent vowels, Mongolian separators, zero-width
// characters, bidirectional marks and controls, invisible operators, byte order mark. Variation selectors and tag
// characters stay, because they belong to the emoji before them.
const INVISIBLE =
  /\u00ad|\u034f|\u061c|\u1160|[\u17b4\u17b5]|[\u180b-\u180e]|[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/;
const PLAIN = /^[\n -~]*$/;
const LINE_BREAK = /[\v\f\r\u0085\u2028\u2029]/g;
// White space, and characters that look like it: the Braille pattern blank and the Hangul fillers.
const WHITE_SPACE = /[\t\u00a0\u115f\u1680\u2000-\u200a\u202f\u205f\u2800\u3000\u3164\uffa0]/g;
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const FULL_WIDTH_OFFSET = 0xff01 - 0x21;

/**
 * A line and its normalised text, from which it is read: without invisible characters, with full-width ASCII as ASCII,
 * and with spaces and newlines as the only white space. Answers are cut from the original.
 */
export class Line {
  readonly original: string;
  readonly text: string;
  /** Offset in the original of each code unit of `text`, or null when they are the same. */
  readonly #offsets: readonly number[] | null;
  #token: Token | null = null;

  constructor(original: string) {
    this.original = original;
    const isPlain = PLAIN.test(original);
    const text = isPlain ? original : normalise(original);
    this.#offsets = !isPlain && INVISIBLE.test(text) ? listVisible(text) : null;
    this.text = this.#offsets === null ? text : this.#offsets.map((at) => text.charAt(at)).join('');
  }

  get length(): number {
    return this.text.length;
  }

  /** The token that begins at `at`. The last one is cached, because several readers look at the same token. */
  tokenAt(at: number): Token {
    if (this.#token?.start !== at) this.#token = readToken(this.text, at);
    return this.#token;
  }

  skipSpaces(at: number): number {
    return skipSpaces(this.text, at);
  }

  offsetAt(at: number): number {
    return this.#offsets === null ? at : (this.#offsets[at] ?? this.original.length);
  }

  /** The range as it was typed, without the invisible characters around it. */
  cut({ start, end }: Range): string {
    if (end <= start) return '';
    if (this.#offsets === null) return this.original.slice(start, end);
    // Isolates and embeddings come in pairs. If both halves are at the edge of the range, they belong to it.
    const outerStart = start === 0 ? 0 : this.offsetAt(start - 1) + 1;
    const outer = trimInvisible(this.original.slice(outerStart, this.offsetAt(end)));
    return isBalanced(outer) ? outer : this.original.slice(this.offsetAt(start), this.offsetAt(end - 1) + 1);
  }
}

function normalise(text: string): string {
  return text
    .replaceAll(FULL_WIDTH, (character) => String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH_OFFSET))
    .replaceAll(LINE_BREAK, '\n')
    .replaceAll(WHITE_SPACE, ' ');
}

function listVisible(text: string): number[] {
  const offsets: number[] = [];
  for (let at = 0; at < text.length; at += 1) if (!INVISIBLE.test(text.charAt(at))) offsets.push(at);
  return offsets;
}

const OPENS = /[\u202a\u202b\u202d\u202e\u2066-\u2068]/;
const CLOSES = /[\u202c\u2069]/;

function trimInvisible(text: string): string {
  const normalised = normalise(text);
  const isPadding = (at: number) => {
    const character = normalised.charAt(at);
    return (
      character === ' ' ||
      character === '\n' ||
      (INVISIBLE.test(character) && !OPENS.test(character) && !CLOSES.test(character))
    );
  };
  let start = 0;
  let end = text.length;
  while (start < end && isPadding(start)) start += 1;
  while (end > start && isPadding(end - 1)) end -= 1;
  return text.slice(start, end);
}

/** True when the text has directional controls, all of them in complete pairs. */
function isBalanced(text: string): boolean {
  if (!OPENS.test(text)) return false;
  let depth = 0;
  for (const character of text) {
    if (OPENS.test(character)) depth += 1;
    else if (CLOSES.test(character)) depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
