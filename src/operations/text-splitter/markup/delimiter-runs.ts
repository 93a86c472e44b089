/** Longer runs are horizontal rules and decoration, which are not marks in Discord. */
export const RUN_MAX = 4;

/**
 * A run in the text opens and closes. A run in a URL only closes. In other tokens but code, a run keeps italics from
 * closing.
 */
export type RunUse = 'open' | 'close' | 'inToken';

/** A run of one delimiter character. */
export interface DelimiterRun {
  readonly unit: number;
  readonly start: number;
  readonly end: number;
  /** The end of the run's quote or heading, before which its styles are closed. */
  readonly limit: number;
  readonly use: RunUse;
}

/** By run: indexes of the next runs of the same character that could close a style that it opens, or -1. */
export interface NextRuns {
  /** Runs of two and more. */
  readonly long: Int32Array;
  /** Runs of odd length. */
  readonly odd: Int32Array;
  /** Runs of odd length within tokens. */
  readonly oddInside: Int32Array;
}

export function findNextRuns(runs: readonly DelimiterRun[]): NextRuns {
  const { length: count } = runs;
  const next: NextRuns = {
    long: new Int32Array(count),
    odd: new Int32Array(count),
    oddInside: new Int32Array(count),
  };
  const lastOf = new Map<number, { long: number; odd: number; oddInside: number }>();
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const run = runs[at];
    if (run === undefined) continue;
    const last = lastOf.get(run.unit) ?? { long: -1, odd: -1, oddInside: -1 };
    lastOf.set(run.unit, last);
    next.long[at] = last.long;
    next.odd[at] = last.odd;
    next.oddInside[at] = last.oddInside;
    const length = run.end - run.start;
    if (length > RUN_MAX) continue;
    const isInside = run.use === 'inToken';
    if (length >= 2 && !isInside) last.long = at;
    if (length % 2 === 1) last[isInside ? 'oddInside' : 'odd'] = at;
  }
  return next;
}
