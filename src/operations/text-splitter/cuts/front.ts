/** How much text before the furthest end of a chunk is looked at word by word: a share of a chunk, at least some words. */
const WINDOW_SHARE = 16;
const WINDOW_MIN = 64;

/** Everywhere else cuts are at least this share of a chunk apart, unless the next one is better. */
const GAP_SHARE = 20;

/**
 * Knows how far the chunks up to now can reach when each is as full as it can be. To need the fewest chunks, cuts
 * between words are only worth looking for right before that place; everywhere else a line or a sentence ends better.
 */
export class Front {
  readonly #room: number;
  readonly #weightMax: number;
  readonly #isLazy: boolean;
  readonly #window: number;
  /** How far apart cuts before `from` are at least. */
  readonly gap: number;
  /** The furthest end of the current chunk, as a length. */
  #end = -1;
  /** Where the furthest chunk after the cuts that are known would start. */
  #lastReach = 0;
  #from = 0;

  /** @param weightMax most length of one UTF-16 unit */
  constructor(room: number, weightMax: number, isLazy: boolean) {
    this.#room = room;
    this.#weightMax = weightMax;
    this.#isLazy = isLazy;
    this.gap = Math.floor(room / weightMax / GAP_SHARE);
    this.#window = Math.max(WINDOW_MIN, Math.floor(room / WINDOW_SHARE));
  }

  /** From where words are worth it; before that place in units of the text, never after it. */
  get from(): number {
    return this.#from;
  }

  /** Notes a cut: what a chunk that ends there needs, where the next one's room begins, and where it starts. */
  note(need: number, reach: number, start: number, startLength: number): void {
    if (!this.#isLazy) return;
    if (need > this.#end) {
      this.#end = (this.#end < 0 ? reach : this.#lastReach) + this.#room;
      if (need > this.#end) this.#end = reach + this.#room;
    }
    this.#lastReach = reach;
    const left = this.#end - this.#window - startLength;
    this.#from = left <= 0 ? 0 : start + Math.floor(left / this.#weightMax);
  }

  /** Whether words were left out before the furthest end, which no cut is near. */
  isMissed(need: number, lastStart: number): boolean {
    return this.#isLazy && need > this.#end && lastStart < this.#from;
  }
}
