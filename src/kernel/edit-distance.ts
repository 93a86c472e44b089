/**
 * Counts the letters that must be added, left out, changed, or swapped with the next one to make `b` of `a` (optimal
 * string alignment). The cost grows with both lengths multiplied, so callers bound what strangers write.
 * @param max gives up beyond it
 * @returns `Infinity` when it is more than `max`
 */
export function countEdits(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return Infinity;
  let twoBefore: readonly number[] = [];
  let before: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const change = a[row - 1] === b[column - 1] ? 0 : 1;
      let edits = Math.min(
        (before[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (before[column - 1] ?? 0) + change,
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        edits = Math.min(edits, (twoBefore[column - 2] ?? 0) + 1);
      }
      current.push(edits);
    }
    if (Math.min(...current) > max) return Infinity;
    twoBefore = before;
    before = current;
  }
  const edits = before[b.length] ?? 0;
  return edits > max ? Infinity : edits;
}

/** In names of at least this length, two letters may be wrong; in those of at least 4, one. */
const LONG_LENGTH_MIN = 6;
const SHORT_LENGTH_MIN = 4;
/** A shorter text is part of too many names. */
const PART_LENGTH_MIN = 3;

/** Counts the wrong letters of a name that somebody wrote. Returns `Infinity` when `name` cannot be meant. */
export function countSlips(written: string, name: string): number {
  if (written === `${name}s`) return 1;
  const { length } = name;
  return countEdits(written, name, length >= LONG_LENGTH_MIN ? 2 : length >= SHORT_LENGTH_MIN ? 1 : 0);
}

/** Finds the name that a text is part of, if only one has that part (`parse`), or that it differs from by a slip or two. */
export function findMeant(written: string, names: readonly string[]): string | null {
  if (names.includes(written)) return written;
  for (const isMeant of [
    (name: string) => written.length >= PART_LENGTH_MIN && name.includes(written),
    (name: string) => countSlips(written, name) < Infinity,
  ]) {
    const [found, ...others] = names.filter(isMeant);
    if (found !== undefined && others.length === 0) return found;
  }
  return null;
}
