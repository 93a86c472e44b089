import { describe, expect, test } from 'vitest';

import {
  foldLabel,
  permissionLabel,
  PERMISSION_LABELS,
} from '../../../src/operations/permissions/permission-labels.ts';
import { findPermission, readPermissionNames } from '../../../src/operations/permissions/permission-names.ts';
import { PERMISSIONS } from '../../../src/operations/permissions/permission-table.ts';
import { LANGUAGES } from '../../../src/discord/locales/languages.ts';

const NAMES = PERMISSIONS.map(({ name }) => name);

test('the labels are there in every language of the bot', () => {
  expect([...PERMISSION_LABELS.keys()].toSorted()).toEqual([...LANGUAGES].toSorted());
});

describe.each([...PERMISSION_LABELS])('the labels of permissions in %s', (language, labels) => {
  test('name every permission, in the order of their bits, each by a name of its own', () => {
    expect([...labels.keys()]).toEqual(NAMES);
    expect(new Set([...labels.values()].map(foldLabel)).size).toBe(NAMES.length);
    expect([...labels.values()].filter((label) => label.trim() !== label || label === '')).toEqual([]);
  });

  test('are understood as they are, in lower case, without accents, and in a list', () => {
    for (const [name, label] of labels) {
      const plain = label.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
      expect([label, label.toLowerCase(), plain].map((each) => findPermission(each)?.name)).toEqual([
        name,
        name,
        name,
      ]);
    }
    const inList = NAMES.map((name) => permissionLabel(name, language).replaceAll(',', ''));
    expect(readPermissionNames(inList.join(', '))).toMatchObject({
      known: NAMES.map((name) => ({ name })),
      unknown: [],
    });
  });

  test('are read without commas as well, and beside the canonical name', () => {
    const two = `${permissionLabel('MANAGE_ROLES', language)} ${permissionLabel('SEND_POLLS', language)}`;
    expect(readPermissionNames(two).known.map(({ name }) => name)).toEqual(['MANAGE_ROLES', 'SEND_POLLS']);
    const beside = `MANAGE_ROLES · ${permissionLabel('MANAGE_ROLES', language)}`;
    expect(readPermissionNames(beside)).toMatchObject({ unknown: [] });
  });
});

test('a language that is not there is shown in English, and an unknown permission by its name', () => {
  expect(permissionLabel('MANAGE_GUILD', 'ja')).toBe('Manage Server');
  expect(permissionLabel('NEW_ONE', 'de')).toBe('NEW_ONE');
});
