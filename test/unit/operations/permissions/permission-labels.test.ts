import { describe, expect, test } from 'vitest';

import {
  foldLabel,
  foldPhrase,
  listLabels,
  permissionLabel,
  PERMISSION_LABELS,
} from '../../../../src/operations/permissions/permission-labels.ts';
import {
  findPermission,
  readPermissionNames,
} from '../../../../src/operations/permissions/permission-names.ts';
import { SHORT_LABELS } from '../../../../src/operations/permissions/short-labels.ts';
import { PERMISSIONS } from '../../../../src/operations/permissions/permission-table.ts';
import { LANGUAGES } from '../../../../src/discord/locales/languages.ts';

const NAMES = PERMISSIONS.map(({ name }) => name);

test('the labels exist in every language of the bot', () => {
  expect([...PERMISSION_LABELS.keys()].toSorted()).toEqual([...LANGUAGES].toSorted());
});

describe.each([...PERMISSION_LABELS])('the labels of permissions in %s', (language, labels) => {
  test('name every permission in bit order, each differently', () => {
    expect([...labels.keys()]).toEqual(NAMES);
    expect(new Set([...labels.values()].map(foldLabel)).size).toBe(NAMES.length);
    expect([...labels.values()].filter((label) => label.trim() !== label || label === '')).toEqual([]);
  });

  test('are understood unchanged, in lower case, without accents, and in a list', () => {
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

  test('are still understood by their short names from before 2026, in a list and without commas', () => {
    for (const [name, labels] of Object.entries(SHORT_LABELS[language] ?? {})) {
      for (const label of labels) {
        const list = [label, label.toUpperCase(), ` ${label} `, `${label}, ${label}`, `${label} ${label}`];
        const read = list.map((text) => [
          text,
          [...new Set(readPermissionNames(text).known)].map((each) => each.name),
        ]);
        expect(read).toEqual(list.map((text) => [text, [name]]));
      }
    }
  });

  test('are understood without commas as well, and beside the canonical name', () => {
    const two = `${permissionLabel('MANAGE_ROLES', language)} ${permissionLabel('SEND_POLLS', language)}`;
    expect(readPermissionNames(two).known.map(({ name }) => name)).toEqual(['MANAGE_ROLES', 'SEND_POLLS']);
    const beside = `MANAGE_ROLES · ${permissionLabel('MANAGE_ROLES', language)}`;
    expect(readPermissionNames(beside)).toMatchObject({ unknown: [] });
  });
});

test('no two permissions share a label in any two languages, whatever the articles', () => {
  const owners = new Map<string, string>();
  for (const language of PERMISSION_LABELS.keys()) {
    for (const name of NAMES) {
      for (const label of listLabels(name, language)) {
        expect([label, owners.get(foldPhrase(label)) ?? name]).toEqual([label, name]);
        owners.set(foldPhrase(label), name);
      }
    }
  }
});

test('the short labels exist in every language but English, for the same permissions', () => {
  expect(Object.keys(SHORT_LABELS).toSorted()).toEqual(
    LANGUAGES.filter((language) => language !== 'en').toSorted(),
  );
  for (const labels of Object.values(SHORT_LABELS)) {
    expect(Object.keys(labels)).toEqual(
      expect.arrayContaining([
        'KICK_MEMBERS',
        'MANAGE_ROLES',
        'SEND_MESSAGES',
        'SEND_MESSAGES_IN_THREADS',
        'MANAGE_THREADS',
      ]),
    );
  }
});

test.each([
  ['de', 'und'],
  ['en', 'and'],
  ['es', 'y'],
  ['fr', 'et'],
  ['pt-BR', 'e'],
  ['ru', 'и'],
  ['tr', 've'],
])('names are joined by the word of the language for "and": %s', (language, and) => {
  const [ban = '', roles = '', send = ''] = ['BAN_MEMBERS', 'MANAGE_ROLES', 'SEND_MESSAGES'].map((name) =>
    listLabels(name, language).at(-1),
  );
  for (const text of [
    `${send} ${and} ${roles}`,
    `${send}, ${ban} ${and} ${roles}`,
    `${send}, ${ban}, ${and} ${roles}`,
  ]) {
    const { known, unknown } = readPermissionNames(text);
    const names = text.includes(',')
      ? ['SEND_MESSAGES', 'BAN_MEMBERS', 'MANAGE_ROLES']
      : ['SEND_MESSAGES', 'MANAGE_ROLES'];
    expect([text, known.map(({ name }) => name), unknown]).toEqual([text, names, []]);
  }
});

test.each([
  ['Gérer messages', 'MANAGE_MESSAGES'],
  ['gerer serveur', 'MANAGE_GUILD'],
  ['Gérer le salons', 'MANAGE_CHANNELS'],
  ['Envoyer de messages', 'SEND_MESSAGES'],
  ['bannir de membres', 'BAN_MEMBERS'],
  ['Utiliser commandes de application', 'USE_APPLICATION_COMMANDS'],
  ['Ver registro de auditoria', 'VIEW_AUDIT_LOG'],
  ['Gestionar el servidor', 'MANAGE_GUILD'],
  ['Expulsar a los miembros', 'KICK_MEMBERS'],
  ['Gerenciar o servidor', 'MANAGE_GUILD'],
  ['Den Server verwalten', 'MANAGE_GUILD'],
  ['Manage the Server', 'MANAGE_GUILD'],
  ['les', undefined],
  ['die', undefined],
])('articles are ignored: %s', (typed, name) => {
  expect(findPermission(typed)?.name).toBe(name);
});

test('an unknown language is shown in English, and an unknown permission by its name', () => {
  expect(permissionLabel('MANAGE_GUILD', 'ja')).toBe('Manage Server');
  expect(permissionLabel('NEW_ONE', 'de')).toBe('NEW_ONE');
});
