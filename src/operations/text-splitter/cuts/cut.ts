import type { CutKind } from './costs.ts';
import type { Reopening } from './reopen-markup.ts';

/** A place where the text can be cut. The first one is the start of the text, the last one its end. */
export interface Cut {
  /** The end of the chunk before it. */
  readonly end: number;
  /** The start of the next chunk. Only white space is between the two. */
  readonly start: number;
  readonly kind: CutKind;
  readonly cost: number;
  readonly reopening: Reopening;
  /** How far a chunk that ends here reaches: its text and the marks that close it. */
  readonly need: number;
  /** Where the length of a chunk that starts here counts from: its start, minus the marks that open it. */
  readonly reach: number;
  /** Lines up to the end of the chunk before, and up to the start of the next one, with additions. */
  readonly endLine: number;
  readonly startLine: number;
}

/** The number of lines of a chunk between two cuts, with its additions. */
export function linesBetween(from: Cut, to: Cut): number {
  return to.endLine - from.startLine + 1;
}
