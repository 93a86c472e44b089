import { endianness } from 'node:os';

import { NEWLINE } from './char-class.ts';

/** Units after the text, a line break and then nothing, so that looking ahead needs no check. */
const PAD = 4;

/** The list of signs gets more room before each block of this many units. */
const BLOCK = 4096;

/** 1 for a unit that markup can begin or end with. */
const CLASSES = new Uint8Array(65_536);
for (const sign of '\\`~*_|<[]:') CLASSES[sign.charCodeAt(0)] = 1;
CLASSES[NEWLINE] = 1;

/** A growing list of places in a text, in ascending order. */
export class Places {
  at = new Int32Array(BLOCK);
  count = 0;

  /** Makes room for this many more. */
  reserve(more: number): void {
    if (this.count + more <= this.at.length) return;
    const larger = new Int32Array(Math.max(this.count + more, this.at.length * 2));
    larger.set(this.at);
    this.at = larger;
  }
}

/**
 * The text as an array of its UTF-16 units, which is several times faster to look at than a string, and where in it
 * signs are, found in one go.
 */
export class Survey {
  #length = 0;
  #bytes = Buffer.alloc(0);
  #units = new Uint16Array(0);
  readonly #signs = new Places();
  #isSearched = false;

  /** Another text takes the place of the last one. */
  read(text: string): void {
    const { length } = text;
    if (length + PAD > this.#units.length) {
      this.#units = new Uint16Array((length + PAD) * 2);
      this.#bytes = Buffer.from(this.#units.buffer);
    }
    this.#length = length;
    this.#isSearched = false;
    this.#bytes.write(text, 'utf16le');
    if (endianness() === 'BE') this.#bytes.subarray(0, length * 2).swap16();
    this.#units.fill(0, length, length + PAD);
    this.#units[length] = NEWLINE;
  }

  get units(): Uint16Array {
    return this.#units;
  }

  /** All line breaks, and all units that markup can begin or end with. */
  get signs(): Readonly<Places> {
    this.#search();
    return this.#signs;
  }

  #search(): void {
    if (this.#isSearched) return;
    this.#isSearched = true;
    findSigns(this.#units, this.#length, this.#signs);
  }
}

function findSigns(units: Uint16Array, length: number, signs: Places): void {
  signs.count = 0;
  signs.reserve(length >> 3);
  for (let from = 0; from < length; from += BLOCK) {
    signs.reserve(BLOCK);
    const places = signs.at;
    const to = Math.min(length, from + BLOCK);
    let { count } = signs;
    // Without a branch, since processors cannot guess which unit is a sign.
    for (let at = from; at < to; at += 1) {
      places[count] = at;
      count += CLASSES[units[at] ?? 0] ?? 0;
    }
    signs.count = count;
  }
}
