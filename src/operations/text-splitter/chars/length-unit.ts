import { isHighSurrogate, isLowSurrogate, NEWLINE } from './char-class.ts';
import type { LengthUnit } from '../split-options.ts';

const BLOCK = 32;

/** Measures a text up to a place, in the caller's unit. */
export interface Ruler {
  at(position: number): number;
  measure(text: string): number;
  /** The most UTF-16 units that can have the length one. */
  readonly unitsMax: number;
}

/**
 * The length of one UTF-16 unit of a text in the unit of the caller. A surrogate pair counts in full at its first half.
 */
type Weigh = (text: string, at: number) => number;

/** The length before each block of 32 units is counted once; a look-up counts within one block. */
class BlockRuler implements Ruler {
  readonly #text: string;
  readonly #weigh: Weigh;
  readonly #blocks: Uint32Array;
  readonly unitsMax = 2;

  constructor(text: string, weigh: Weigh) {
    this.#text = text;
    this.#weigh = weigh;
    this.#blocks = new Uint32Array(Math.floor(text.length / BLOCK) + 1);
    let length = 0;
    for (let at = 0; at < text.length; at += 1) {
      if (at % BLOCK === 0) this.#blocks[at / BLOCK] = length;
      length += weigh(text, at);
    }
    if (text.length % BLOCK === 0) this.#blocks[text.length / BLOCK] = length;
  }

  at(position: number): number {
    const block = Math.floor(position / BLOCK);
    let length = this.#blocks[block] ?? 0;
    for (let at = block * BLOCK; at < position; at += 1) length += this.#weigh(this.#text, at);
    return length;
  }

  measure(text: string): number {
    return sum(text, this.#weigh);
  }
}

function sum(text: string, weigh: Weigh): number {
  let length = 0;
  for (let at = 0; at < text.length; at += 1) length += weigh(text, at);
  return length;
}

function codePointsAt(text: string, at: number): number {
  return isSecondHalf(text, at) ? 0 : 1;
}

/** UTF-8; a surrogate without its other half is sent as U+FFFD. */
function bytesAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(at + 1))) return 4;
  return isSecondHalf(text, at) ? 0 : 3;
}

/** A surrogate without its other half counts as one. */
export function countCodePoints(text: string): number {
  return sum(text, codePointsAt);
}

export function isSecondHalf(text: string, at: number): boolean {
  return isLowSurrogate(text.charCodeAt(at)) && at > 0 && isHighSurrogate(text.charCodeAt(at - 1));
}

interface Unit {
  readonly weigh: Weigh;
  /** Finds a character whose length in this unit is not its number of UTF-16 units. */
  readonly uneven: RegExp;
}

const UNITS: Readonly<Record<Exclude<LengthUnit, 'utf16'>, Unit>> = {
  codepoints: { weigh: codePointsAt, uneven: /[\ud800-\udbff]/ },
  bytes: { weigh: bytesAt, uneven: /[^\0-\x7f]/ },
};

const UTF16: Ruler = {
  at: (position) => position,
  measure: (text) => text.length,
  unitsMax: 1,
};

/** Measures texts by their line breaks. */
export function createLineRuler(text: string): Ruler {
  return new BlockRuler(text, (whole, at) => (whole.charCodeAt(at) === NEWLINE ? 1 : 0));
}

export function createRuler(text: string, unit: LengthUnit): Ruler {
  if (unit === 'utf16') return UTF16;
  const { weigh, uneven } = UNITS[unit];
  if (uneven.test(text)) return new BlockRuler(text, weigh);
  // What is added to the text may still be uneven.
  return { at: (position) => position, measure: (added) => sum(added, weigh), unitsMax: 1 };
}
