import { findClosest } from '../kernel/edit-distance.ts';
import { Problem, type ProblemTextKey } from '../kernel/problem.ts';
import type { Operation } from './operation.ts';

/** Stands for all operations, including those that later versions add. */
export const ALL_OPERATIONS = 'all';
/** Stands for today's operations that reveal no facts about the members of a server. */
export const ALL_BUT_MEMBERS = 'all-but-members';

/**
 * Reads the operations that a user chose for a key. Returns names in the order of the list, or null for all operations.
 * @param given `all`, `all-but-members`, or names separated by commas; spaces count as hyphens
 * @throws Problem `invalid_field`
 */
export function readOperations(given: string, operations: readonly Operation[]): readonly string[] | null {
  const wanted = new Set(
    given
      .split(',')
      .map((part) => part.trim().toLowerCase().replaceAll(/\s+/g, '-'))
      .filter((part) => part !== ''),
  );
  const [only] = wanted;
  if (wanted.size === 1 && only === ALL_OPERATIONS) return null;
  if (wanted.size === 1 && only === ALL_BUT_MEMBERS) {
    return operations.filter(({ aboutMembers }) => !aboutMembers).map(({ name }) => name);
  }
  const whole = [ALL_OPERATIONS, ALL_BUT_MEMBERS].find((name) => wanted.has(name));
  if (whole !== undefined) {
    throw new Problem('invalid_field/operation_alone', { field: 'operations', values: { name: whole } });
  }
  const names = operations.map(({ name }) => name);
  const unknown = [...wanted].find((name) => !names.includes(name));
  if (wanted.size === 0 || unknown !== undefined) {
    const meant = unknown === undefined ? null : findClosest(unknown, names);
    throw new Problem(problemTextKey(unknown, meant), {
      field: 'operations',
      values: {
        name: unknown ?? '',
        meant: meant ?? '',
        all: ALL_OPERATIONS,
        all_but_members: ALL_BUT_MEMBERS,
        names: names.join(', '),
      },
    });
  }
  return names.filter((name) => wanted.has(name));
}

function problemTextKey(unknown: string | undefined, meant: string | null): ProblemTextKey {
  if (unknown === undefined) return 'invalid_field/operations';
  return meant === null ? 'invalid_field/operation' : 'invalid_field/operation_misspelt';
}
