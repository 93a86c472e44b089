import { crc32, inflateSync } from 'node:zlib';

import { PermissionFlagsBits, PermissionsBitField, type BaseInteraction } from 'discord.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { drawUsage, shortCount } from '../../../src/discord/commands/settings/usage-picture.ts';
import { usageTable } from '../../../src/discord/commands/settings/usage.ts';
import { decodeCustomId, encodeCustomId } from '../../../src/discord/messages/components.ts';
import { isPermitted, mayPostPublicly, requirePermission } from '../../../src/discord/commands/permitted.ts';
import { clip, codeBlock, inlineCode } from '../../../src/discord/messages/markdown.ts';
import { problemMessage } from '../../../src/discord/messages/problem-message.ts';
import { Problem } from '../../../src/kernel/problem.ts';

describe('text in code', () => {
  test.each(['```', '``````', 'a ``` b ```js c', '`'.repeat(50)])('cannot end the block: %s', (text) => {
    expect(codeBlock(text).slice(3, -3)).not.toContain('```');
  });

  test('stays on one line and inside its back-ticks', () => {
    expect(inlineCode('a`b\n\nc')).toBe('`aˋb c`');
  });

  test('is cut at the maximum length, never inside a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, lengthMax) => {
        const cut = clip(text, lengthMax);
        expect(cut.length).toBeLessThanOrEqual(lengthMax);
        expect(cut.isWellFormed()).toBe(true);
        expect(text.startsWith(cut.replace(/…$/, '')) || cut === text).toBe(true);
      }),
      { seed: 20, numRuns: 300 },
    );
  });
});

describe('custom ids', () => {
  test('are read as they were written', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (argument) => {
        const id = { action: 'key-revoke', userId: '12345678901234567890', argument };
        expect(decodeCustomId(encodeCustomId(id))).toEqual(id);
      }),
      { seed: 21, numRuns: 200 },
    );
  });

  test.each(['', 'x', 'a|b|c', '|1|', 'A|1|x', 'show|1'])('of other programs are not read: "%s"', (id) => {
    expect(decodeCustomId(id)).toBeNull();
  });

  test('never exceed the length that Discord accepts', () => {
    expect(() => encodeCustomId({ action: 'a', userId: '1', argument: 'x'.repeat(97) })).toThrow(RangeError);
  });
});

describe('bars', () => {
  test.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1k'],
    [1_299, '1.2k'],
    [9_999, '9.9k'],
    [12_345, '12k'],
    [999_999, '999k'],
    [1_500_000, '1.5M'],
    [2e12, '2000G'],
  ])('write %i in few characters', (count, text) => {
    expect(shortCount(count)).toBe(text);
  });

  test('fit the width of a phone, whatever the name of a key', () => {
    const row = { label: 'x'.repeat(32), today: 99_999, total: 2_999_970 };
    const table = usageTable([row], { today: 'today', total: '30d' });
    expect(table.split('\n').map(({ length }) => length)).toEqual([34, 34]);
  });
});

describe('the picture of the usage', () => {
  const DAY = { day: '2026-01-31', ok: 0, refused: 0, limited: 0, failed: 0 };

  test('is a PNG with a bar in the colour of each outcome', () => {
    const days = Array.from({ length: 30 }, () => DAY);
    const png = drawUsage([...days.slice(1), { ...DAY, ok: 1_000, refused: 500, limited: 1, failed: 0 }]);
    const image = readImage(png);
    expect(image).toMatchObject({ width: 680, height: 220 });
    expect(image.count(0x77b255)).toBeGreaterThan(image.count(0xfdcb58));
    expect(image.count(0xfdcb58)).toBeGreaterThan(image.count(0xdd2e44));
    expect(image.count(0xdd2e44)).toBeGreaterThan(0);
    expect(image.count(0xe6e7e8)).toBe(0);
    expect(png.length).toBeLessThan(4_000);
  });
});

