import { describe, expect, test } from 'vitest';

import {
  findEndedKey,
  findKeys,
  findOlderSecrets,
  mayMean,
  toShownKey,
} from '../../../src/guild-keys/find-keys.ts';
import { generateKey } from '../../../src/guild-keys/guild-key.ts';
import type { KeyEntry, KeyState } from '../../../src/guild-keys/guild-keys.ts';
import { GUILD } from '../../fixtures/guild-key-harness.ts';

function entry(keyId: string, name: string, state: KeyState = 'current'): KeyEntry {
  return {
    keyId,
    publicPart: toShownKey(generateKey(GUILD, keyId)),
    name,
    createdBy: '42',
    createdAt: 0,
    expiresAt: null,
    revokedAt: null,
    replacedBy: null,
    flat: false,
    always200: false,
    builder: null,
    operations: null,
    state,
  };
}

const current = entry('aaaaa', 'Café');
const replaced = entry('bbbbb', 'café', 'replaced');
const older = entry('ccccc', 'CAFE\u0301', 'replaced');
const revoked = entry('ddddd', 'café', 'revoked');
const other = entry('eeeee', 'shop', 'replaced');
const all = [replaced, older, current, revoked, other];

describe('the key that a user names', () => {
  test.each([
    ['its id', 'bbbbb'],
    ['its public part', replaced.publicPart],
    ['the whole key, secret and all', ` ${generateKey(GUILD, 'bbbbb')} `],
  ])('is found by %s', (_, typed) => {
    expect(findKeys(all, typed)).toEqual([replaced]);
  });

  test('is the working one with that name, whatever the accents and capitals', () => {
    for (const typed of ['café', ' CAFÉ', 'Cafe\u0301']) expect(findKeys(all, typed)).toEqual([current]);
  });

  test('may be replaced if no working key has the name, but never revoked', () => {
    expect(findKeys([replaced, older, revoked, other], 'café')).toEqual([replaced, older]);
    expect(findKeys([revoked, other], 'café')).toEqual([]);
  });

  test('has ended if no other has that name, and is the one that ended last', () => {
    const later = { ...entry('fffff', 'Café', 'revoked'), revokedAt: 2 };
    const expired = { ...entry('ggggg', 'café', 'expired'), expiresAt: 1 };
    expect(findEndedKey([current, expired, later], 'CAFÉ')).toEqual(later);
    expect(findEndedKey([current, later, expired], expired.publicPart)).toEqual(expired);
    expect(findEndedKey([current, replaced], 'café')).toBeNull();
  });

  test('is suggested while its name or its public part is typed', () => {
    expect(mayMean(current, 'AF')).toBe(true);
    expect(mayMean(current, current.publicPart.slice(3, 9))).toBe(true);
    expect(mayMean(current, generateKey(GUILD, 'aaaaa'))).toBe(true);
    expect(mayMean(current, 'shop')).toBe(false);
  });

  test('is never shown with its secret', () => {
    const key = generateKey(GUILD, 'aaaaa');
    expect(toShownKey(`${key}\n`)).toBe(current.publicPart);
    expect(current.publicPart).not.toContain(key.slice(-38));
    expect(toShownKey(' shop ')).toBe('shop');
  });
});

test('the older secrets of a key are the others of its name that still work', () => {
  expect(findOlderSecrets(all, current)).toEqual([replaced, older]);
  expect(findOlderSecrets(all, replaced)).toEqual([older]);
  expect(findOlderSecrets(all, other)).toEqual([]);
});
