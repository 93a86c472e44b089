import { BARE_SEAM, type Seam } from './cut.ts';

const CAPACITY_MIN = 256;

/**
 * Places where the text can be cut, in ascending order. Entry 0 is the start of the text, the last one its end.
 * Columns of numbers, since a megabyte has a hundred thousand of them.
 */
export class CutList {
  count = 0;
  /** Where the chunk before ends. */
  end: Int32Array;
  /** Where the next chunk starts; between the two lies only white space. */
  start: Int32Array;
  /** How long the text is up to `end`, in the unit of the caller. */
  endLength: Int32Array;
  /** The same up to `start`. */
  startLength: Int32Array;
  /** What a chunk that ends here takes up to: `endLength` and the suffix. */
  need: Int32Array;
  /** Where the room of a chunk that starts here begins: `startLength` without the prefix. */
  reach: Int32Array;
  kind: Int32Array;
  cost: Int32Array;
  /** Numbers of the lines that the chunk before ends on and the next one starts on; 0 when lines do not count. */
  endLine: Int32Array;
  startLine: Int32Array;
  /** Which of `#seams` is the cut's: neighbours mostly share one. */
  #seamOf: Int32Array;
  readonly #seams: Seam[] = [BARE_SEAM];

  constructor(capacity: number) {
    const size = Math.max(CAPACITY_MIN, capacity);
    this.end = new Int32Array(size);
    this.start = new Int32Array(size);
    this.endLength = new Int32Array(size);
    this.startLength = new Int32Array(size);
    this.need = new Int32Array(size);
    this.reach = new Int32Array(size);
    this.kind = new Int32Array(size);
    this.cost = new Int32Array(size);
    this.endLine = new Int32Array(size);
    this.startLine = new Int32Array(size);
    this.#seamOf = new Int32Array(size);
  }

  seam(cut: number): Seam {
    return this.#seams[this.#seamOf[cut] ?? 0] ?? BARE_SEAM;
  }

  get last(): number {
    return this.count - 1;
  }

  push(
    end: number,
    start: number,
    endLength: number,
    startLength: number,
    kind: number,
    cost: number,
    seam: Seam,
  ) {
    const at = this.count;
    if (at === this.end.length) this.#grow();
    this.end[at] = end;
    this.start[at] = start;
    this.endLength[at] = endLength;
    this.startLength[at] = startLength;
    this.need[at] = endLength + seam.suffixLength;
    this.reach[at] = startLength - seam.prefixLength;
    this.kind[at] = kind;
    this.cost[at] = cost;
    if (seam !== BARE_SEAM) {
      if (seam !== this.#seams.at(-1)) this.#seams.push(seam);
      this.#seamOf[at] = this.#seams.length - 1;
    }
    this.count = at + 1;
  }

  #grow(): void {
    this.end = grown(this.end);
    this.start = grown(this.start);
    this.endLength = grown(this.endLength);
    this.startLength = grown(this.startLength);
    this.need = grown(this.need);
    this.reach = grown(this.reach);
    this.kind = grown(this.kind);
    this.cost = grown(this.cost);
    this.endLine = grown(this.endLine);
    this.startLine = grown(this.startLine);
    this.#seamOf = grown(this.#seamOf);
  }
}

function grown(column: Int32Array): Int32Array {
  const larger = new Int32Array(column.length * 2);
  larger.set(column);
  return larger;
}
