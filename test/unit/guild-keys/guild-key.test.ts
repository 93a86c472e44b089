import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  digestKey,
  generateKey,
  generateKeyId,
  hasKeyShape,
  hasRightChecksum,
  isGuildId,
  keyIdOf,
  guildPartOf,
  toGuildId,
  toGuildPart,
  toPublicPart,
} from '../../../src/guild-keys/guild-key.ts';

const SNOWFLAKE = '123456789012345678';
const guildIds = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
const seeded = { seed: 20_260_101, numRuns: 300 };

describe('a key', () => {
  test('has 58 characters that every bot builder can put into a header', () => {
    const key = generateKey(SNOWFLAKE, 'ab3Z0');
    expect(key).toMatch(/^qm_[0-9A-Za-z]{16}_[0-9A-Za-z]{38}$/);
    expect(key).toHaveLength(58);
    expect(key.startsWith(toPublicPart(SNOWFLAKE, 'ab3Z0'))).toBe(true);
    expect(toPublicPart(SNOWFLAKE, 'ab3Z0')).toBe('qm_097Qs0B7n2Mab3Z0');
  });

  test('holds its guild and its id for every unsigned 64-bit id', () => {
    fc.assert(
      fc.property(guildIds, (guildId) => {
        const keyId = generateKeyId();
        const key = generateKey(guildId, keyId);
        expect(hasKeyShape(key) && hasRightChecksum(key)).toBe(true);
        expect(keyIdOf(key)).toBe(keyId);
        expect(guildPartOf(key)).toBe(toGuildPart(guildId));
        expect(toGuildId(guildPartOf(key))).toBe(guildId);
      }),
      seeded,
    );
  });

  test('is never generated twice', () => {
    const keys = new Set(Array.from({ length: 2_000 }, () => generateKey('0', '00000')));
    expect(keys.size).toBe(2_000);
  });

  test('fails its checksum if any one character changes', () => {
    const key = generateKey(SNOWFLAKE, 'abcde');
    for (let at = 3; at < 58; at += 1) {
      if (key.charAt(at) === '_') continue;
      const wrong = `${key.slice(0, at)}${key.charAt(at) === 'x' ? 'y' : 'x'}${key.slice(at + 1)}`;
      expect(hasKeyShape(wrong)).toBe(true);
      expect(hasRightChecksum(wrong), `position ${at}`).toBe(false);
    }
  });

  test('is stored as the SHA-256 of all of it', () => {
    expect(digestKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  const key = generateKey(SNOWFLAKE, 'abcde');
  test.each([
    ['half of it', key.slice(0, 30)],
    ['one character too few', key.slice(0, -1)],
    ['one too many', `${key}0`],
    ['a line break after it', `${key}\n`],
    ['a space before it', ` ${key}`],
    ['another prefix', `QM_${key.slice(3)}`],
    ['a character from outside', `${key.slice(0, 40)}é${key.slice(41)}`],
    ['nothing', ''],
    ['a megabyte', 'q'.repeat(1_048_576)],
  ])('is malformed: %s', (_, text) => {
    expect(hasKeyShape(text)).toBe(false);
  });
});

describe('the id of a guild', () => {
  test.each(['0', '1', SNOWFLAKE, '18446744073709551615'])('is valid: %s', (id) => {
    expect(isGuildId(id)).toBe(true);
  });

  test.each([
    '',
    '-1',
    '007',
    '1.5',
    '1e3',
    ' 1',
    '18446744073709551616',
    '99999999999999999999',
    '0x1',
    '１',
  ])('is invalid: %j', (id) => {
    expect(isGuildId(id)).toBe(false);
    expect(() => toGuildPart(id)).toThrow(RangeError);
  });

  test('is invalid if it exceeds 64 bits in an invented key', () => {
    expect(toGuildId('zzzzzzzzzzz')).toBeNull();
  });
});
