import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import type { AppOptions } from '../../../src/app/app-options.ts';
import { newRedisUrl, openRedis } from '../../fixtures/cluster-setup.ts';
import { POLL } from '../../fixtures/poll.ts';
import { isRedisServerMissing, startPrivateRedis } from '../../fixtures/private-redis.ts';
import { isMissing, REDIS_URL } from '../../fixtures/storage-services.ts';
import { startTestApp, type TestApp } from '../../fixtures/test-app.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import { POST } from './deliveries-setup.ts';
import { longText, startService } from './send-http-setup.ts';

const isWithoutRedis = await isMissing('Redis', REDIS_URL, 6379);

/** So that a Redis that is silent is noticed soon. */
const SHORT = { commandTimeoutMs: 1_000 };
/** A Redis that came back as another one gives locks again so soon that nobody waits. */
const NO_LOCKS_MS = 1;

/** Two processes with the same keys and the same Redis, beside one Discord. */
async function twoProcesses(redisUrl = newRedisUrl(), cluster: AppOptions['cluster'] = {}) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'quartermaster-send-'));
  const discord = await startSimulator();
  const env = {
    STORAGE_URL: `sqlite://${path.join(folder, 'keys.sqlite')}`,
    REDIS_URL: redisUrl,
    DISCORD_API_URL: discord.apiUrl,
    SEND_RATE_LIMIT: '1000',
  };
  const one = await startTestApp(env, { cluster });
  const other = await startTestApp(env, { cluster });
  onTestFinished(async () => {
    await Promise.all([one.app.close(), other.app.close()]);
    await discord.close();
    rmSync(folder, { recursive: true });
  });
  const webhook = discord.addWebhook({ guildId: one.guildId });
  const headers = { authorization: one.key, webhook: webhook.url };
  const send = (app: TestApp, text: string, key?: string) =>
    app.postJson(
      '/api/send',
      { text },
      { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    );
  /** Sends a first text, so that the process knows the webhook and its Redis. A busy machine may refuse it once. */
  const sendBefore = async (app: TestApp) => {
    const { body } = await vi.waitUntil(async () => {
      const answer = await send(app, 'before');
      // A refused text has posted nothing. Any other outcome is final.
      return answer.body['ok'] === true && answer;
    }, POLL);
    expect(body).toMatchObject({ state: 'sent' });
  };
  return { discord, redisUrl, one, other, webhook, send, sendBefore };
}

