import { PermissionFlagsBits } from 'discord-api-types/v10';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { GUILD_ID, MEMBER_ID, ROLE_ID, openDiscordBench, type DiscordBench } from './discord-setup.ts';

let bench: DiscordBench;
beforeAll(async () => {
  bench = await openDiscordBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

describe('/role-members', () => {
  test('counts and names who has the role, with all ids as a file', async () => {
    const interaction = bench.users.slash('role-members', { role: ROLE_ID });
    const reply = await interaction.reply();
    expect(reply.text).toContain('1 member with');
    expect(reply.text).toContain(`<@${MEMBER_ID}>`);
    expect(String(reply.files[0]?.bytes)).toBe(`${MEMBER_ID}\n`);
    expect(interaction.refusals).toEqual([]);
    const everyone = await bench.users.slash('role-members', { role: GUILD_ID }).reply();
    expect(everyone.text).toContain('3 members with @everyone');
  });

  test('has no file for a role without members', async () => {
    const role = bench.discord.guild().createRole({ name: 'Empty' });
    const reply = await bench.users.slash('role-members', { role: role.id }).reply();
    expect(reply.text).toContain('0 members');
    expect(reply.files).toEqual([]);
  });

  test('gives only the number where the list is larger than Discord takes', async () => {
    const scene = { attachmentSizeLimit: 15 };
    const reply = await bench.users.slash('role-members', { role: ROLE_ID }, scene).reply();
    expect(reply.text).toContain('1 member with');
    expect(reply.text).toContain('too long for a file');
    expect(reply.files).toEqual([]);
  });

  test('needs Manage Roles, whatever Discord lets through', async () => {
    const scene = { userId: MEMBER_ID, permissions: PermissionFlagsBits.SendMessages };
    const reply = await bench.users.slash('role-members', { role: ROLE_ID }, scene).reply();
    expect(reply.text).toContain('You need the permission Manage Roles');
  });
});
