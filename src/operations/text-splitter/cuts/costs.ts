/**
 * The cost of a cut by its kind, from the best to the worst. Ends of sentences and better cuts cost about the same,
 * and far less than the rest.
 */
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

/** All the costs of a route through the text. The cheapest route is taken. */
export const COST = {
  ...KINDS,

  // Reasons why a cut is worse than its kind.
  headingAtEnd: 70,
  afterIntroLine: 30,
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
  /** A discount after one of `/?&=-.` in a URL that is longer than a chunk. */
  urlSeparator: -100,
  shortLastChunk: 60,

  /** More than all cuts cost together. */
  chunk: 2 ** 26,
  /** A chunk that ends in the lone marker (`>` or `-`) of a quote or a list item: more than one chunk costs. */
  loneMarker: 2 ** 27,
  /** Inside something that should stay whole: more than all chunks cost. */
  inUnbreakable: 2 ** 36,
  /** A cut worse than the caller prefers, or a line too many: more than all other costs together. */
  violatesPreference: 2 ** 40,
} as const;
