/** Longer runs are horizontal rules and decoration, which are not marks in Discord. */
export const RUN_MAX = 4;

/**
 * The marks that a run may be. A run in the text opens and closes. A run in a URL only closes. In other tokens but code,
 * a run keeps italics from closing.
 */
export type RunRole = 'open' | 'close' | 'inToken';

/** A run of one delimiter character. */
export interface DelimiterRun {
  readonly unit: number;
  readonly start: number;
  readonly end: number;
  /** The end of the run's quote or heading, before which its styles are closed. */
  readonly enclosingBlockEnd: number;
  readonly role: RunRole;
}

/** By run: indexes of the next runs of the same character that could close a style that it opens, or -1. */
export interface NextRuns {
  /** Runs of two and more. */
  readonly longRun: Int32Array;
  /** Runs of odd length. */
  readonly oddRun: Int32Array;
  /** Runs of odd length within tokens. */
  readonly oddRunInToken: Int32Array;
}

export function findNextRuns(runs: readonly DelimiterRun[]): NextRuns {
  const { length: count } = runs;
  const next: NextRuns = {
    longRun: new Int32Array(count),
    oddRun: new Int32Array(count),
    oddRunInToken: new Int32Array(count),
  };
  const lastOf = new Map<number, { longRun: number; oddRun: number; oddRunInToken: number }>();
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const run = runs[at];
    if (run === undefined) continue;
    const last = lastOf.get(run.unit) ?? { longRun: -1, oddRun: -1, oddRunInToken: -1 };
    lastOf.set(run.unit, last);
    next.longRun[at] = last.longRun;
    next.oddRun[at] = last.oddRun;
    next.oddRunInToken[at] = last.oddRunInToken;
    const length = run.end - run.start;
    if (length > RUN_MAX) continue;
    const isInToken = run.role === 'inToken';
    if (length >= 2 && !isInToken) last.longRun = at;
    if (length % 2 === 1) last[isInToken ? 'oddRunInToken' : 'oddRun'] = at;
  }
  return next;
}
