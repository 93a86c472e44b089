import { isHighSurrogate, isLowSurrogate } from '../markup/char-class.ts';
import type { LengthUnit } from '../split-options.ts';

const BLOCK = 32;

/** How long the text is up to a place, in the unit of the caller. */
export interface Ruler {
  at(position: number): number;
  measure(text: string): number;
}

const UTF16: Ruler = { at: (position) => position, measure: (text) => text.length };

/** Code points before each block of 32 units are counted once; a look-up counts within one block. */
class CodePointRuler implements Ruler {
  readonly #text: string;
  readonly #blocks: Uint32Array;

  constructor(text: string) {
    this.#text = text;
    this.#blocks = new Uint32Array(Math.ceil(text.length / BLOCK) + 1);
    let count = 0;
    for (let at = 0; at < text.length; at += 1) {
      if (at % BLOCK === 0) this.#blocks[at / BLOCK] = count;
      if (!isSecondHalf(text, at)) count += 1;
    }
    if (text.length % BLOCK === 0) this.#blocks[text.length / BLOCK] = count;
  }

  at(position: number): number {
    const block = Math.floor(position / BLOCK);
    let count = this.#blocks[block] ?? 0;
    for (let at = block * BLOCK; at < position; at += 1) if (!isSecondHalf(this.#text, at)) count += 1;
    return count;
  }

  measure(text: string): number {
    return countCodePoints(text);
  }
}

/** A surrogate without its other half counts as one. */
export function countCodePoints(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at += 1) if (isSecondHalf(text, at)) count -= 1;
  return count;
}

export function isSecondHalf(text: string, at: number): boolean {
  return isLowSurrogate(text.charCodeAt(at)) && at > 0 && isHighSurrogate(text.charCodeAt(at - 1));
}

export function createRuler(text: string, unit: LengthUnit): Ruler {
  return unit === 'utf16' || !/[\ud800-\udbff]/.test(text) ? measuring(text, unit) : new CodePointRuler(text);
}

/** Without surrogate pairs positions are the same; what is added to the text may still hold some. */
function measuring(_text: string, unit: LengthUnit): Ruler {
  return unit === 'utf16' ? UTF16 : { at: (position) => position, measure: countCodePoints };
}
