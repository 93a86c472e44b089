import { describe, expect, test } from 'vitest';

import { generateKey } from '../../../src/guild-keys/guild-key.ts';
import { addressOf, isMissing, REDIS_URL, throughPort } from '../../fixtures/storage-services.ts';
import { startTcpProxy } from '../../fixtures/storage-tcp-proxy.ts';
import { startTestApp, type Reply } from '../../fixtures/test-app.ts';

const ENCODE = '/api/chat/permission-encoder?permissions=SEND_MESSAGES';

/** `r` and `t` of the header. */
function readLimit(reply: Reply): { left: number; seconds: number } {
  const match = /^"guild";r=(\d+);t=(\d+)$/.exec(reply.headers.get('ratelimit') ?? '');
  return { left: Number(match?.[1]), seconds: Number(match?.[2]) };
}

describe('the limit of a guild', () => {
  test('admits exactly as many of 200 requests as it says, and tells the others when to retry', async () => {
    await using app = await startTestApp({ RATE_LIMIT: '120' });
    const replies: Reply[] = [];
    let started = 0;
    const connection = async () => {
      while ((started += 1) <= 200) replies.push(await app.call(ENCODE));
    };
    await Promise.all(Array.from({ length: 50 }, connection));
    const passed = replies.filter((reply) => reply.status === 200);
    const refused = replies.filter((reply) => reply.status === 429);
    expect([passed.length, refused.length]).toEqual([120, 80]);
    expect(passed.map((reply) => readLimit(reply).left).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 120 }, (_, index) => index),
    );
    for (const reply of refused) {
      const { left, seconds } = readLimit(reply);
      expect([left, reply.headers.get('ratelimit-policy')]).toEqual([0, '"guild";q=120;w=60']);
      expect(reply.body).toMatchObject({ code: 'rate_limited', retry_after: seconds });
      expect(reply.headers.get('retry-after')).toBe(String(seconds));
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(60);
    }
  });

  test('is shared by all its keys, and not by other guilds', async () => {
    await using app = await startTestApp({ RATE_LIMIT: '2' });
    const headers = { authorization: await app.createKey() };
    const others = { authorization: await app.createKey({ guildId: '111111111111111111' }) };
    expect((await app.call(ENCODE)).status).toBe(200);
    expect((await app.call(ENCODE, { headers })).status).toBe(200);
    expect((await app.call(ENCODE, { headers })).status).toBe(429);
    expect((await app.call(ENCODE, { headers: others })).status).toBe(200);
  });

  test('appears on responses to bad requests too, and images have a limit of their own', async () => {
    await using app = await startTestApp({ RATE_LIMIT: '50', IMAGE_RATE_LIMIT: '3' });
    expect((await app.call('/api/parse-args')).headers.get('ratelimit')).toMatch(/^"guild";r=49;t=\d+$/);
    const image = await app.call('/api/image-to-base64?url=nothing');
    expect([image.status, image.headers.get('ratelimit-policy')]).toEqual([422, '"image";q=3;w=60']);
    expect((await app.call('/api/parse-args')).headers.get('ratelimit')).toMatch(/^"guild";r=48;/);
  });
});

test.each([
  ['once when TRUST_PROXY is not set', {}, '203.0.113.7', 1],
  ['never when TRUST_PROXY names the proxy', { TRUST_PROXY: '1' }, '203.0.113.7', 0],
  ['never without a proxy', {}, null, 0],
])('the log warns about a proxy in front %s', async (_when, env, forwardedFor, warnings) => {
  await using app = await startTestApp(env);
  const headers = forwardedFor === null ? {} : { 'X-Forwarded-For': forwardedFor };
  for (const authorization of [app.key, await app.createKey(), 'wrong']) {
    await app.call(ENCODE, { headers: { ...headers, authorization } });
  }
  expect(app.logLines.filter((line) => line.includes('TRUST_PROXY'))).toHaveLength(warnings);
});

/** Complete, and of another guild each time. */
const madeUp = (n: number) => generateKey(String(100_000_000_000_000_000n + BigInt(n)), 'aaaaa');

describe('failing keys', () => {
  test('slow down their IP address, but never a valid key that comes from it', async () => {
    await using app = await startTestApp();
    const replies = await Promise.all(
      Array.from({ length: 300 }, (_, n) => app.call('/api/key', { headers: { authorization: madeUp(n) } })),
    );
    const codes = new Set(replies.map((reply) => reply.body['code']));
    expect(codes).toEqual(new Set(['busy', 'key_unknown']));
    const busy = replies.find((reply) => reply.body['code'] === 'busy');
    expect([busy?.status, Number(busy?.headers.get('retry-after')) >= 1]).toEqual([503, true]);
    expect((await app.call('/api/key')).status).toBe(200);
  });

  test.each([
    ['1', ['key_unknown']],
    ['off', ['busy', 'key_unknown']],
  ])('slow down the IP address that a proxy reports, if TRUST_PROXY=%s', async (trusted, expected) => {
    await using app = await startTestApp({ TRUST_PROXY: trusted });
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, n) => {
        const headers = { authorization: madeUp(n), 'x-forwarded-for': `203.0.113.${n}` };
        return app.call('/api/key', { headers });
      }),
    );
    expect(new Set(replies.map((reply) => reply.body['code']))).toEqual(new Set(expected));
  });
});

const isWithoutRedis = await isMissing('Redis', REDIS_URL, 6379);

describe.skipIf(isWithoutRedis)('a failing storage', () => {
  test('causes a 503 with retry_after, never a 401, and recovers without a restart', async () => {
    await using proxy = await startTcpProxy(addressOf(REDIS_URL, 6379));
    await using app = await startTestApp(
      { STORAGE_URL: throughPort(REDIS_URL, proxy.port) },
      { keys: { cacheAgeMsMax: 0, unknownAgeMsMax: 0 } },
    );
    expect((await app.call('/api/key')).status).toBe(200);

    await proxy.cut();
    const reply = await app.call('/api/key');
    expect(reply.body).toMatchObject({ status: 503, code: 'storage_unavailable' });
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    const ready = await app.call('/health/ready');
    expect(ready.body).toMatchObject({ ok: false, status: 503, code: 'storage_unavailable' });
    expect(String(ready.body['error'])).toContain('its storage does not answer');
    expect((await app.call('/health/live')).status).toBe(200);
    // The line names what failed: where in the code it was noticed would be the same for each request.
    // Other parts notice it too and say so when they like, so only the lines of these two requests count.
    const requestIds = [reply, ready].map(({ body }) => String(body['request_id']));
    const linesOf = (requestId: string) => app.logLines.filter((line) => line.includes(requestId));
    await expect.poll(() => requestIds.map((requestId) => linesOf(requestId).length)).toEqual([1, 1]);
    const lines = requestIds.flatMap(linesOf);
    for (const line of lines) expect(line).toMatch(/"cause":\{"name":"\w+","message":".+"/);
    expect(lines.join('')).not.toContain('"stack"');

    await proxy.restore();
    await expect.poll(async () => (await app.call('/api/key')).status).toBe(200);
    await app.app.keys.revoke(app.guildId, String((await app.call('/api/key')).body['key_id']));
  });
});
