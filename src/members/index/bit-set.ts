/** Ordinals in ascending order, or a set of them. Do not change it, and read it before anything else changes. */
export interface OrdinalList {
  readonly isBitSet: boolean;
  readonly entries: Uint16Array;
}

/** Sixteen ordinals share a word of a bit set. */
export function bitOf(ordinal: number): number {
  return 1 << (ordinal & 15);
}

/** Adds ordinals to a bit set. */
export function setBits(words: Uint16Array, ordinals: ArrayLike<number>): void {
  for (let at = 0; at < ordinals.length; at += 1) {
    const ordinal = ordinals[at]!;
    words[ordinal >>> 4]! |= bitOf(ordinal);
  }
}

export function unite(words: Uint16Array, { isBitSet, entries }: OrdinalList): void {
  if (isBitSet) for (let at = 0; at < words.length; at += 1) words[at]! |= entries[at]!;
  else setBits(words, entries);
}

export function intersect(words: Uint16Array, list: OrdinalList): void {
  let { entries } = list;
  if (!list.isBitSet) {
    entries = new Uint16Array(words.length);
    setBits(entries, list.entries);
  }
  for (let at = 0; at < words.length; at += 1) words[at]! &= entries[at]!;
}

export function subtract(words: Uint16Array, { isBitSet, entries }: OrdinalList): void {
  if (isBitSet) for (let at = 0; at < words.length; at += 1) words[at]! &= ~entries[at]!;
  else for (const ordinal of entries) words[ordinal >>> 4]! &= ~bitOf(ordinal);
}

export function countBits(words: Uint16Array): number {
  let count = 0;
  for (const word of words) {
    // Adds up pairs, then fours, then bytes.
    const pairs = word - ((word >>> 1) & 0x5555);
    const fours = (pairs & 0x3333) + ((pairs >>> 2) & 0x3333);
    const bytes = (fours + (fours >>> 4)) & 0x0f0f;
    count += (bytes + (bytes >>> 8)) & 0x1f;
  }
  return count;
}

/** Ascending. */
export function ordinalsOf(words: Uint16Array): Uint16Array {
  const ordinals = new Uint16Array(countBits(words));
  let count = 0;
  for (let word = 0; word < words.length; word += 1) {
    for (let bits = words[word]!; bits !== 0; bits &= bits - 1) {
      ordinals[count] = (word << 4) | (31 - Math.clz32(bits & -bits));
      count += 1;
    }
  }
  return ordinals;
}
