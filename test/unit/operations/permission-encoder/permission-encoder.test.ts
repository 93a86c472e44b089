import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { OperationContext } from '../../../../src/operations/operation.ts';
import { permissionEncoder } from '../../../../src/operations/permission-encoder/operation.ts';
import { PERMISSIONS } from '../../../../src/operations/permissions/permission-table.ts';
import { Problem } from '../../../../src/kernel/problem.ts';
import { quickOrFull } from '../../../fixtures/full-run.ts';

const context = {} as OperationContext;

async function encode(permissions: unknown) {
  return (await permissionEncoder.answer({ permissions }, context)).value;
}

async function problemOf(raw: Readonly<Record<string, unknown>>): Promise<Problem> {
  const outcome = await permissionEncoder.answer(raw, context).catch((error: unknown) => error);
  if (outcome instanceof Problem) return outcome;
  throw new Error('No problem was raised.');
}

const SPELLINGS = [
  (name: string) => name,
  (name: string) => name.toLowerCase().replaceAll('_', ' '),
  (name: string) => name.replaceAll('_', '-'),
];

describe('encoding', () => {
  test('returns the bit field, its hexadecimal form, the names in bit order and the elevated ones', async () => {
    expect(await encode(['SEND_MESSAGES', 'ADD_REACTIONS'])).toEqual({
      ok: true,
      bitfield: '2112',
      hex: '0x840',
      count: 2,
      permissions: ['ADD_REACTIONS', 'SEND_MESSAGES'],
      elevated: [],
    });
    expect(await encode(['BYPASS_SLOWMODE', 'ADMINISTRATOR', 'BYPASS_SLOWMODE'])).toEqual({
      ok: true,
      bitfield: '4503599627370504',
      hex: '0x10000000000008',
      count: 2,
      permissions: ['ADMINISTRATOR', 'BYPASS_SLOWMODE'],
      elevated: ['ADMINISTRATOR'],
    });
  });

  test.each([
    [[], []],
    ['', []],
    [' ', []],
    // A list that a form or a builder has written as text.
    ['[]', []],
    [' [ ] ', []],
    ['["SPEAK"]', ['SPEAK']],
    [['', 'SPEAK', ' '], ['SPEAK']],
    ['SEND_MESSAGES', ['SEND_MESSAGES']],
    ['send_messages', ['SEND_MESSAGES']],
    ['Send Messages', ['SEND_MESSAGES']],
    ['send-messages', ['SEND_MESSAGES']],
    ['SendMessages', ['SEND_MESSAGES']],
    ['sendmessages', ['SEND_MESSAGES']],
    ['  SEND_MESSAGES  ', ['SEND_MESSAGES']],
    ['SEND\u200b_MESSAGES', ['SEND_MESSAGES']],
    ['ＳＥＮＤ＿ＭＥＳＳＡＧＥＳ', ['SEND_MESSAGES']],
    ['SendTTSMessages', ['SEND_TTS_MESSAGES']],
    ['UseVAD', ['USE_VAD']],
    ['ManageGuild', ['MANAGE_GUILD']],
    ['MANAGE_SERVER', ['MANAGE_GUILD']],
    ['MANAGE_EMOJIS_AND_STICKERS', ['MANAGE_GUILD_EXPRESSIONS']],
    ['MANAGE_EMOJIS', ['MANAGE_GUILD_EXPRESSIONS']],
    ['USE_SLASH_COMMANDS', ['USE_APPLICATION_COMMANDS']],
    ['START_EMBEDDED_ACTIVITIES', ['USE_EMBEDDED_ACTIVITIES']],
    ['TIMEOUT_MEMBERS', ['MODERATE_MEMBERS']],
    ['READ_MESSAGES', ['VIEW_CHANNEL']],
    ['USE_PUBLIC_THREADS', ['CREATE_PUBLIC_THREADS']],
    ['manage_permissions', ['MANAGE_ROLES']],
    ['admin', ['ADMINISTRATOR']],
    // One text with separators.
    ['SEND_MESSAGES,SPEAK', ['SEND_MESSAGES', 'SPEAK']],
    ['Send Messages, Speak,', ['SEND_MESSAGES', 'SPEAK']],
    ['SEND_MESSAGES;SPEAK', ['SEND_MESSAGES', 'SPEAK']],
    ['SEND_MESSAGES|SPEAK', ['SEND_MESSAGES', 'SPEAK']],
    ['SEND_MESSAGES\nSPEAK\r\nSTREAM', ['STREAM', 'SEND_MESSAGES', 'SPEAK']],
    ['["SEND_MESSAGES", "SPEAK"]', ['SEND_MESSAGES', 'SPEAK']],
    [
      ['SEND_MESSAGES, SPEAK', 'STREAM'],
      ['STREAM', 'SEND_MESSAGES', 'SPEAK'],
    ],
    ['Mention @everyone, @here, and All Roles', ['MENTION_EVERYONE']],
    // One text of words: the longest name wins.
    ['SEND_MESSAGES SPEAK', ['SEND_MESSAGES', 'SPEAK']],
    ['send messages in threads', ['SEND_MESSAGES_IN_THREADS']],
    ['send messages manage guild speak', ['MANAGE_GUILD', 'SEND_MESSAGES', 'SPEAK']],
    ['manage guild expressions', ['MANAGE_GUILD_EXPRESSIONS']],
    ['kick ban members', ['KICK_MEMBERS', 'BAN_MEMBERS']],
    ['VIEW_GUILD_ANALYTICS', ['VIEW_GUILD_INSIGHTS']],
    ['Server Insights', ['VIEW_GUILD_INSIGHTS']],
    ['View Server Insights', ['VIEW_GUILD_INSIGHTS']],
    // The last one led by "and".
    ['Send Messages and Speak', ['SEND_MESSAGES', 'SPEAK']],
    ['Send Messages & Speak', ['SEND_MESSAGES', 'SPEAK']],
    ['Send Messages, Stream, and Speak', ['STREAM', 'SEND_MESSAGES', 'SPEAK']],
    ['Send Messages, Stream and Speak', ['STREAM', 'SEND_MESSAGES', 'SPEAK']],
    ['SEND_MESSAGES, AND SPEAK', ['SEND_MESSAGES', 'SPEAK']],
    ['Manage Emojis and Stickers and Speak', ['SPEAK', 'MANAGE_GUILD_EXPRESSIONS']],
    ['Speak, Manage Emojis and Stickers', ['SPEAK', 'MANAGE_GUILD_EXPRESSIONS']],
    ['Speak, and Mention @everyone', ['MENTION_EVERYONE', 'SPEAK']],
    [
      ['SPEAK', 'and Stream'],
      ['STREAM', 'SPEAK'],
    ],
  ])('accepts %j', async (given, permissions) => {
    expect(await encode(given)).toMatchObject({ permissions, count: permissions.length });
  });

  test('reads any set of names in any order and spelling as the sum of their bits', () =>
    fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...PERMISSIONS]),
        fc.constantFrom(...SPELLINGS),
        async (set, spell) => {
          const names = set.map(({ name }) => spell(name));
          const bitfield = set.reduce((sum, { bit }) => sum + (1n << BigInt(bit)), 0n).toString();
          expect(await encode(names)).toMatchObject({ bitfield, count: set.length });
          expect(await encode(names.join(', '))).toMatchObject({ bitfield });
          expect(await encode(names.join(' '))).toMatchObject({ bitfield });
        },
      ),
      { seed: 5, numRuns: quickOrFull(80, 300) },
    ));
});

