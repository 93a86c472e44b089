import type { Run, Style } from './inline.ts';

/** `*`, `_`, `~` and `~~`, each of four lengths as far as they matter. */
const KINDS = 16;

/**
 * Pairs runs of `*`, `_` and `~` as CommonMark does. For each kind of run it remembers below which opener there is
 * none that fits, so that the work stays linear.
 */
export function pairRuns(runs: readonly Run[]): void {
  // Openers that are still open, as a list of indexes; what a pair encloses falls out of it.
  const open: number[] = [];
  const floors = new Int32Array(KINDS);
  for (const [index, run] of runs.entries()) {
    if (run.canClose) closeWith(runs, run, open, floors);
    if (run.canOpen && run.rest > 0) open.push(index);
  }
}

function closeWith(runs: readonly Run[], closer: Run, open: number[], floors: Int32Array): void {
  const kind = kindOf(closer);
  while (closer.rest > 0) {
    const floor = floors[kind] ?? 0;
    let place = open.length - 1;
    while (place >= floor && !fits(runs[open[place] ?? 0], closer)) place -= 1;
    const opener = place >= floor ? runs[open[place] ?? 0] : undefined;
    if (opener === undefined) {
      floors[kind] = open.length;
      return;
    }
    const isDouble = opener.rest >= 2 && closer.rest >= 2;
    const used = closer.sign === '~' ? closer.length : isDouble ? 2 : 1;
    const style: Style = closer.sign === '~' ? 'strike' : isDouble ? 'strong' : 'emphasis';
    opener.rest -= used;
    closer.rest -= used;
    (opener.opens ??= []).push(style);
    (closer.closes ??= []).push(style);
    open.length = opener.rest > 0 ? place + 1 : place;
    // What was known of openers that are gone says nothing of those that come in their places.
    for (let each = 0; each < KINDS; each += 1) {
      if ((floors[each] ?? 0) > open.length) floors[each] = open.length;
    }
  }
}

/** Runs of one kind fit the same openers: 0 to KINDS - 1. */
function kindOf({ sign, length, canOpen }: Run): number {
  const signs = sign === '*' ? 0 : sign === '_' ? 1 : length + 1;
  return signs * 4 + (canOpen ? length % 3 : 3);
}

function fits(opener: Run | undefined, closer: Run): boolean {
  if (opener === undefined || opener.sign !== closer.sign || opener.rest === 0) return false;
  if (closer.sign === '~') return opener.length === closer.length;
  const isMixed = opener.canClose || closer.canOpen;
  return (
    !isMixed ||
    (opener.length + closer.length) % 3 !== 0 ||
    (opener.length % 3 === 0 && closer.length % 3 === 0)
  );
}
