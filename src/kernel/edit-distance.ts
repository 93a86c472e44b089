/**
 * Counts the letters to add, remove, change, or swap with the next one to turn `a` into `b` (optimal string
 * alignment). The cost grows with the product of both lengths, so callers must limit the length of untrusted input.
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

/** Names of at least this length may have two typos, and those of at least `SHORT_LENGTH_MIN` one. */
const LONG_LENGTH_MIN = 6;
const SHORT_LENGTH_MIN = 4;
/** Shorter strings are part of too many names. */
const PART_LENGTH_MIN = 3;

/** Returns `Infinity` if `written` is too different to be a misspelt `name`. */
export function countTypos(written: string, name: string): number {
  if (written === `${name}s`) return 1;
  return countEdits(written, name, typosMax(name));
}

/** True when `written` may be the beginning of `name`, with a typo or two. It is for what is still being typed. */
export function mayBegin(written: string, name: string): boolean {
  const max = typosMax(written);
  if (written.length > name.length + max) return false;
  // A letter too many or too few moves the end of the beginning.
  return [0, 1, -1].some((more) => {
    return countEdits(written, name.slice(0, written.length + more), max) < Infinity;
  });
}

function typosMax({ length }: string): number {
  if (length >= LONG_LENGTH_MIN) return 2;
  return length >= SHORT_LENGTH_MIN ? 1 : 0;
}

/** Returns the only name that contains `written` (`parse`), or else the only one within a typo or two. */
export function findClosest(written: string, names: readonly string[]): string | null {
  if (names.includes(written)) return written;
  for (const isMatch of [
    (name: string) => written.length >= PART_LENGTH_MIN && name.includes(written),
    (name: string) => countTypos(written, name) < Infinity,
  ]) {
    const [found, ...others] = names.filter(isMatch);
    if (found !== undefined && others.length === 0) return found;
  }
  return null;
}
