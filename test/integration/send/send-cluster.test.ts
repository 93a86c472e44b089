import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import type { DeliverySettings } from '../../../src/deliveries/delivery-settings.ts';
import { newRedisUrl, openRedis } from '../../fixtures/cluster-bench.ts';
import { isMissing, REDIS_URL } from '../../fixtures/storage-services.ts';
import { startTestApp, type TestApp } from '../../fixtures/test-app.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import { POST } from './deliveries-setup.ts';
import { longText } from './send-http-setup.ts';

const isWithoutRedis = await isMissing('Redis', REDIS_URL, 6379);

/** Two processes with the same keys and the same Redis, beside one Discord. */
async function twoProcesses(deliveries: Partial<DeliverySettings> = {}) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'quartermaster-send-'));
  const discord = await startSimulator();
  const redisUrl = newRedisUrl();
  const env = {
    STORAGE_URL: `sqlite://${path.join(folder, 'keys.sqlite')}`,
    REDIS_URL: redisUrl,
    DISCORD_API_URL: discord.apiUrl,
    SEND_RATE_LIMIT: '1000',
  };
  const one = await startTestApp(env, { deliveries });
  const other = await startTestApp(env, { deliveries });
  onTestFinished(async () => {
    await Promise.all([one.app.close(), other.app.close()]);
    await discord.close();
    rmSync(folder, { recursive: true });
  });
  const webhook = discord.addWebhook({ guildId: one.guildId });
  const headers = { authorization: one.key, webhook: webhook.url };
  return {
    discord,
    redisUrl,
    one,
    other,
    webhook,
    send: (app: TestApp, text: string, key?: string) =>
      app.postJson(
        '/api/send',
        { text },
        { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
      ),
    look: (app: TestApp, id: unknown, authorization = one.key) =>
      app.call(`/api/send?delivery_id=${String(id)}`, { headers: { authorization } }),
  };
}

describe.skipIf(isWithoutRedis)('with several processes', () => {
  test('one Idempotency-Key is one delivery, and with another text a conflict', async () => {
    const { one, other, send, webhook } = await twoProcesses();
    const all = await Promise.all([one, other, one, other].map((app) => send(app, 'once', 'k')));
    expect(new Set(all.map(({ body }) => body['delivery_id'])).size).toBe(1);
    expect(webhook.texts).toEqual(['once']);
    expect((await send(other, 'once', 'k')).body).toMatchObject({ state: 'sent' });
    expect((await send(other, 'twice', 'k')).body).toMatchObject({
      status: 409,
      code: 'idempotency_conflict',
    });
    expect(webhook.texts).toEqual(['once']);
  });

  test('a failure frees the key everywhere', async () => {
    const { one, other, send, discord, webhook } = await twoProcesses();
    discord.rest.faults.fail(POST, 400, { code: 50_035 });
    expect((await send(one, 'x', 'k')).body).toMatchObject({ status: 400 });
    expect((await send(other, 'y', 'k')).body).toMatchObject({ state: 'sent' });
    expect(webhook.texts).toEqual(['y']);
  });

  test('any process reports on a text of another one, but only to its server', async () => {
    const { one, other, send, look, discord } = await twoProcesses({ patienceMs: 1 });
    const gate = discord.rest.faults.hold(POST);
    const { body } = await send(one, longText(2));
    const id = body['delivery_id'];
    expect(await look(other, id)).toMatchObject({ status: 202, body: { state: 'pending', total: 2 } });
    const stranger = await other.createKey({ guildId: '300000000000000009' });
    expect((await look(other, id, stranger)).body).toMatchObject({ code: 'unknown_delivery' });
    discord.rest.faults.drop(POST);
    gate.release();
    await expect
      .poll(async () => (await look(other, id)).body)
      .toMatchObject({ state: 'stopped', sent: 1, uncertain: true });
    const [here, there] = [await look(one, id), await look(other, id)];
    expect(there.body).toEqual(here.body);
    expect(String(there.body['rest'])).toContain('word');
  });

  test('one webhook posts one text at a time, whoever sends it', async () => {
    const { one, other, send, webhook, discord } = await twoProcesses();
    discord.rest.limits.set(POST, { count: 2, windowMs: 50 });
    await Promise.all([send(one, longText(4)), send(other, longText(4))]);
    expect(webhook.texts.slice(0, 4).join('\n\n')).toBe(longText(4));
    expect(webhook.texts.slice(4).join('\n\n')).toBe(longText(4));
  });

  test('a key whose process is gone posts nothing again', async () => {
    const { one, other, send, webhook } = await twoProcesses();
    await send(one, 'once', 'k');
    await one.app.close();
    expect((await send(other, 'once', 'k')).body).toMatchObject({ status: 404, code: 'unknown_delivery' });
    expect(webhook.texts).toEqual(['once']);
  });

  test('Redis gets no text, no token, no key and no guild', async () => {
    const { one, send, webhook, redisUrl, discord } = await twoProcesses();
    const gate = discord.rest.faults.hold(POST);
    const sending = send(one, 'words of a secret text', 'my-key');
    await gate.reached;
    const redis = await openRedis(redisUrl);
    const prefix = redis.options.keyPrefix ?? '';
    const names = await redis.keys(`${prefix}quartermaster:*`);
    const records = await Promise.all(
      names
        .filter((name) => /quartermaster:(?:send|webhook|webhook_last):/.test(name))
        .map((name) => redis.get(name.slice(prefix.length))),
    );
    expect(records).toHaveLength(3);
    const everything = [...names, ...records].join('\n');
    for (const secret of [webhook.token, 'secret text', 'my-key', one.guildId]) {
      // The buckets of limits are counted by server, as before.
      expect(everything.replaceAll(/^.*:limit:.*$/gm, '')).not.toContain(secret);
    }
    gate.release();
    expect((await sending).body).toMatchObject({ state: 'sent' });
  });
});
