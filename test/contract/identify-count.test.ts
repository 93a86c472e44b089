import { expect, test } from 'vitest';

import { joinCluster, newRedisUrl } from '../fixtures/cluster-setup.ts';
import { anyCaller } from '../fixtures/any-caller.ts';
import { isMissing, REDIS_URL } from '../fixtures/storage-services.ts';

const isWithoutRedis = await isMissing('Redis', REDIS_URL, 6379);
const join = (url: string) => joinCluster(url, { identifyWindowMs: 1 });

test.skipIf(isWithoutRedis)(
  'two processes that both received 2 remaining identifies use 2 together',
  async () => {
    const url = newRedisUrl();
    const nodes = [await join(url), await join(url)];
    const identifiesLeft = { left: 2, reserve: 0 };
    const taken = await Promise.all(
      Array.from({ length: 6 }, async (_, n) =>
        nodes[n % 2]?.waitForIdentify(n, anyCaller.signal, identifiesLeft),
      ),
    );
    expect(taken.filter((isTaken) => isTaken === true)).toHaveLength(2);
  },
);

test.skipIf(isWithoutRedis)(
  'the identifies kept for a manual restart are kept by all processes, and available for it',
  async () => {
    const url = newRedisUrl();
    const nodes = [await join(url), await join(url)];
    const take = (node: number, reserve: number) =>
      nodes[node]?.waitForIdentify(node, anyCaller.signal, { left: 51, reserve });
    expect(await take(0, 50)).toBe(true);
    expect(await take(1, 50)).toBe(false);
    expect(await take(1, 0)).toBe(true);
  },
);