describe.skipIf(isWithoutRedis)('a cluster of several processes', () => {
  test('posts once for an Idempotency-Key, and any process answers how it ended', async () => {
    const { one, other, send, webhook } = await twoProcesses();
    const first = await send(one, longText(12), 'k');
    expect(first.body).toMatchObject({ state: 'stopped', sent: 10 });
    expect((await send(other, longText(12), 'k')).body).toEqual(first.body);
    expect((await send(other, 'twice', 'k')).body).toMatchObject({
      status: 409,
      code: 'idempotency_conflict',
      retry_after: null,
    });
    expect(webhook.messages).toHaveLength(10);
  });

  test('refuses the same request in another process while the first call is running', async () => {
    const { one, other, send, discord, webhook } = await twoProcesses();
    const gate = discord.rest.faults.hold(POST);
    const first = send(one, 'once', 'k');
    await gate.reached;
    expect((await send(other, 'once', 'k')).body).toMatchObject({
      status: 409,
      code: 'idempotency_conflict',
      error: expect.stringContaining('still running'),
      hint: expect.stringContaining('check the channel'),
      retry_after: 25,
    });
    const again = send(one, 'once', 'k');
    gate.release();
    expect((await again).body).toEqual((await first).body);
    expect((await send(other, 'once', 'k')).body).toEqual((await first).body);
    expect(webhook.texts).toEqual(['once']);
  });

  test('releases the key everywhere after a failure', async () => {
    const { one, other, send, discord, webhook } = await twoProcesses();
    discord.rest.faults.fail(POST, 400, { code: 50_035 });
    expect((await send(one, 'x', 'k')).body).toMatchObject({ status: 400 });
    expect((await send(other, 'y', 'k')).body).toMatchObject({ state: 'sent' });
    expect(webhook.texts).toEqual(['y']);
  });

  test('posts one text at a time for one webhook, from any process', async () => {
    const { one, other, send, webhook, discord } = await twoProcesses();
    discord.rest.limits.set(POST, { count: 2, windowMs: 50 });
    await Promise.all([send(one, longText(4)), send(other, longText(4))]);
    expect(webhook.texts.slice(0, 4).join('\n\n')).toBe(longText(4));
    expect(webhook.texts.slice(4).join('\n\n')).toBe(longText(4));
  });

  test('answers for a key after its process has gone, and posts nothing again', async () => {
    const { one, other, send, webhook } = await twoProcesses();
    const first = await send(one, 'once', 'k');
    await one.app.close();
    expect((await send(other, 'once', 'k')).body).toEqual(first.body);
    expect(webhook.texts).toEqual(['once']);
  });

  test('gives Redis no text, no token, no key and no guild', async () => {
    const { one, send, webhook, redisUrl, discord } = await twoProcesses();
    const gate = discord.rest.faults.hold(POST);
    const sending = send(one, 'words of a secret text', 'my-key');
    await gate.reached;
    const redis = await openRedis(redisUrl);
    const prefix = redis.options.keyPrefix ?? '';
    const names = await redis.keys(`${prefix}quartermaster:*`);
    const records = await Promise.all(
      names
        .filter((name) => /quartermaster:(?:send|webhook):/.test(name))
        .map((name) => redis.get(name.slice(prefix.length))),
    );
    expect(records).toHaveLength(2);
    const everything = [...names, ...records].join('\n');
    for (const secret of [webhook.token, 'secret text', 'my-key', one.guildId]) {
      // The buckets of limits are counted by server, as before.
      expect(everything.replaceAll(/^.*:limit:.*$/gm, '')).not.toContain(secret);
    }
    gate.release();
    expect((await sending).body).toMatchObject({ state: 'sent' });
    // The lock is given back, and the result is kept for 10 minutes.
    const [left = '', ...others] = (await redis.keys(`${prefix}quartermaster:*`)).filter((name) =>
      /quartermaster:(?:send|webhook):/.test(name),
    );
    expect([left, others]).toEqual([expect.stringContaining(':send:'), []]);
    const name = left.slice(prefix.length);
    expect(await redis.get(name)).not.toContain('secret text');
    expect(await redis.ttl(name)).toBeGreaterThan(590);
  });
});

describe.skipIf(isRedisServerMissing())('a Redis', () => {
  test('that lost its data stops a text before it could mix with another; while it is unreachable, nothing is posted', async () => {
    await using redis = await startPrivateRedis();
    const { one, other, send, webhook, discord, sendBefore } = await twoProcesses(redis.url, {
      ...SHORT,
      noLocksMs: NO_LOCKS_MS,
    });
    await sendBefore(one);
    const gate = discord.rest.faults.hold(POST);
    const first = send(one, longText(5));
    await gate.reached;
    await redis.admin.flushall();
    // The lock is lost, so the other process may post. The first one finds out before its next message.
    expect((await send(other, longText(2))).body).toMatchObject({ state: 'sent', sent: 2 });
    gate.release();
    expect((await first).body).toMatchObject({ state: 'stopped', sent: 1, retry_after: 10 });
    expect(webhook.messages).toHaveLength(4);

    await redis.kill();
    for (const app of [one, other]) {
      expect((await send(app, 'x')).body).toMatchObject({ status: 503, code: 'busy' });
    }
    expect(webhook.messages).toHaveLength(4);
    await redis.start();
    await expect.poll(async () => (await send(one, 'after')).body).toMatchObject({ state: 'sent' });
  });
});

