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
