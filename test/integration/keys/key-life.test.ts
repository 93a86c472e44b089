import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { IssuedKey } from '../../../src/guild-keys/guild-keys.ts';
import { startDiscordApp, type DiscordApp, type Reply } from '../../fixtures/test-app.ts';

const ADMIN_ID = '200000000000000001';
const GUILD_ID = '300000000000000001';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let app: DiscordApp;
let at: number;

beforeEach(async () => {
  at = Date.UTC(2026, 0, 31, 12);
  const guilds = [{ id: GUILD_ID, ownerId: ADMIN_ID, members: [{ id: ADMIN_ID }] }];
  app = await startDiscordApp({ guilds }, {}, { keys: { now: () => at, cacheAgeMsMax: 0 } });
});
afterEach(() => app[Symbol.asyncDispose]());

/** As an admin makes it with a command. */
function createKey(expiresInDays: 30 | null = null): Promise<IssuedKey> {
  return app.app.keys.create({
    guildId: GUILD_ID,
    name: 'bot',
    createdBy: ADMIN_ID,
    expiresInDays,
    flat: false,
    always200: false,
  });
}

const leave = () => app.discord.guild().removeBot(app.discord.bot());
const comeBack = () => app.discord.guild().addBot(app.discord.bot());

const get = (key: string) => app.call('/api/key', { headers: { authorization: `Bearer ${key}` } });

function expectRefusal(reply: Reply, code: string, error: string): void {
  expect(reply.status).toBe(401);
  expect(reply.type).toBe('application/json');
  expect(reply.headers.get('www-authenticate')).toBe('Bearer');
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(reply.headers.get('retry-after')).toBeNull();
  expect(reply.body).toEqual({
    ok: false,
    status: 401,
    code,
    error,
    field: null,
    hint: expect.any(String) as unknown,
    retry_after: null,
    request_id: reply.headers.get('x-request-id'),
  });
}

describe('a key of a server', () => {
  test('works until it expires', async () => {
    const { key, entry } = await createKey(30);
    at += 30 * DAY_MS - 1;
    const reply = await get(key);
    expect([reply.status, reply.body['expires_at']]).toEqual([200, (entry.expiresAt ?? 0) / 1_000]);
    at += 1;
    expectRefusal(await get(key), 'key_expired', 'The API key has expired.');
  });

  test('stays valid beside its successor for the chosen time', async () => {
    const old = await createKey();
    const fresh = await app.app.keys.rotate({
      guildId: GUILD_ID,
      keyId: old.entry.keyId,
      overlapSeconds: 3_600,
      createdBy: ADMIN_ID,
    });
    at += HOUR_MS - 1;
    expect([(await get(old.key)).status, (await get(fresh.key)).status]).toEqual([200, 200]);
    at += 1;
    expectRefusal(await get(old.key), 'key_expired', 'The API key has been replaced by a newer one.');
    expect((await get(fresh.key)).status).toBe(200);
  });

  test('is revoked by its finder, along with the older secret of its name', async () => {
    const old = await createKey();
    const { keyId } = old.entry;
    const { key, entry } = await app.app.keys.rotate({
      guildId: GUILD_ID,
      keyId,
      overlapSeconds: 86_400,
      createdBy: ADMIN_ID,
    });
    const revoked = await app.call('/api/key', { method: 'DELETE', headers: { authorization: key } });
    expect([revoked.status, revoked.body]).toEqual([200, { ok: true, key_id: entry.keyId, revoked: true }]);
    expectRefusal(await get(key), 'key_revoked', 'The API key has been revoked.');
    expectRefusal(await get(old.key), 'key_revoked', 'The API key has been revoked.');
  });

  test('can be revoked alone when it was replaced', async () => {
    const old = await createKey();
    const { keyId } = old.entry;
    const fresh = await app.app.keys.rotate({
      guildId: GUILD_ID,
      keyId,
      overlapSeconds: 86_400,
      createdBy: ADMIN_ID,
    });
    await app.call('/api/key', { method: 'DELETE', headers: { authorization: old.key } });
    expectRefusal(await get(old.key), 'key_revoked', 'The API key has been replaced by a newer one.');
    expect((await get(fresh.key)).status).toBe(200);
  });
});

describe('when the bot leaves a server', () => {
  test('its keys stop, and work again when it comes back within 30 days', async () => {
    const { key } = await createKey();
    expect((await get(key)).status).toBe(200);
    leave();
    await expect.poll(async () => (await get(key)).status).toBe(401);
    expectRefusal(await get(key), 'key_suspended', 'The bot has left the server of this API key.');
    at += 30 * DAY_MS - 1;
    comeBack();
    await expect.poll(async () => (await get(key)).status).toBe(200);
  });

  test('for 30 days, its keys are deleted; those of the command line never stop', async () => {
    const { key } = await createKey();
    const fromCli = await app.createKey({ guildId: GUILD_ID });
    leave();
    await expect.poll(async () => (await get(key)).body['code']).toBe('key_suspended');
    expect((await get(fromCli)).status).toBe(200);
    at += 30 * DAY_MS;
    comeBack();
    await expect.poll(async () => (await get(key)).body['code']).toBe('key_unknown');
    expectRefusal(await get(key), 'key_unknown', 'Unknown API key.');
    expect((await get(fromCli)).status).toBe(200);
  });

  test('an outage of Discord does not count as leaving', async () => {
    const { key } = await createKey();
    app.discord.guild().startOutage();
    app.discord.guild().endOutage();
    leave();
    comeBack();
    await expect
      .poll(() => app.logLines.some((line) => line.includes('the bot has joined a server')))
      .toBe(true);
    const told = app.logLines.filter((line) => line.includes('the bot has left a server'));
    expect([told.length, (await get(key)).status]).toEqual([1, 200]);
  });
});
