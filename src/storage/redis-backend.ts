import type { Backend, BackendOptions } from './backend.ts';
import { connectRedis } from './redis-connection.ts';

/** Redis returns about this many keys per step. */
const PAGE_KEYS = 200;

// The scripts take an empty string for "no entry"; no record is empty.
const COMPARE_AND_SET = `
local current = redis.call('GET', KEYS[1]) or ''
if current ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2]) end
return 1
`;

/**
 * One string for each record. Acknowledged changes are as durable as Redis is configured to be
 * (https://redis.io/docs/latest/operate/oss_and_stack/management/persistence/).
 */
export async function openRedisBackend(url: string, options: BackendOptions): Promise<Backend> {
  const redis = await connectRedis(url, options);
  // ioredis adds the `keyPrefix` of the URL to keys, but not to patterns, and does not remove it from the keys that
  // SCAN returns.
  const { keyPrefix = '' } = redis.options;

  return {
    createAdapter(namespace) {
      const prefix = `quartermaster:${namespace}:`;
      return {
        capabilities: { expires: true },
        namespace,
        get: async (key) => (await redis.get(prefix + key)) ?? undefined,
        async set(key, value) {
          await redis.set(prefix + key, value);
          return true;
        },
        delete: async (key) => (await redis.del(prefix + key)) === 1,
        async *iterator() {
          const whole = keyPrefix + prefix;
          const pattern = `${whole.replaceAll(/[\\*?[\]]/g, String.raw`\$&`)}*`;
          let cursor = '0';
          do {
            const [next, names] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', PAGE_KEYS);
            const keys = names.map((name) => name.slice(whole.length));
            const values = keys.length === 0 ? [] : await redis.mget(keys.map((key) => prefix + key));
            for (const [index, value] of values.entries()) {
              const key = keys[index];
              if (value !== null && key !== undefined) yield [key, value];
            }
            cursor = next;
          } while (cursor !== '0');
        },
        async compareAndSet(key, expected, next) {
          return (await redis.eval(COMPARE_AND_SET, 1, prefix + key, expected ?? '', next ?? '')) === 1;
        },
      };
    },
    async ping() {
      await redis.ping();
    },
    async close() {
      redis.disconnect();
    },
  };
}
