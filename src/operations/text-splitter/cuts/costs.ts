/** What a cut costs by the kind of its place, from the best to the worst. Ends of sentences and better are close together, and far from the rest. */
const KINDS = {
  end: 0,
  paragraph: 0,
  line: 10,
  sentence: 20,
  clause: 90,
  /** Between two words of a script without spaces. */
  word: 110,
  space: 110,
  grapheme: 400,
  /** Within something that should have stayed whole but is longer than a chunk. */
  forced: 900,
} as const;

export type CutKind = keyof typeof KINDS;

export const CUT_KINDS = Object.keys(KINDS) as [CutKind, ...CutKind[]];

/** All that a way through the text is charged for; the cheapest one is taken. */
export const COST = {
  ...KINDS,

  // What makes a place worse than its kind.
  headingAtEnd: 70,
  leadInParted: 30,
  inFence: 20,
  inFenceAfterBlankLine: 12,
  inStyle: 20,
  inQuote: 6,
  inList: 2,
  inTable: 24,
  inHeading: 40,
  nestedItem: 8,
  /** Styles are opened on a line of their own, because a list or a quote must begin its line. */
  extraLine: 40,
  /** After one of `/?&=-.` in a URL that is longer than a chunk. */
  joint: -100,
  shortLastChunk: 60,

  /** More than all places together. */
  chunk: 2 ** 26,
  /** Inside what should stay whole: more than all chunks. */
  inSolid: 2 ** 36,
  /** A place that is worse than what is preferred, or a line too many: more than all else. */
  against: 2 ** 40,
} as const;
