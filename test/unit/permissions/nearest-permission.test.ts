import { expect, test } from 'vitest';

import { findNearestPermissionName } from '../../../src/operations/permissions/nearest-permission.ts';

test.each([
  ['a letter too many', 'SPEEAK', 'SPEAK'],
  ['a letter too few', 'SPEK', 'SPEAK'],
  ['two letters swapped', 'SPAEK', 'SPEAK'],
  ['another letter', 'SPEAR', 'SPEAK'],
  ['nothing wrong but the spelling', 'sp eak!', 'SPEAK'],
  ['half of the letters right', 'SPEQQQ', 'SPEAK'],
  ['fewer than half of them right', 'SPQQQQ', null],
  ['no letter at all', '_1_', null],
  ['nothing', '', null],
  ['50 letters', `CREATE_GUILD_EXPRESSIONS${'_'.repeat(99)}${'s'.repeat(28)}`, null],
  ['more letters than any name has', 'SEND_MESSAGES'.repeat(5), null],
])('a name with %s', (_, typed, nearest) => {
  expect(findNearestPermissionName(typed)).toBe(nearest);
});

test('of two names that are equally near, the first of the table is meant', () => {
  expect(findNearestPermissionName('MUTE_MEMBER')).toBe('MUTE_MEMBERS');
  expect(findNearestPermissionName('MANAGE_ROLE')).toBe('MANAGE_ROLES');
});
