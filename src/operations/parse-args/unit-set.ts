/**
 * A set of characters, each one unit long; it is asked about most units of a line, so ASCII is looked up without
 * hashing.
 */
export class UnitSet {
  readonly #ascii: readonly boolean[];
  readonly #others: ReadonlySet<number>;

  constructor(characters: string) {
    const units = new Set(Array.from(characters, (character) => character.charCodeAt(0)));
    this.#ascii = Array.from({ length: 0x80 }, (_, unit) => units.has(unit));
    this.#others = units;
  }

  has(unit: number): boolean {
    return unit < 0x80 ? unit >= 0 && this.#ascii[unit] === true : this.#others.has(unit);
  }
}
