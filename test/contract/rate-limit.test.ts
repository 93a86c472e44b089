import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  overLimitProblem,
  toBuckets,
  toLimitHeaders,
  Limiter,
  type LimitResult,
} from '../../src/rate-limit/limiter.ts';
import { connectRedis } from '../../src/storage/redis-connection.ts';
import { LIMITS } from '../fixtures/limits.ts';
import { POLL } from '../fixtures/poll.ts';
import { quickOrFull } from '../fixtures/full-run.ts';
import { addressOf, isMissing, REDIS_URL, throughPort } from '../fixtures/storage-services.ts';
import { startTcpProxy, type TcpProxy } from '../fixtures/storage-tcp-proxy.ts';

const isWithoutRedis = await isMissing('Redis', REDIS_URL, 6379);
const timeouts = { commandTimeoutMs: 1_000, connectTimeoutMs: 2_000 };
const minute = toBuckets(LIMITS);
const newId = () => `test-${crypto.randomUUID()}`;

async function takeMany(limiter: Limiter, id: string, count: number): Promise<LimitResult[]> {
  return Promise.all(Array.from({ length: count }, async () => limiter.take('guild', id)));
}

for (const kind of ['memory', 'Redis'] as const) {
  describe.skipIf(kind === 'Redis' && isWithoutRedis)(`limits in ${kind}`, () => {
    let redis: Redis | undefined;
    const open = (buckets = minute) => new Limiter(buckets, redis ?? null);

    beforeAll(async () => {
      if (kind === 'Redis') redis = await connectRedis(REDIS_URL, timeouts);
    });
    afterAll(() => redis?.disconnect());

    test('count down from the first request and refuse the one after the last', async () => {
      const limiter = open();
      const id = newId();
      const results: LimitResult[] = [];
      for (let n = 0; n < 122; n += 1) results.push(await limiter.take('guild', id));
      expect(results.map((result) => result.remaining)).toEqual([
        ...Array.from({ length: 120 }, (_, n) => 119 - n),
        0,
        0,
      ]);
      expect(results.map((result) => result.isAllowed).indexOf(false)).toBe(120);
      for (const result of results) {
        expect(result).toMatchObject({ bucket: 'guild', limit: 120, windowSeconds: 60 });
        expect(result.resetSeconds).toBeGreaterThanOrEqual(1);
        expect(result.resetSeconds).toBeLessThanOrEqual(60);
      }
    });

    test('admit exactly as many of 2,000 concurrent requests', async () => {
      const results = await takeMany(open(), newId(), 2_000);
      expect(results.filter((result) => result.isAllowed)).toHaveLength(120);
      const left = results.filter((result) => result.isAllowed).map((result) => result.remaining);
      expect(new Set(left).size).toBe(120);
    });

    test('count each bucket and each guild separately', async () => {
      const limiter = open();
      const [id, other] = [newId(), newId()];
      await takeMany(limiter, id, 121);
      expect((await limiter.take('guild', id)).isAllowed).toBe(false);
      expect(await limiter.take('image', id)).toMatchObject({ isAllowed: true, limit: 20, remaining: 19 });
      expect(await limiter.take('command', id)).toMatchObject({ isAllowed: true, limit: 20, remaining: 19 });
      expect(await limiter.take('command_image', id)).toMatchObject({
        isAllowed: true,
        limit: 5,
        remaining: 4,
      });
      expect(await limiter.take('guild', other)).toMatchObject({ isAllowed: true, remaining: 119 });
    });

    test('count each guild separately when requests of many arrive concurrently', async () => {
      const limiter = open();
      const ids = Array.from({ length: 50 }, newId);
      const results = await Promise.all(
        Array.from({ length: 150 }, () => ids.map(async (id) => limiter.take('guild', id))).flat(),
      );
      for (const place of ids.keys()) {
        const own = results.filter((_, index) => index % ids.length === place);
        expect(own.map(({ remaining }) => remaining)).toEqual([
          ...Array.from({ length: 120 }, (_, n) => 119 - n),
          ...Array.from({ length: 30 }, () => 0),
        ]);
        expect(own.filter(({ isAllowed }) => isAllowed)).toHaveLength(120);
      }
    });

    test('are reset after the window', async () => {
      const limiter = open(toBuckets({ ...LIMITS, requestsPerMinute: 1, windowSeconds: 1 }));
      const id = newId();
      expect((await limiter.take('guild', id)).isAllowed).toBe(true);
      expect(await limiter.take('guild', id)).toMatchObject({ isAllowed: false, resetSeconds: 1 });
      await expect.poll(async () => (await limiter.take('guild', id)).isAllowed).toBe(true);
    });

    test('appear in the headers and in the refusal', async () => {
      const limiter = open(toBuckets({ ...LIMITS, requestsPerMinute: 1 }));
      const id = newId();
      const allowed = await limiter.take('guild', id);
      expect(toLimitHeaders(allowed)).toEqual({
        'RateLimit-Policy': '"guild";q=1;w=60',
        RateLimit: `"guild";r=0;t=${allowed.resetSeconds}`,
      });
      const refused = await limiter.take('guild', id);
      const seconds = refused.resetSeconds;
      expect(toLimitHeaders(refused).RateLimit).toBe(`"guild";r=0;t=${seconds}`);
      expect(overLimitProblem(refused)).toEqual(
        expect.objectContaining({
          code: 'rate_limited',
          status: 429,
          message: 'Too many requests for this server.',
          hint: `Wait ${seconds} seconds.`,
          retryAfterSeconds: seconds,
        }),
      );
    });
  });
}

