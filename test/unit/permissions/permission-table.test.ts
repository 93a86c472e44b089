import { PermissionFlagsBits } from 'discord-api-types/v10';
import { PermissionsBitField } from 'discord.js';
import { Permissions } from 'discord.js-13';
import { describe, expect, test } from 'vitest';

import type { OperationContext } from '../../../src/operations/operation.ts';
import { listPermissions } from '../../../src/operations/permissions/operation.ts';
import { findPermission } from '../../../src/operations/permissions/permission-names.ts';
import { PERMISSION_ALIASES, PERMISSIONS } from '../../../src/operations/permissions/permission-table.ts';

describe('the table of permissions', () => {
  test('has every bit that discord-api-types knows, and no other', () => {
    const theirs = new Set(Object.values(PermissionFlagsBits));
    const ours = PERMISSIONS.map(({ bit }) => 1n << BigInt(bit));
    expect(new Set(ours)).toEqual(theirs);
  });

  test.each(Object.entries(PermissionFlagsBits))('knows %s of discord-api-types', (name, value) => {
    expect(1n << BigInt(findPermission(name)?.bit ?? -1)).toBe(value);
  });

  test.each(Object.entries(PermissionsBitField.Flags))('knows %s of discord.js 14', (name, value) => {
    expect(1n << BigInt(findPermission(name)?.bit ?? -1)).toBe(value);
  });

  test.each(Object.entries(Permissions.FLAGS))('knows %s of discord.js 13', (name, value) => {
    expect(1n << BigInt(findPermission(name)?.bit ?? -1)).toBe(value);
  });

  test('is in the order of bits, with names that are written alike', () => {
    const bits = PERMISSIONS.map(({ bit }) => bit);
    expect(bits).toEqual(bits.toSorted((a, b) => a - b));
    for (const { name, description } of PERMISSIONS) {
      expect(name).toMatch(/^[A-Z]+(?:_[A-Z]+)*$/);
      expect(description).toMatch(/^[A-Z].*\.$/);
    }
  });

  test('marks those that need two-factor authentication', () => {
    expect(PERMISSIONS.filter(({ elevated }) => elevated).map(({ name }) => name)).toEqual([
      'KICK_MEMBERS',
      'BAN_MEMBERS',
      'ADMINISTRATOR',
      'MANAGE_CHANNELS',
      'MANAGE_GUILD',
      'MANAGE_MESSAGES',
      'MANAGE_ROLES',
      'MANAGE_WEBHOOKS',
      'MANAGE_GUILD_EXPRESSIONS',
      'MANAGE_THREADS',
      'VIEW_CREATOR_MONETIZATION_ANALYTICS',
    ]);
  });

  test('has aliases for permissions that exist, each for one of them', () => {
    const names = PERMISSIONS.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(PERMISSION_ALIASES)));
    for (const [name, aliases] of Object.entries(PERMISSION_ALIASES)) {
      for (const alias of [name, ...aliases])
        expect([alias, findPermission(alias)?.name]).toEqual([alias, name]);
    }
  });
});

describe('the list of permissions', () => {
  test('shows name, bit, value, description and channel types', async () => {
    const { value } = await listPermissions.handle({}, {} as OperationContext);
    expect(value).toMatchObject({ ok: true, count: PERMISSIONS.length });
    expect(value['permissions']).toContainEqual({
      name: 'BYPASS_SLOWMODE',
      bit: 52,
      value: '4503599627370496',
      elevated: false,
      description: 'Write without waiting for slowmode.',
      channel_types: ['text', 'voice', 'stage'],
    });
  });
});