describe('a misspelt name with one right word', () => {
  test.each([
    ['Ban Membrs', 'Unknown permission: "Ban Membrs" (did you mean BAN_MEMBERS?).'],
    ['mute Membrs', 'Unknown permission: "mute Membrs" (did you mean MUTE_MEMBERS?).'],
    [['ADD_REACTIONS', 'Ban Membrs'], 'Unknown permission: "Ban Membrs" (did you mean BAN_MEMBERS?).'],
    ['Ban Fooo', 'Unknown permission: "Fooo".'],
    ['Ban CONECT', 'Unknown permission: "CONECT" (did you mean CONNECT?).'],
  ])('gets its suggestion: %j', async (permissions, error) => {
    expect((await problemOf({ permissions })).message).toBe(error);
  });
});

describe('client_id', () => {
  test('adds a URL that invites the bot with these permissions', async () => {
    const input = { permissions: ['SEND_MESSAGES', 'BYPASS_SLOWMODE'], client_id: '123456789012345678' };
    const { value } = await permissionEncoder.answer(input, context);
    const url = new URL(String(value['invite_url']));
    expect(url.origin + url.pathname).toBe('https://discord.com/oauth2/authorize');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: '123456789012345678',
      scope: 'bot applications.commands',
      permissions: '4503599627372544',
    });
  });

  test.each([['12'], ['{client}'], [123_456]])('must be a Discord id: %j', async (client_id) => {
    expect(await problemOf({ permissions: 'SPEAK', client_id })).toMatchObject({
      status: 400,
      field: 'client_id',
    });
  });

  test('adds no URL when it is absent', async () => {
    expect(Object.keys(await encode('SPEAK'))).not.toContain('invite_url');
  });
});

describe('a number instead of names', () => {
  test.each([
    [8, 'invalid_field'],
    [2112, 'invalid_field'],
    ['8', 'unknown_permission'],
    ['0x840', 'unknown_permission'],
    [['2112'], 'unknown_permission'],
  ])('gets a hint about the decoder: %j', async (permissions, code) => {
    const problem = await problemOf({ permissions });
    expect(problem).toMatchObject({ status: 400, code, field: 'permissions' });
    expect(problem.hint).toContain('/api/chat/permission-decoder');
  });

  test('gets no such hint for other mistakes', async () => {
    expect((await problemOf({ permissions: 'SPAEK' })).hint).not.toContain('decoder');
  });
});

