import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { Problem } from '../../../src/kernel/problem.ts';
import { startDiscordApp, type DiscordApp } from '../../fixtures/test-app.ts';
import type { Simulator } from '../../simulator/simulator.ts';
import { KEY } from '../../fixtures/key-pattern.ts';

const ADMIN_ID = '200000000000000001';

let discord: Simulator;
let app: DiscordApp;
beforeAll(async () => {
  const guilds = [{ ownerId: ADMIN_ID, members: [{ id: ADMIN_ID }] }];
  app = await startDiscordApp({ guilds }, { METRICS_PORT: '0' });
  discord = app.discord;
  await discord.until(() => discord.bot().commands.length > 0);
});
afterAll(() => app[Symbol.asyncDispose]());

async function lineOf(interactionId: string) {
  await expect.poll(() => app.logLines.some((line) => line.includes(interactionId))).toBe(true);
  const lines = app.logLines.filter((line) => line.includes(interactionId));
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>;
}

test('commands name the port on which the service listens, even a chosen one', async () => {
  const help = await discord.interact.slash('settings help').reply();
  expect(help.text).toContain(`http://localhost:${app.port}/docs`);
  const created = await discord.interact.slash('settings key create', { name: 'port' }).reply();
  expect(created.text).toContain(`http://localhost:${app.port}/docs/parse-args`);
});

test('each command is one log line, without its input and its answer', async () => {
  const created = discord.interact.slash('settings key create', { name: 'sekret-name' });
  expect((await created.reply()).text).toMatch(KEY);
  const line = await lineOf(created.interaction.id);
  expect(line).toMatchObject({
    msg: 'interaction',
    command: 'settings key create',
    outcome: 'ok',
    guild_id: discord.guild().id,
    ms: expect.any(Number),
  });
  const refused = discord.interact.slash('permissions encode', { permission: 'sekret-name' });
  await refused.reply();
  expect(await lineOf(refused.interaction.id)).toMatchObject({
    level: 'info',
    command: 'permissions encode',
    outcome: 'unknown_permission',
  });
  vi.spyOn(app.app.keys, 'list').mockRejectedValueOnce(new Problem('storage_unavailable'));
  const failed = discord.interact.slash('settings key list');
  await failed.reply();
  expect(await lineOf(failed.interaction.id)).toMatchObject({
    level: 'warn',
    outcome: 'storage_unavailable',
  });
  const saved = await created.click('Saved it');
  await saved.reply();
  expect(await lineOf(saved.interaction.id)).toMatchObject({ command: 'key-saved', outcome: 'ok' });
  const logged = app.logLines.join('');
  expect(logged).not.toMatch(KEY);
  expect(logged).not.toContain('sekret-name');
  expect(logged).not.toContain('interaction-token');
});

test('commands are counted by command and outcome, never by names from outside', async () => {
  await discord.interact.slash('parse', { text: '!ban' }).reply();
  await discord.interact.slash('permissions decode', { bitfield: 'x' }).reply();
  discord.bot().commands.push({ ...discord.bot().commands[0]!, id: '1', name: 'of-yesterday', options: [] });
  await discord.interact.slash('of-yesterday').reply();
  await expect
    .poll(() => app.metrics())
    .toContain('interactions_total{command="unknown",outcome="not_found"} 1');
  const text = await app.metrics();
  expect(text).toContain('quartermaster_interactions_total{command="parse",outcome="ok"} 1');
  expect(text).toContain(
    'quartermaster_interactions_total{command="permissions decode",outcome="invalid_field"} 1',
  );
  expect(text).not.toContain('of-yesterday');
});

test('/settings usage shows what was refused over HTTP', async () => {
  const created = await discord.interact.slash('settings key create', { name: 'usage' }).reply();
  const headers = { Authorization: KEY.exec(created.text)?.[0] ?? '' };
  const ask = (query: string) => fetch(`http://127.0.0.1:${app.port}/api/parse-args${query}`, { headers });
  expect((await ask('?text=!ban')).status).toBe(200);
  expect((await ask('?always_200=true')).status).toBe(200);
  await expect
    .poll(async () => (await discord.interact.slash('settings usage').reply()).text)
    .toContain('🟩 1 answered · 🟨 1 refused · 🟥 0 over the limit');
});
