import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { GuildKeyStore } from '../../../src/guild-keys/guild-key-store.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { findFreePort } from '../../fixtures/free-port.ts';
import { FAST, startDiscordApp } from '../../fixtures/test-app.ts';
import { startSimulator } from '../../simulator/simulator.ts';

async function storageWithKey(guildId: string) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'quartermaster-start-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const url = `sqlite://${path.join(folder, 'keys.sqlite')}`;
  await using storage = await openStorage(url);
  const { key } = await new GuildKeyStore(storage).create({
    guildId,
    name: 'start',
    createdBy: 'cli',
    expiresInDays: null,
    flat: false,
    always200: false,
  });
  return { url, key };
}

test('a block of this IP address by Discord is reported in one warning, in readiness and on the page for people', async () => {
  await using discord = await startSimulator();
  discord.rest.faults.rateLimit('GET /gateway/bot', 5 * 3_600, { times: Infinity });
  await using app = await startDiscordApp(discord, {}, { gateway: { startMs: 60_000 } });
  const ready = await app.call('/health/ready');
  expect(ready.body).toMatchObject({ ok: true, discord: { connected: false } });
  const { reason } = ready.body['discord'] as { reason: string };
  expect(reason).toMatch(/refuses .* this address until .* another customer/);
  const until = Date.parse(`${/until (\S+ \S+) UTC/.exec(reason)?.[1]}Z`);
  expect(Math.abs(until - Date.now() - 5 * 3_600_000)).toBeLessThan(180_000);
  expect((await fetch(`${app.url}/status`).then((page) => page.text())).replaceAll('&#39;', "'")).toContain(
    reason,
  );
  const warned = app.logLines.filter((line) => line.includes('another customer'));
  expect(warned).toHaveLength(1);
  expect(warned[0]).toContain('"level":"warn"');
  // Asking again would lengthen it.
  expect(discord.rest.callsTo('GET /gateway/bot')).toHaveLength(1);
});

test('HTTP answers, member lists are refused and the service is not ready while Discord accepts no shard', async () => {
  await using discord = await startSimulator({
    guilds: [{ members: { count: 3, rolesOf: () => [] } }],
    gateway: { refuseIdentifies: true, identifiesLeft: 1_000_000 },
  });
  const { url: STORAGE_URL, key } = await storageWithKey(discord.guild().id);
  const port = await findFreePort();
  const starting = startDiscordApp(
    discord,
    { PORT: String(port), STORAGE_URL },
    { gateway: { ...FAST, startMs: 60_000 } },
  );
  let isStarted = false;
  void starting.then(() => (isStarted = true));
  await discord.until(() => discord.gateway.identifies.length > 1);

  const call = async (route: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${route}`, { headers: { authorization: key } });
    const body = (await response.json()) as Record<string, unknown>;
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
  };
  expect(await call('/health/live')).toMatchObject({ status: 200 });
  expect(await call('/api/parse-args?text=!ban')).toMatchObject({ status: 200, body: { command: 'ban' } });
  const everyone = `/api/role-members?role_id=${discord.guild().id}`;
  expect(await call(everyone)).toMatchObject({
    status: 503,
    retryAfter: '5',
    body: { code: 'member_list_unavailable', error: expect.stringContaining('connecting to Discord') },
  });
  expect(await call('/health/ready')).toMatchObject({
    status: 503,
    retryAfter: '5',
    body: { code: 'member_list_unavailable', error: expect.stringContaining('starting') },
  });
  const page = async () => (await fetch(`http://127.0.0.1:${port}/docs/permission-check`)).text();
  const { id } = discord.bot();
  expect(await page()).not.toContain(id);
  expect(isStarted).toBe(false);

  discord.gateway.settings.refuseIdentifies = false;
  await using app = await starting;
  expect(await app.call('/health/ready')).toMatchObject({ status: 200, body: { status: 'ready' } });
  await expect.poll(async () => (await call(everyone)).status).toBe(200);
  expect(await page()).toContain(id);
});

test('a start that Discord refuses closes HTTP again', async () => {
  await using discord = await startSimulator();
  const port = await findFreePort();
  const env = { PORT: String(port), DISCORD_TOKEN: 'x'.repeat(60) };
  await expect(startDiscordApp(discord, env)).rejects.toThrow(/DISCORD_TOKEN/);
  await expect(fetch(`http://127.0.0.1:${port}/health/live`)).rejects.toThrow('fetch failed');
  expect(discord.gateway.live).toHaveLength(0);
});
