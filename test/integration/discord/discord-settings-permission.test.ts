import { PermissionFlagsBits } from 'discord-api-types/v10';
import { describe, expect, test } from 'vitest';

import { GUILD_ID, MEMBER_ID, ROLE_ID, openDiscordHarness, createKey, codeOf } from './discord-setup.ts';

describe('an ordinary member', () => {
  const MEMBER = { userId: MEMBER_ID, permissions: PermissionFlagsBits.SendMessages };

  test.each([
    ['settings key create', { name: 'mine' }],
    ['settings key list', {}],
    ['settings key rotate', { name: 'demo' }],
    ['settings key revoke', { name: 'demo' }],
    ['settings usage', {}],
    ['settings help', {}],
  ])('cannot use /%s even if Discord lets the command through', async (command, options) => {
    await using harness = await openDiscordHarness();
    await createKey(harness, 'demo');
    const before = await harness.keys.list(GUILD_ID);
    const reply = await harness.users.slash(command, options, MEMBER).reply();
    expect(reply.text).toContain('You need the permission Manage Server');
    expect(reply.isEphemeral).toBe(true);
    expect(await harness.keys.list(GUILD_ID)).toEqual(before);
  });

  test.each([
    ['role-members', { role: ROLE_ID }],
    ['role-counts', {}],
  ])('cannot use /%s even if Discord lets the command through', async (command, options) => {
    await using harness = await openDiscordHarness();
    const reply = await harness.users.slash(command, options, MEMBER).reply();
    expect(reply.text).toContain('You need the permission Manage Roles');
    expect(reply.isEphemeral).toBe(true);
  });

  test('uses up no commands with what they may not use', async () => {
    let admitted = 0;
    await using harness = await openDiscordHarness({
      admit: async () => {
        admitted += 1;
      },
    });
    await harness.users.slash('settings key create', { name: 'mine' }, MEMBER).reply();
    expect(admitted).toBe(0);
    await harness.users.slash('settings key create', { name: 'mine' }).reply();
    expect(admitted).toBe(1);
  });

  test('gets no suggestions of key names', async () => {
    await using harness = await openDiscordHarness();
    await createKey(harness, 'demo');
    const suggestions = harness.users.autocomplete('settings key revoke', { name: '' }, 'name', MEMBER);
    expect(await suggestions.choices()).toEqual([]);
  });

  test('cannot use the buttons of an admin, and an admin who lost the permission cannot use their own', async () => {
    await using harness = await openDiscordHarness();
    const key = await createKey(harness, 'demo');
    const asked = harness.users.slash('settings key revoke', { name: 'demo' });
    const stranger = await asked.click('Revoke this key', MEMBER);
    expect((await stranger.reply()).text).toContain('for somebody else');
    const former = await asked.click('Revoke this key', { permissions: 0n });
    expect((await former.reply()).text).toContain('You need the permission Manage Server');
    expect(await codeOf(harness.keys.verify(key))).toBe('works');
  });
});

test('/settings works in servers only', async () => {
  await using harness = await openDiscordHarness();
  const reply = await harness.users.slash('settings help', {}, { guildId: null }).reply();
  expect(reply.text).toContain('only in a server');
});
