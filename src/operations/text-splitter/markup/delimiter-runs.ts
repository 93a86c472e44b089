/** Longer runs are rules and decoration; Discord styles nothing with them. */
export const RUN_MAX = 4;

/**
 * What a run can do. In the text it opens and closes, in a URL it only closes. In other tokens it does neither, but
 * clients that look for the end of a style stumble over it.
 */
export type Role = 'open' | 'close' | 'inToken' | 'inCode';

/** A run of one delimiter character. */
export interface DelimiterRun {
  readonly unit: number;
  readonly start: number;
  readonly end: number;
  /** Where the quote or heading of the run ends: what it opens is closed before that. */
  readonly limit: number;
  readonly role: Role;
}

/** For each run, the next ones of the same character that could close what it opens; -1 means none. */
export interface NextRuns {
  /** Runs of two and more. */
  readonly long: Int32Array;
  /** Runs of odd length. */
  readonly odd: Int32Array;
  /** The same of those within tokens, which close it in another reading. */
  readonly longInside: Int32Array;
  readonly oddInside: Int32Array;
}

const RUNS_PER_TURN = 16_384;

/** Finds them from the end of the text, in steps. */
export function* findNextRuns(runs: readonly DelimiterRun[]): Generator<void, NextRuns> {
  const list = () => new Int32Array(runs.length);
  const next: NextRuns = { long: list(), odd: list(), longInside: list(), oddInside: list() };
  const lastOf = new Map<number, { long: number; odd: number; longInside: number; oddInside: number }>();
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    if (at % RUNS_PER_TURN === 0) yield;
    const run = runs[at];
    if (run === undefined) continue;
    const last = lastOf.get(run.unit) ?? { long: -1, odd: -1, longInside: -1, oddInside: -1 };
    lastOf.set(run.unit, last);
    next.long[at] = last.long;
    next.odd[at] = last.odd;
    next.longInside[at] = last.longInside;
    next.oddInside[at] = last.oddInside;
    const length = run.end - run.start;
    if (length > RUN_MAX) continue;
    const isInside = isInToken(run);
    if (length >= 2) last[isInside ? 'longInside' : 'long'] = at;
    if (length % 2 === 1) last[isInside ? 'oddInside' : 'odd'] = at;
  }
  return next;
}

export function isInToken({ role }: DelimiterRun): boolean {
  return role === 'inToken' || role === 'inCode';
}