describe.skipIf(isWithoutRedis)('limits of several processes', () => {
  let proxy: TcpProxy;
  let redis: Redis;

  beforeEach(async () => {
    proxy = await startTcpProxy(addressOf(REDIS_URL, 6379));
    redis = await connectRedis(throughPort(REDIS_URL, proxy.port), timeouts);
  });
  afterEach(async () => {
    redis.disconnect();
    await proxy[Symbol.asyncDispose]();
  });

  test('cost Redis one call each, and leave no permanent key there', async () => {
    const limiter = new Limiter(minute, redis);
    const id = newId();
    const calls = vi.spyOn(redis, 'sendCommand');
    await limiter.take('guild', id);
    calls.mockClear();
    await takeMany(limiter, id, 5);
    expect(calls).toHaveBeenCalledTimes(5);
    const left = await redis.pttl(`quartermaster:limit:guild:${id}`);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(60_000);
  });

  test('are counted together', async () => {
    const near = await connectRedis(REDIS_URL, timeouts);
    const [one, other] = [new Limiter(minute, redis), new Limiter(minute, near)];
    const id = newId();
    const results = await Promise.all([takeMany(one, id, 100), takeMany(other, id, 100)]);
    expect(results.flat().filter((result) => result.isAllowed)).toHaveLength(120);
    near.disconnect();
  });

  test('admit exactly the limit, however requests are spread over processes and time', async () => {
    const near = await connectRedis(REDIS_URL, timeouts);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1_500 }),
        fc.array(fc.tuple(fc.nat({ max: 2 }), fc.integer({ min: 1, max: 300 })), {
          minLength: 5,
          maxLength: 12,
        }),
        async (requestsPerMinute, bursts) => {
          const buckets = toBuckets({ ...LIMITS, requestsPerMinute });
          const limiters = [redis, near, near].map((connection) => new Limiter(buckets, connection));
          const id = newId();
          const results: Promise<LimitResult>[] = [];
          for (const [place, requests] of bursts) {
            for (let n = 0; n < requests; n += 1) {
              results.push(Promise.resolve(limiters[place]!.take('guild', id)));
              if (n % 5 === 0) await results.at(-1);
            }
          }
          const passed = (await Promise.all(results)).filter(({ isAllowed }) => isAllowed);
          expect(passed).toHaveLength(Math.min(requestsPerMinute, results.length));
        },
      ),
      { numRuns: quickOrFull(15, 60), seed: 21 },
    );
    near.disconnect();
  });

  test.each(['cut', 'hang'] as const)(
    'continue in the process when connections %s, and together when Redis is back',
    async (fault) => {
      const limiter = new Limiter(minute, redis);
      const id = newId();
      await takeMany(limiter, id, 60);
      await proxy[fault]();
      const alone = await takeMany(limiter, id, 130);
      expect(alone.filter((result) => result.isAllowed)).toHaveLength(120);
      await proxy.restore();
      await vi.waitFor(() => redis.ping(), POLL);
      expect(await limiter.take('guild', id)).toMatchObject({ isAllowed: true, remaining: 59 });
    },
  );
});
