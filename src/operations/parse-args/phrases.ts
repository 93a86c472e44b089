import type { Line } from './line.ts';
import { isSpaceAt, isWordAt } from './token.ts';

/** Characters that may connect two words of a phrase, as spaces do: "demi-heure", "d'affilée". */
const CONNECTORS = new Set("-'’");

/** Words and phrases with a meaning. */
export class Phrases<Meaning> {
  readonly #meanings: ReadonlyMap<string, Meaning>;
  /** The beginnings of all phrases, without their last words, so that reading stops where no phrase continues. */
  readonly #beginnings = new Set<string>();

  /** @param meanings by phrase: in lower case, with one space between two words */
  constructor(meanings: ReadonlyMap<string, Meaning>) {
    this.#meanings = meanings;
    for (const phrase of meanings.keys()) {
      for (let at = phrase.indexOf(' '); at > 0; at = phrase.indexOf(' ', at + 1)) {
        this.#beginnings.add(phrase.slice(0, at));
      }
    }
  }

  /** The longest phrase of whole words that begins at `start`. */
  findAt(line: Line, start: number): { readonly meaning: Meaning; readonly end: number } | null {
    let found = null;
    let phrase = '';
    for (let at = start; ;) {
      const { kind, value, end } = line.tokenAt(at);
      if (kind !== 'word' && value !== '&') return found;
      phrase += value;
      const meaning = this.#meanings.get(phrase);
      if (meaning !== undefined && !isWordAt(line.text, end)) found = { meaning, end };
      if (!this.#beginnings.has(phrase)) return found;
      at = skipWordConnection(line, end);
      if (at === end) return found;
      phrase += ' ';
    }
  }

  /** The longest phrase after `at` and spaces, if no word is attached to its end. */
  findAfterSpaces(line: Line, at: number): { readonly meaning: Meaning; readonly end: number } | null {
    const found = isSpaceAt(line.text, at) ? this.findAt(line, line.skipSpaces(at)) : null;
    return found === null || line.text.charAt(found.end) === '-' ? null : found;
  }
}

/** The start of the next word of a phrase, after spaces or one hyphen or apostrophe, or `at`. */
export function skipWordConnection(line: Line, at: number): number {
  return CONNECTORS.has(line.text.charAt(at)) ? at + 1 : line.skipSpaces(at);
}
