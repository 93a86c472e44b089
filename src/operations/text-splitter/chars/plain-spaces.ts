import { SPACE } from './char-class.ts';

const FAR = Number.MAX_SAFE_INTEGER;

/** Ends of lines and sentences, and how far after the start of each the white space is. */
const ENDS: readonly (readonly [pattern: string, offset: number])[] = [
  ['\n', 0],
  ['. ', 1],
  ['! ', 1],
  ['? ', 1],
  ['." ', 2],
  ['!" ', 2],
  ['?" ', 2],
  ['.) ', 2],
  ['… ', 1],
  ['.” ', 2],
];

/**
 * What a plain text does not have: markup, white space other than spaces and line breaks, and characters that join
 * others or need no spaces. Left over are Latin, Greek and Cyrillic letters, digits, and simple punctuation.
 */
const OTHER = /[^\n -;=?-Z\]^a-z{}\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027]|[*]/;

/** Whether a text has neither markup nor anything but letters, digits, simple punctuation and line breaks. */
export function isPlainText(text: string): boolean {
  return !OTHER.test(text) && !text.includes('://');
}

/**
 * Finds the white space that is worth looking at in a long text of plain letters, without looking at each
 * character: the engine's own search is several times faster than a loop.
 */
export class PlainSpaces {
  readonly #text: string;
  readonly #next = ENDS.map(() => -FAR);
  #nearest = -FAR;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * The next white space at or after `from` that ends a line or a sentence, or that is at or after
   * `wordsFrom`; FAR if there is none. `from` must not go back.
   */
  next(from: number, wordsFrom: number): number {
    const text = this.#text;
    if (this.#nearest < from) this.#nearest = this.#nextEnd(from);
    const found = this.#nearest;
    for (let at = Math.max(from, wordsFrom); at < found && at < text.length; at += 1) {
      if (text.charCodeAt(at) === SPACE) return at;
    }
    return found;
  }

  /** The nearest white space at or after `from` that ends a line or a sentence. */
  #nextEnd(from: number): number {
    let nearest = FAR;
    for (let k = 0; k < ENDS.length; k += 1) {
      let space = this.#next[k] ?? FAR;
      if (space < from) {
        const [pattern, offset] = ENDS[k] ?? ['\n', 0];
        const at = this.#text.indexOf(pattern, from - offset);
        space = at < 0 ? FAR : at + offset;
        this.#next[k] = space;
      }
      if (space < nearest) nearest = space;
    }
    return nearest;
  }
}