/** The dots of a PNG of ours by their colour, which any reader of PNG finds as well. */
function readImage(png: Buffer) {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const palette = chunkOf(png, 'PLTE');
  const dots = readDots(png);
  return {
    width,
    height,
    count(rgb: number): number {
      let count = 0;
      for (const [index, dot] of dots.entries()) {
        if (index % (width + 1) !== 0 && palette.readUIntBE(dot * 3, 3) === rgb) count += 1;
      }
      return count;
    },
  };
}

function readDots(png: Buffer): Buffer {
  return inflateSync(chunkOf(png, 'IDAT'));
}

function chunkOf(png: Buffer, type: string): Buffer {
  for (let offset = 8; offset < png.length;) {
    const length = png.readUInt32BE(offset);
    const body = png.subarray(offset + 4, offset + 8 + length);
    expect(png.readUInt32BE(offset + 8 + length)).toBe(crc32(body));
    if (body.toString('latin1', 0, 4) === type) return body.subarray(4);
    offset += 12 + length;
  }
  throw new Error(`There is no ${type}.`);
}

/** Somebody in a server. */
function member(permissions: bigint, installedBy: 'guild' | 'user' = 'guild') {
  const guildId = '2';
  const authorizingIntegrationOwners = { guildId: installedBy === 'guild' ? guildId : null };
  const memberPermissions = new PermissionsBitField(permissions).freeze();
  return { guildId, memberPermissions, authorizingIntegrationOwners } as const;
}

/** Somebody without any permission calls a command that requires one. */
function refuse(permission: bigint, locale = 'en-US'): void {
  requirePermission({ ...member(0n), locale } as unknown as BaseInteraction, permission);
}

const { SendMessages, SendMessagesInThreads, AttachFiles, ManageGuild } = PermissionFlagsBits;

describe('permissions', () => {
  test('include all for administrators', () => {
    expect(isPermitted(member(PermissionFlagsBits.Administrator), ManageGuild)).toBe(true);
    expect(isPermitted(member(0n), ManageGuild)).toBe(false);
  });

  test('are none in a server that does not send them, and all in direct messages', () => {
    expect(isPermitted({ guildId: '2', memberPermissions: null }, ManageGuild)).toBe(false);
    expect(isPermitted({ guildId: null, memberPermissions: null }, ManageGuild)).toBe(true);
  });

  test.each([
    ['in direct messages', { ...member(0n), guildId: null, memberPermissions: null }, false, false, true],
    ['without a right', member(0n), false, false, false],
    ['with the right to write', member(SendMessages), false, false, true],
    ['in a thread', member(SendMessagesInThreads), true, false, true],
    ['in a channel, with the right for threads', member(SendMessagesInThreads), false, false, false],
    ['in a thread, with the right for channels', member(SendMessages), true, false, false],
    ['with a file, without the right', member(SendMessages), false, true, false],
    ['with a file', member(SendMessages | AttachFiles), false, true, true],
    ['with an app of their own', member(SendMessages, 'user'), false, false, false],
    ['as an administrator with an app of their own', member(8n, 'user'), false, false, true],
  ] as const)('allow showing something to everyone: %s', (_case, who, inThread, withFiles, allowed) => {
    expect(mayPostPublicly(who, inThread, withFiles)).toBe(allowed);
  });

  test('are named in the language of the user when a command requires them', () => {
    expect(() => refuse(ManageGuild)).toThrow('You need the permission Manage Server for this.');
    expect(() => refuse(PermissionFlagsBits.BanMembers)).toThrow('the permission Ban Members for');
    expect(() => refuse(PermissionFlagsBits.BanMembers, 'de')).toThrow(
      'the permission Mitglieder bannen for',
    );
  });
});

test('a problem suggests different actions in Discord and over HTTP', () => {
  const text = JSON.stringify(problemMessage(new Problem('discord_missing_access'), '1', 'en-US'));
  expect(text).toContain('may view the channel');
  const list = new Problem('member_list_unavailable/lost', { retryAfterSeconds: 5 });
  expect(list.hint).toContain('header');
  const shown = JSON.stringify(problemMessage(list, '1', 'en-US'));
  expect(shown).toContain('Wait a moment while it is checked.');
  expect(shown).toContain('Wait 5 seconds.');
  expect(shown).not.toContain('header');
});
