import type { CutKind } from './costs.ts';
import type { Seam } from './seam.ts';

/** A place where the text can be cut. The first one is the start of the text, the last one its end. */
export interface Cut {
  /** Where the chunk before ends. */
  readonly end: number;
  /** Where the next chunk starts; between the two is only white space. */
  readonly start: number;
  readonly kind: CutKind;
  readonly cost: number;
  readonly seam: Seam;
  /** How long the text is up to `start`, in the unit of the caller, as are `need` and `reach`. */
  readonly startLength: number;
  /** What a chunk that ends here takes up to: the text and what closes it. */
  readonly need: number;
  /** Where the room of a chunk that starts here begins: before what opens it. */
  readonly reach: number;
  /** How many lines there are up to the end of the chunk before and to the start of the next one, with those that are added. */
  readonly endLine: number;
  readonly startLine: number;
}

/** How many lines a chunk between two cuts has, with those that are added to it. */
export function linesBetween(from: Cut, to: Cut): number {
  return to.endLine - from.startLine + 1;
}
