import { expect, test } from 'vitest';

import { inviteLink } from '../../../src/discord/connection/invite-link.ts';
import { OPERATIONS } from '../../../src/operations/index.ts';
import { ADMIN_ID, GUILD_ID, openDiscordBench } from './discord-setup.ts';

test('/settings usage shows requests by operation, key and day, narrow enough for a phone', async () => {
  await using bench = await openDiscordBench();
  const { entry } = await bench.keys.create({
    guildId: GUILD_ID,
    name: 'website',
    createdBy: ADMIN_ID,
    expiresInDays: null,
    flat: false,
    always200: false,
  });
  for (let index = 0; index < 1_200; index += 1) bench.usage.record(GUILD_ID, entry.keyId, 'parse-args');
  bench.usage.record(GUILD_ID, entry.keyId, 'role-members');
  bench.usage.record(GUILD_ID, 'gone', 'role-members');
  const interaction = bench.users.slash('settings usage');
  const reply = await interaction.reply();
  expect(reply.isEphemeral).toBe(true);
  expect(reply.text).toContain('**1,202** today, **1,202** in 30 days');
  expect(reply.text).toContain('parse-args     1.2k 1.2k ████████');
  expect(reply.text).toContain('role-members      2    2 ▏');
  expect(reply.text).toContain('website');
  expect(reply.text).toContain('(deleted)');
  const bars = [...reply.text.matchAll(/```\n([^`]*)```/g)].flatMap((block) => (block[1] ?? '').split('\n'));
  expect(Math.max(...bars.map(({ length }) => length))).toBeLessThanOrEqual(34);
  expect(interaction.refusals).toEqual([]);
});

test('/settings usage says so when there is nothing to show', async () => {
  await using bench = await openDiscordBench();
  expect((await bench.users.slash('settings usage').reply()).text).toContain(
    'No requests in the last 30 days',
  );
});

test('/settings help names the API, all operations and the invite link', async () => {
  await using bench = await openDiscordBench();
  const interaction = bench.users.slash('settings help');
  const reply = await interaction.reply();
  expect(reply.isEphemeral).toBe(true);
  expect(reply.text).toContain('https://api.example/docs');
  for (const { path } of OPERATIONS) expect(reply.text).toContain(path);
  expect(reply.text).toContain('120 requests a minute, and 20 for images');
  expect(JSON.stringify(reply.components)).toContain(inviteLink(bench.discord.bot().id));
  expect(interaction.refusals).toEqual([]);
});
