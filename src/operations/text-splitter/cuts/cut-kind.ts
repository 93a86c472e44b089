interface CutKind {
  /** Position in the order from the best to the worst place. */
  readonly rank: number;
  /** What such a cut costs. Ends of sentences and better are close together, and far from the rest. */
  readonly cost: number;
}

/** Where a chunk can end, from the best to the worst place. */
export const CUT = {
  end: { rank: 0, cost: 0 },
  paragraph: { rank: 1, cost: 0 },
  line: { rank: 2, cost: 10 },
  sentence: { rank: 3, cost: 20 },
  clause: { rank: 4, cost: 90 },
  /** Between two words of a script without spaces. */
  word: { rank: 5, cost: 110 },
  space: { rank: 6, cost: 110 },
  grapheme: { rank: 7, cost: 400 },
  /** Within something that should have stayed whole but is longer than a chunk. */
  forced: { rank: 8, cost: 900 },
} as const satisfies Readonly<Record<string, CutKind>>;

export type CutName = keyof typeof CUT;
export type Cut = (typeof CUT)[CutName];

export const CUT_NAMES = Object.keys(CUT) as [CutName, ...CutName[]];

/** What makes a place worse than its kind. */
export const COST = {
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
  shortLastChunk: 60,
} as const;
