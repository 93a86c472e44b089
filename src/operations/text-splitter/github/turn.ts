const UNITS_PER_TURN = 16_384;
/** Each cell, line or block takes as long as this much text, however short it is. */
const PIECE_UNITS = 16;

/** Counts work, so that a step of a few milliseconds does no more than its share. */
export class Turn {
  #units = 0;

  /** True when others should have their turn, after a piece of this length. */
  isOver(length: number): boolean {
    this.#units += length + PIECE_UNITS;
    if (this.#units < UNITS_PER_TURN) return false;
    this.#units = 0;
    return true;
  }
}
