/** Where a chunk ends, from the best to the worst place. */
export const CUTS = [
  'end',
  'paragraph',
  'line',
  'sentence',
  'clause',
  'word',
  'space',
  'grapheme',
  'forced',
] as const;
export type CutName = (typeof CUTS)[number];

export const CUT = {
  end: 0,
  paragraph: 1,
  line: 2,
  sentence: 3,
  clause: 4,
  /** Between two words of a script without spaces. */
  word: 5,
  space: 6,
  grapheme: 7,
  /** Within something that should have stayed whole but is longer than a chunk. */
  forced: 8,
} as const;

/** What a cut of each kind costs. Sentence ends and better are close together, and far from the rest. */
export const CUT_COST = [0, 0, 10, 20, 90, 110, 110, 400, 900] as const;

/** What makes a place worse than its kind. */
export const COST = {
  headingAtEnd: 70,
  leadInParted: 30,
  inFence: 20,
  inFenceBehindBlankLine: 12,
  inStyle: 20,
  inQuote: 6,
  inList: 2,
  inTable: 24,
  inHeading: 40,
  nestedItem: 8,
  /** Styles are opened on a line of their own, because a list or a quote must begin its line. */
  extraLine: 40,
  shortLastChunk: 60,
} as const;

/** What is written at a cut to close and to open again. */
export interface Seam {
  readonly suffix: string;
  readonly prefix: string;
  readonly suffixLength: number;
  readonly prefixLength: number;
}

export const BARE_SEAM: Seam = { suffix: '', prefix: '', suffixLength: 0, prefixLength: 0 };
