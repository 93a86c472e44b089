/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */

/** Up to this number of slots, comparing each with all finds a repeated one faster than sorting does. */
const LOOKED_THROUGH_MAX = 32;

/** A few role slots, each once, in memory that is used again and again. */
export class SlotSet {
  #slots = new Uint32Array(64);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  at(place: number): number {
    return this.#slots[place]!;
  }

  clear(): void {
    this.#count = 0;
  }

  /** Adds a slot. When many are added, `settle` has to follow. */
  add(slot: number): void {
    if (this.#count < LOOKED_THROUGH_MAX && this.has(slot)) return;
    if (this.#count === this.#slots.length) {
      const slots = new Uint32Array(this.#count * 2);
      slots.set(this.#slots);
      this.#slots = slots;
    }
    this.#slots[this.#count] = slot;
    this.#count += 1;
  }

  /** Drops slots that were added repeatedly, where `add` did not look. */
  settle(): void {
    if (this.#count <= LOOKED_THROUGH_MAX) return;
    const slots = this.#slots;
    slots.subarray(0, this.#count).sort();
    let unique = 1;
    for (let at = 1; at < this.#count; at += 1) {
      if (slots[at] === slots[at - 1]) continue;
      slots[unique] = slots[at]!;
      unique += 1;
    }
    this.#count = unique;
  }

  has(slot: number): boolean {
    for (let at = 0; at < this.#count; at += 1) if (this.#slots[at] === slot) return true;
    return false;
  }
}