describe('bad input', () => {
  const MESSAGE = 'must be a list of at most 200 permission names';

  test.each([
    [{}, 'missing_field', 'permissions is missing'],
    [{ permissions: null }, 'missing_field', 'permissions is missing'],
    [{ permissions: 8 }, 'invalid_field', MESSAGE],
    [{ permissions: true }, 'invalid_field', MESSAGE],
    [{ permissions: { a: 1 } }, 'invalid_field', MESSAGE],
    [{ permissions: ['SPEAK', 5] }, 'invalid_field', MESSAGE],
    [{ permissions: ['SPEAK', null] }, 'invalid_field', MESSAGE],
    [{ permissions: [['SPEAK']] }, 'invalid_field', MESSAGE],
    [{ permissions: Array(201).fill('SPEAK') }, 'invalid_field', MESSAGE],
    [{ permissions: 'SPEAK,'.repeat(201) }, 'invalid_field', MESSAGE],
    [{ permissions: 'SPEAK '.repeat(201) }, 'invalid_field', MESSAGE],
    [{ permissions: 'x'.repeat(20_001) }, 'invalid_field', MESSAGE],
    [{ permissions: '{permissions}' }, 'unresolved_placeholder', 'placeholder'],
    [{ permissions: ['SPEAK', '$perms'] }, 'unresolved_placeholder', 'placeholder'],
    [{ permissions: 'SPEAK, {{perms}}' }, 'unresolved_placeholder', 'placeholder'],
    [{ permissions: ['SPAEK'] }, 'unknown_permission', 'Unknown permission: "SPAEK" (did you mean SPEAK?).'],
    [
      { permissions: 'SEND_MESAGES, KICK_MEMBERS, FOO, FOO' },
      'unknown_permission',
      'Unknown permissions: "SEND_MESAGES" (did you mean SEND_MESSAGES?), "FOO".',
    ],
    [
      { permissions: 'SEND_MESAGES MANAGE_GUILDS' },
      'unknown_permission',
      'Unknown permissions: "SEND_MESAGES" (did you mean SEND_MESSAGES?), "MANAGE_GUILDS" (did you mean MANAGE_GUILD?).',
    ],
    [
      { permissions: 'send mesages speak' },
      'unknown_permission',
      'Unknown permission: "send mesages" (did you mean SEND_MESSAGES?).',
    ],
    // What could mean two is no suggestion.
    [{ permissions: ['MANAGE_MEMBERS'] }, 'unknown_permission', 'Unknown permission: "MANAGE_MEMBERS".'],
    [
      { permissions: 'Server verwaltn, Mitglieder verwalten' },
      'unknown_permission',
      '"Server verwaltn" (did you mean MANAGE_GUILD?), "Mitglieder verwalten".',
    ],
    [
      { permissions: [...Array.from({ length: 50 }, (_, index) => `x${index}`), 'SPAEK'] },
      'unknown_permission',
      '"x49", "SPAEK".',
    ],
    [{ permissions: ['8'] }, 'unknown_permission', 'Unknown permission: "8".'],
    [{ permissions: ['constructor'] }, 'unknown_permission', 'Unknown permission: "constructor".'],
    [{ permissions: 'and' }, 'unknown_permission', 'Unknown permission: "and".'],
    [
      { permissions: 'SPAEK, and SPEAK' },
      'unknown_permission',
      'Unknown permission: "SPAEK" (did you mean SPEAK?).',
    ],
    [{ permissions: ['__proto__'] }, 'unknown_permission', 'Unknown permission: "__proto__".'],
    [{ permissions: ['SPEAKé'] }, 'unknown_permission', '"SPEAKé" (did you mean SPEAK?)'],
    [{ permissions: ['a\u0000\u202eb\ud800'] }, 'unknown_permission', 'Unknown permission: "a b�".'],
    [{ permissions: ['x'.repeat(60)] }, 'unknown_permission', `Unknown permission: "${'x'.repeat(50)}…".`],
  ])('is refused: %j', async (raw, code, message) => {
    const problem = await problemOf(raw);
    expect(problem).toMatchObject({ status: 400, code, field: 'permissions' });
    expect(problem.message).toContain(message);
  });

  test('leaves out mentions, because a bot that shows the sentence would ping', async () => {
    const { message } = await problemOf({ permissions: ['@everyone', '<@&123456789012345678>', '@here'] });
    expect(message).toContain('everyone');
    expect(message).not.toMatch(/@/);
  });

  test.each([
    `MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.${'x'.repeat(38)}`,
    `eyJhbGciOiJFUzUxMiJ9.eyJpZCI6IjEyMzQ1Njc4In0.${'s'.repeat(40)}`,
    `qm_${'0'.repeat(16)}_${'a'.repeat(38)}`,
  ])('never repeats a text like a token or key, not even its beginning: %#', async (secret) => {
    const { message } = await problemOf({ permissions: [secret, 'SPAEK'] });
    expect(message).toBe('Unknown permissions: "[secret]", "SPAEK" (did you mean SPEAK?).');
  });
});
