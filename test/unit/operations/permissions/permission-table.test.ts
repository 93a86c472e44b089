import { PermissionFlagsBits } from 'discord-api-types/v10';
import { PermissionsBitField } from 'discord.js';
import { describe, expect, test } from 'vitest';

import type { OperationContext } from '../../../../src/operations/operation.ts';
import { listPermissions } from '../../../../src/operations/permissions/operation.ts';
import { findPermission } from '../../../../src/operations/permissions/permission-names.ts';
import { PERMISSION_ALIASES, PERMISSIONS } from '../../../../src/operations/permissions/permission-table.ts';

/** `Permissions.FLAGS` of discord.js 13.17.1, its last version, by their bits. */
const FLAGS_OF_DISCORD_JS_13 = {
  CREATE_INSTANT_INVITE: 0,
  KICK_MEMBERS: 1,
  BAN_MEMBERS: 2,
  ADMINISTRATOR: 3,
  MANAGE_CHANNELS: 4,
  MANAGE_GUILD: 5,
  ADD_REACTIONS: 6,
  VIEW_AUDIT_LOG: 7,
  PRIORITY_SPEAKER: 8,
  STREAM: 9,
  VIEW_CHANNEL: 10,
  SEND_MESSAGES: 11,
  SEND_TTS_MESSAGES: 12,
  MANAGE_MESSAGES: 13,
  EMBED_LINKS: 14,
  ATTACH_FILES: 15,
  READ_MESSAGE_HISTORY: 16,
  MENTION_EVERYONE: 17,
  USE_EXTERNAL_EMOJIS: 18,
  VIEW_GUILD_INSIGHTS: 19,
  CONNECT: 20,
  SPEAK: 21,
  MUTE_MEMBERS: 22,
  DEAFEN_MEMBERS: 23,
  MOVE_MEMBERS: 24,
  USE_VAD: 25,
  CHANGE_NICKNAME: 26,
  MANAGE_NICKNAMES: 27,
  MANAGE_ROLES: 28,
  MANAGE_WEBHOOKS: 29,
  MANAGE_EMOJIS_AND_STICKERS: 30,
  USE_APPLICATION_COMMANDS: 31,
  REQUEST_TO_SPEAK: 32,
  MANAGE_EVENTS: 33,
  MANAGE_THREADS: 34,
  USE_PUBLIC_THREADS: 35,
  CREATE_PUBLIC_THREADS: 35,
  USE_PRIVATE_THREADS: 36,
  CREATE_PRIVATE_THREADS: 36,
  USE_EXTERNAL_STICKERS: 37,
  SEND_MESSAGES_IN_THREADS: 38,
  START_EMBEDDED_ACTIVITIES: 39,
  MODERATE_MEMBERS: 40,
  VIEW_CREATOR_MONETIZATION_ANALYTICS: 41,
  USE_SOUNDBOARD: 42,
  SEND_VOICE_MESSAGES: 46,
};

describe('the table of permissions', () => {
  test('has exactly the bits that discord-api-types knows', () => {
    const theirs = new Set(Object.values(PermissionFlagsBits));
    const ours = PERMISSIONS.map(({ bit }) => 1n << BigInt(bit));
    expect(new Set(ours)).toEqual(theirs);
  });

  test.each(Object.entries(PermissionFlagsBits))('includes %s of discord-api-types', (name, value) => {
    expect(1n << BigInt(findPermission(name)?.bit ?? -1)).toBe(value);
  });

  test.each(Object.entries(PermissionsBitField.Flags))('includes %s of discord.js 14', (name, value) => {
    expect(1n << BigInt(findPermission(name)?.bit ?? -1)).toBe(value);
  });

  test.each(Object.entries(FLAGS_OF_DISCORD_JS_13))('includes %s of discord.js 13', (name, bit) => {
    expect(findPermission(name)?.bit).toBe(bit);
  });

  test('is in the order of bits, with consistent names', () => {
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

  test('has aliases for existing permissions, each for one of them', () => {
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
    const { value } = await listPermissions.answer({}, {} as OperationContext);
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
