import { maskSecrets } from '../../secrets.ts';
import { BY_FOLDED_NAME } from './permission-names.ts';

// Longer than any name with a few slips; beyond that a comparison would only cost time.
const NAME_UNITS_MAX = 50;

/** The most units of a name that a problem repeats. */
const SHOWN_UNITS_MAX = 50;

const CANDIDATES = [...BY_FOLDED_NAME].map(([folded, { name }]) => ({
  folded,
  name,
  letters: countLetters(folded),
}));

/**
 * The canonical name most similar to `name`; null when no name has half of its letters right. Letters that are missing,
 * added, changed or swapped with their neighbour add to the distance.
 */
export function findNearestPermissionName(name: string): string | null {
  const folded = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  if (folded === '' || folded.length > NAME_UNITS_MAX) return null;
  const letters = countLetters(folded);
  let nearest: string | null = null;
  let distanceMax = Math.floor(folded.length / 2);
  for (const candidate of CANDIDATES) {
    if (countSurplus(letters, candidate.letters) > distanceMax) continue;
    const distance = countEdits(folded, candidate.folded, distanceMax);
    if (distance > distanceMax) continue;
    nearest = candidate.name;
    // Only a nearer one replaces it.
    distanceMax = distance - 1;
    if (distanceMax < 0) break;
  }
  return nearest;
}

function countLetters(folded: string): Uint8Array {
  const letters = new Uint8Array(26);
  for (let at = 0; at < folded.length; at += 1) {
    const letter = folded.charCodeAt(at) - 97;
    letters[letter] = (letters[letter] ?? 0) + 1;
  }
  return letters;
}

/** The edits that the letters alone require, in any order. Rules out most candidates at little cost. */
function countSurplus(a: Uint8Array, b: Uint8Array): number {
  let onlyInA = 0;
  let onlyInB = 0;
  for (let letter = 0; letter < 26; letter += 1) {
    const difference = (a[letter] ?? 0) - (b[letter] ?? 0);
    if (difference > 0) onlyInA += difference;
    else onlyInB -= difference;
  }
  return Math.max(onlyInA, onlyInB);
}

/** Optimal string alignment distance; gives up with a larger number as soon as it must exceed `max`. */
function countEdits(a: string, b: string, max: number): number {
  let beforePrevious = new Uint8Array(b.length + 1);
  let previous = Uint8Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = new Uint8Array(b.length + 1);
    current[0] = row;
    let least = row;
    for (let column = 1; column <= b.length; column += 1) {
      const change = a[row - 1] === b[column - 1] ? 0 : 1;
      let edits = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + change,
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        edits = Math.min(edits, (beforePrevious[column - 2] ?? 0) + 1);
      }
      current[column] = edits;
      if (edits < least) least = edits;
    }
    if (least > max) return max + 1;
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? max + 1;
}

/** Prepares a name that somebody typed for a problem: on one line, short, and without secrets. */
export function quoteName(name: string): string {
  // Masked before it is cut: the beginning of a token would no longer look like one.
  const printable = maskSecrets(name.toWellFormed().replaceAll(/[\p{C}\p{Z}]+/gu, ' '));
  return `"${printable.length > SHOWN_UNITS_MAX ? `${printable.slice(0, SHOWN_UNITS_MAX).toWellFormed()}…` : printable}"`;
}
