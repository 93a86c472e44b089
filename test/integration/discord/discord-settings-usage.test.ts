import { expect, test } from 'vitest';

import { inviteLink } from '../../../src/discord/client/create-client.ts';
import { OPERATIONS } from '../../../src/operations/index.ts';
import { ADMIN_ID, GUILD_ID, openDiscordHarness } from './discord-setup.ts';

test('/settings usage shows requests, refusals, limits and peaks, in a picture and in text', async () => {
  await using harness = await openDiscordHarness();
  const { entry } = await harness.keys.create({
    guildId: GUILD_ID,
    name: 'website',
    createdBy: ADMIN_ID,
    expiresInDays: null,
    flat: false,
    always200: false,
  });
  const { keyId } = entry;
  for (let index = 0; index < 1_200; index += 1) harness.usage.record(GUILD_ID, keyId, 'parse-args');
  harness.usage.record(GUILD_ID, keyId, 'role-members', { outcome: 'refused' });
  harness.usage.record(GUILD_ID, 'gone', 'role-members', { outcome: 'limited' });
  harness.usage.record(GUILD_ID, keyId, 'image-to-base64', { outcome: 'failed', bucket: 'image' });
  harness.usage.record(GUILD_ID, keyId, 'permission-encoder');
  for (let index = 0; index < 2; index += 1)
    harness.usage.record(GUILD_ID, keyId, 'send', { bucket: 'send' });
  const interaction = harness.users.slash('settings usage');
  const reply = await interaction.reply();
  expect(reply.isEphemeral).toBe(true);
  expect(reply.text).toContain('**1,206** today, **1,206** in 30 days');
  expect(reply.text).toContain('🟩 1,203 answered · 🟨 1 refused · 🟥 1 over the limit · ⬜ 1 failed');
  // A minute may end while it is counted.
  expect(reply.text).toMatch(/\*\*Limit\*\* 120 requests a minute. Busiest minute: \*\*[\d,]+\*\*/);
  expect(reply.text).toContain('20 a minute. Busiest minute: **1**');
  expect(reply.text).toContain('10 a minute. Busiest minute: **2**');
  expect(reply.text).toContain('Requests that were refused or over the limit count too.');
  expect(reply.text).toMatch(/parse-args +1\.2k 1\.2k$/m);
  // As long as they are, none is cut.
  expect(reply.text).toMatch(/permission-encoder +1 +1$/m);
  expect(reply.text).toContain('website');
  expect(reply.text).toContain('(deleted)');
  const lines = [...reply.text.matchAll(/```\n([^`]*)```/g)].flatMap((block) => (block[1] ?? '').split('\n'));
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(34);
  expect(reply.files.map(({ name, bytes }) => `${name} ${bytes.toString('latin1', 1, 4)}`)).toEqual([
    'usage.png PNG',
  ]);
  expect(JSON.stringify(reply.components)).toMatch(
    /"description":"Bar chart of the requests by day, from \w+ \d+ to \w+ \d+: 1,206 in all, the most on \w+ \d+ with 1,206\. 1,203 answered, 1 refused/,
  );
  expect(interaction.refusals).toEqual([]);
});

test('/settings usage before the first request shows the limits, and the way to the first one', async () => {
  await using harness = await openDiscordHarness();
  const usage = async () => (await harness.users.slash('settings usage').reply()).text;
  const empty = await usage();
  expect(empty).toContain('No requests in the last 30 days');
  expect(empty).toContain('120 requests a minute');
  expect(empty).toContain('20 a minute. Busiest minute: **0**');
  expect(empty).toContain('This server has no keys yet');
  const key = { guildId: GUILD_ID, createdBy: ADMIN_ID, expiresInDays: null, flat: false, always200: false };
  await harness.keys.create({ ...key, name: 'any' });
  expect(await usage()).toContain('Examples for your builder: https://api.example/docs');
  await harness.keys.create({ ...key, name: 'bot', builder: 'kite', operations: ['text-splitter'] });
  expect(await usage()).toContain('https://api.example/docs/text-splitter?tool=kite');
});

test('/settings help names the API, all operations and the invite link', async () => {
  await using harness = await openDiscordHarness();
  const interaction = harness.users.slash('settings help');
  const reply = await interaction.reply();
  expect(reply.isEphemeral).toBe(true);
  expect(reply.text).toContain('https://api.example/docs');
  for (const { path } of OPERATIONS) expect(reply.text).toContain(path);
  expect(reply.text).toContain('120 requests a minute, plus 20 for images and 10 texts with send');
  expect(JSON.stringify(reply.components)).toContain(inviteLink(harness.discord.bot().id));
  expect(interaction.refusals).toEqual([]);
});
