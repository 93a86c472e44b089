import { PermissionFlagsBits } from 'discord-api-types/v10';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  ADMIN_ID,
  GUILD_ID,
  MEMBER_ID,
  ROLE_ID,
  openDiscordHarness,
  type DiscordHarness,
} from './discord-setup.ts';

let harness: DiscordHarness;
beforeAll(async () => {
  harness = await openDiscordHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

describe('/role-members', () => {
  test('counts and names the holders of the role, with all ids as a file', async () => {
    const interaction = harness.users.slash('role-members', { role: ROLE_ID });
    const reply = await interaction.reply();
    expect(reply.text).toContain('Members: 1\n');
    expect(reply.text).toContain(`<@${MEMBER_ID}>`);
    expect(String(reply.files[0]?.bytes)).toBe(`${MEMBER_ID}\n`);
    expect(interaction.refusals).toEqual([]);
    const everyone = await harness.users.slash('role-members', { role: GUILD_ID }).reply();
    expect(everyone.text).toContain('Members: 3\n@everyone');
  });

  test('attaches no file for a role without members', async () => {
    const role = harness.discord.guild().createRole({ name: 'Empty' });
    const reply = await harness.users.slash('role-members', { role: role.id }).reply();
    expect(reply.text).toContain('Members: 0');
    expect(reply.files).toEqual([]);
  });

  test('shows only the number when the list is larger than Discord accepts', async () => {
    const scene = { attachmentSizeLimit: 15 };
    const reply = await harness.users.slash('role-members', { role: ROLE_ID }, scene).reply();
    expect(reply.text).toContain('Members: 1\n');
    expect(reply.text).toContain('too long for a file');
    expect(reply.files).toEqual([]);
  });

  test('says when no member can match, because a role is both required and excluded', async () => {
    const other = harness.discord.guild().createRole({ name: 'Other' }).id;
    const ask = async (options: Record<string, string | number>) =>
      (await harness.users.slash('role-members', { role: ROLE_ID, ...options }).reply()).text;
    expect(await ask({ without: ROLE_ID })).toContain(
      `always 0, because everybody who has <@&${ROLE_ID}> is left out`,
    );
    for (const options of [
      { without: GUILD_ID },
      { without: GUILD_ID, random: 2 },
      { and: other, without: other },
      { or: ROLE_ID, without: ROLE_ID },
    ]) {
      expect(await ask(options)).toContain('always 0');
    }
    for (const options of [{ without: other }, { or: other, without: other }]) {
      expect(await ask(options)).not.toContain('always 0');
    }
  });

  test('answers about several roles', async () => {
    const guild = harness.discord.guild();
    const [green, grey] = [guild.createRole({ name: 'Green' }).id, guild.createRole({ name: 'Grey' }).id];
    guild.updateMember(ADMIN_ID, { roles: [green, grey] });
    const ask = async (options: Record<string, string>) =>
      (await harness.users.slash('role-members', { role: ROLE_ID, ...options }).reply()).text;
    await expect.poll(() => harness.gateway.members.completeIndex(GUILD_ID)?.count(grey)).toBe(1);
    expect(await ask({ and: green })).toContain(`Members: 0\nwith all of <@&${ROLE_ID}>, <@&${green}>`);
    expect(await ask({ or: green })).toContain(
      `Members: 2\nwith at least one of <@&${ROLE_ID}>, <@&${green}>`,
    );
    expect(await ask({ and: green, or: grey })).toContain(
      `with all of <@&${green}>; with at least one of <@&${ROLE_ID}>, <@&${grey}>`,
    );
    const without = await ask({ or: green, without: grey });
    expect(without).toContain(
      `Members: 1\nwith at least one of <@&${ROLE_ID}>, <@&${green}>; without <@&${grey}>`,
    );
    expect(without).toContain(`<@${MEMBER_ID}>`);
  });

  test('draws winners, and shows them to everyone on demand, with a ping only when that is chosen', async () => {
    const interaction = harness.users.slash('role-members', { role: ROLE_ID, random: 5 });
    const reply = await interaction.reply();
    expect(reply.isEphemeral).toBe(true);
    expect(reply.text).toContain(`Drawn at random\n<@${MEMBER_ID}>`);
    expect(reply.text).toContain('Drawn from: 1');
    const mentionsOf = (id: string | undefined) =>
      harness.discord.rest.calls.findLast(({ path }) => id !== undefined && path.includes('/webhooks/'))
        ?.body;
    const quiet = await (await interaction.click('Show to everyone')).followUp();
    expect(quiet.text).toContain(`<@${MEMBER_ID}>`);
    expect(mentionsOf(quiet.id)).toMatchObject({ allowed_mentions: { parse: [] } });
    expect(JSON.stringify(mentionsOf(quiet.id))).not.toContain('"users"');
    const loud = await (await interaction.click('Show and notify')).followUp();
    expect(loud.isEphemeral).toBe(false);
    expect(mentionsOf(loud.id)).toMatchObject({ allowed_mentions: { parse: [], users: [MEMBER_ID] } });
  });

  test('draws among people only and says so, and includes bots on request', async () => {
    const guild = harness.discord.guild();
    const role = guild.createRole({ name: 'Giveaway' }).id;
    const [person, bot] = [
      guild.addMember({ roles: [role] }).id,
      guild.addMember({ roles: [role], bot: true }).id,
    ];
    await expect.poll(() => harness.gateway.members.completeIndex(GUILD_ID)?.count(role)).toBe(2);
    const ask = async (options: Record<string, string | number>, scene = {}) =>
      (await harness.users.slash('role-members', { role, ...options }, scene).reply()).text;
    const drawn = await ask({ random: 5 });
    expect(drawn).toContain(`Drawn at random\n<@${person}>\n`);
    expect(drawn).toContain(`Drawn from: 1\n<@&${role}>; people only`);
    expect(await ask({ random: 5, bots: 'only' })).toContain(`Drawn from: 1\n<@&${role}>; bots only`);
    expect(await ask({ random: 5, bots: 'include' })).toContain(`Drawn from: 2\n<@&${role}>; bots included`);
    expect(await ask({})).toContain(`Members: 2\n<@&${role}>\n`);
    expect(await ask({ bots: 'exclude' })).toContain(`Members: 1\n<@&${role}>; people only`);
    expect(await ask({ bots: 'only' })).toContain(`<@${bot}>`);
    expect(await ask({ random: 1 }, { locale: 'de' })).toContain('; nur Menschen');
    for (const id of [person, bot]) guild.removeMember(id);
    guild.deleteRole(role);
  });

  test('answers in the language of the user', async () => {
    const reply = await harness.users.slash('role-members', { role: ROLE_ID }, { locale: 'de' }).reply();
    expect(reply.text).toContain('Mitglieder: 1');
  });

  test('needs Manage Roles, whatever Discord allows', async () => {
    const scene = { userId: MEMBER_ID, permissions: PermissionFlagsBits.SendMessages };
    const reply = await harness.users.slash('role-members', { role: ROLE_ID }, scene).reply();
    expect(reply.text).toContain('You need the permission Manage Roles');
  });
});

describe('/role-counts', () => {
  test('counts the holders of each role, the most common first, with all of them as a file', async () => {
    const reply = await harness.users.slash('role-counts', {}).reply();
    expect(reply.text).toContain(`@everyone: 3\n`);
    expect(reply.text).toContain(`<@&${ROLE_ID}>: 1`);
    expect(String(reply.files[0]?.bytes)).toContain(`${ROLE_ID},1\n`);
  });
});
