import { countEdits } from '../../edit-distance.ts';
import { maskSecrets } from '../../secrets.ts';
import { BY_FOLDED_NAME } from './permission-names.ts';

// Longer than any name with a few slips; beyond that a comparison would only cost time.
const NAME_UNITS_MAX = 50;

/** The most units of a name that a problem repeats. */
const SHOWN_UNITS_MAX = 50;

/**
 * The canonical name most similar to `name`; null when no name has half of its letters right. Letters that are missing,
 * added, changed or swapped with their neighbour add to the distance.
 */
export function findNearestPermissionName(name: string): string | null {
  const folded = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  if (folded === '' || folded.length > NAME_UNITS_MAX) return null;
  let nearest: string | null = null;
  let distanceMax = Math.floor(folded.length / 2);
  for (const [candidate, permission] of BY_FOLDED_NAME) {
    const distance = countEdits(folded, candidate, distanceMax);
    if (distance > distanceMax) continue;
    nearest = permission.name;
    // Only a nearer one replaces it.
    distanceMax = distance - 1;
    if (distanceMax < 0) break;
  }
  return nearest;
}

/** Prepares a name that somebody typed for a problem: on one line, short, and without secrets. */
export function quoteName(name: string): string {
  // Masked before it is cut: the beginning of a token would no longer look like one.
  const printable = maskSecrets(name.toWellFormed().replaceAll(/[\p{C}\p{Z}]+/gu, ' '));
  return `"${printable.length > SHOWN_UNITS_MAX ? `${printable.slice(0, SHOWN_UNITS_MAX).toWellFormed()}…` : printable}"`;
}