describe.skipIf(isRedisServerMissing())('a lock that Redis has lost', () => {
  test('stops every text with an Idempotency-Key, because another process may post the same one', async () => {
    await using redis = await startPrivateRedis();
    const { one, other, send, webhook, discord } = await twoProcesses(redis.url, SHORT);
    const text = longText(5);
    const gate = discord.rest.faults.hold(POST);
    const first = send(one, text, 'k');
    await gate.reached;
    await redis.admin.flushall();
    expect((await send(other, text, 'k')).body).toMatchObject({ state: 'sent', sent: 5 });
    gate.release();
    expect((await first).body).toMatchObject({ state: 'stopped', sent: 1, retry_after: null });
    expect(webhook.messages).toHaveLength(6);
  });

  test('is not granted again while its text may still be posted, after Redis came back empty', async () => {
    await using redis = await startPrivateRedis();
    const { one, other, send, webhook, discord, sendBefore } = await twoProcesses(redis.url, SHORT);
    await sendBefore(one);
    await sendBefore(other);
    const gate = discord.rest.faults.hold(POST);
    const first = send(one, longText(3));
    await gate.reached;
    await redis.kill();
    await redis.start();
    // While Redis is away, callers are to come back after 5 s.
    const isRefused = async (app: TestApp) => {
      const { code, retry_after: seconds } = (await send(app, 'in between')).body;
      return code === 'busy' && Number(seconds) > 5 && Number(seconds) <= 23;
    };
    await expect.poll(() => isRefused(other), POLL).toBe(true);
    gate.release();
    expect((await first).body).toMatchObject({ state: 'stopped', sent: 1, retry_after: 10 });
    await expect.poll(() => isRefused(one), POLL).toBe(true);
    expect(webhook.messages).toHaveLength(3);
  });

  test('is granted again when the time of a call is over, and after a connection that was only cut', async () => {
    await using redis = await startPrivateRedis();
    const soon = await twoProcesses(redis.url, { ...SHORT, noLocksMs: NO_LOCKS_MS });
    const late = await twoProcesses(redis.url, SHORT);
    await redis.admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await expect.poll(async () => (await late.send(late.one, 'x')).body).toMatchObject({ state: 'sent' });
    await redis.kill();
    await redis.start();
    await expect.poll(async () => (await soon.send(soon.one, 'x')).body).toMatchObject({ state: 'sent' });
    expect((await late.send(late.one, 'y')).body).toMatchObject({ code: 'busy' });
  });

  test('is granted as before by a Redis that does not say which one it is', async () => {
    await using redis = await startPrivateRedis();
    const allow = () => redis.admin.call('ACL', 'SETUSER', 'bot', 'on', '>pw', '~*', '&*', '+@all', '-info');
    await allow();
    const { one, send, sendBefore } = await twoProcesses(`redis://bot:pw@127.0.0.1:${redis.port}`, SHORT);
    await sendBefore(one);
    await redis.kill();
    await redis.start();
    await allow();
    await expect.poll(async () => (await send(one, 'x')).body).toMatchObject({ state: 'sent' });
  });
});

describe.skipIf(isRedisServerMissing())('a Redis that is silent after a text was posted', () => {
  test('tells its caller that it was sent, and the same request posts nothing in any process', async () => {
    await using redis = await startPrivateRedis();
    const { one, other, send, webhook, discord, sendBefore } = await twoProcesses(redis.url, SHORT);
    await sendBefore(one);
    const gate = discord.rest.faults.hold(POST);
    const sending = send(one, 'once', 'k');
    await gate.reached;
    redis.signal('SIGSTOP');
    gate.release();
    const first = await sending;
    expect(first.body).toMatchObject({ state: 'sent', sent: 1 });
    expect((await send(other, 'once', 'k')).body).toMatchObject({ status: 503, code: 'busy' });
    expect((await send(one, 'once', 'k')).body).toEqual(first.body);
    redis.signal('SIGCONT');
    // Until the process has written how it ended, another one says that the request is under way.
    await expect
      .poll(async () => (await send(other, 'once', 'k')).body, { timeout: 10_000 })
      .toEqual(first.body);
    expect(webhook.texts).toEqual(['before', 'once']);
  });
});

test('a hundred callers of one webhook are all answered, and their texts do not mix', async () => {
  const { send, webhook, discord } = await startService({ RATE_LIMIT: '1000' });
  discord.rest.limits.set(POST, { count: 5, windowMs: 200 });
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, at) => send({ text: longText(3).replaceAll('word', `w${at}`) })),
  );
  // The text that is being posted when the time of its call is over is stopped.
  for (const { body } of replies) expect(body['state'] ?? body['code']).toMatch(/^(?:sent|stopped|busy)$/);
  const posted = replies.filter(({ body }) => Number(body['sent']) > 0);
  expect(posted.length).toBeGreaterThan(1);
  const names = webhook.texts.map((text) => /w\d+/.exec(text)?.[0]);
  expect(names.filter((name, at) => name !== names[at - 1])).toHaveLength(posted.length);
});
