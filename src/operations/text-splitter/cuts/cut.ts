import type { CutKind } from './costs.ts';
import type { Reopening } from './reopen-markup.ts';

/** A position where the text can be cut. The first is the start of the text, the last its end. */
export interface Cut {
  /** Where the chunk before it ends. */
  readonly end: number;
  /** Where the next chunk starts. Only white space is between the two. */
  readonly start: number;
  readonly kind: CutKind;
  readonly cost: number;
  readonly reopening: Reopening;
  /** `end` plus the length of the suffix that closes open markup. */
  readonly endWithSuffix: number;
  /** `start` minus the length of the prefix that reopens markup. */
  readonly startBeforePrefix: number;
  /** The lines up to `end` and up to `start`, with those of the suffixes and prefixes. */
  readonly endLine: number;
  readonly startLine: number;
}

/** The number of lines of a chunk between two cuts, with its additions. */
export function linesBetween(from: Cut, to: Cut): number {
  return to.endLine - from.startLine + 1;
}
