import { Problem } from '../kernel/problem.ts';
import type { Operation } from './operation.ts';

/** Used in place of names: all operations, including those that later versions add. */
export const ALL_OPERATIONS = 'all';
/** Used in place of names: today's operations that reveal nothing about the members of a server. */
export const ALL_BUT_MEMBERS = 'all-but-members';

/**
 * Reads the operations that somebody chose for a key. Returns names in the order of the list; null for all operations.
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
  const names = operations.map(({ name }) => name);
  const unknown = [...wanted].find((name) => !names.includes(name));
  if (wanted.size === 0 || unknown !== undefined) {
    throw new Problem(unknown === undefined ? 'invalid_field/operations' : 'invalid_field/operation', {
      field: 'operations',
      values: {
        name: unknown ?? '',
        all: ALL_OPERATIONS,
        all_but_members: ALL_BUT_MEMBERS,
        names: names.join(', '),
      },
    });
  }
  return names.filter((name) => wanted.has(name));
}
