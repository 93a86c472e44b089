import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { quickOrFull } from '../fixtures/full-run.ts';
import { isMissing, POSTGRES_URL, REDIS_URL } from '../fixtures/storage-services.ts';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { ADMIN, KEY, Load, newServices, ROLE, ROUTE, ServiceHere, ServiceProcess } from './cluster-setup.ts';

const isWithoutServices =
  (await isMissing('Redis', REDIS_URL, 6379)) || (await isMissing('PostgreSQL', POSTGRES_URL, 5432));

const SHARDS = 4;
/**
 * Milliseconds that Discord wants between two identifies in a bucket, and that the processes leave: far more, because a
 * busy machine may deliver the first one some seconds late.
 */
const WINDOW_MS = 1_000;
const OWN_WINDOW_MS = 5_000;
const OPTIONS = {
  cluster: { identifyWindowMs: OWN_WINDOW_MS },
  gateway: { identifyWindowMs: OWN_WINDOW_MS },
};
/** Right answers of a load that has seen enough of a state. */
const RIGHT = quickOrFull(20, 100);
const BUSY_MACHINE_MS = 120_000;

describe.skipIf(isWithoutServices)('three processes of a bot', { timeout: BUSY_MACHINE_MS }, () => {
  const parts = new AsyncDisposableStack();
  let discord: Simulator;
  let env: Record<string, string>;
  /** Shards 0 and 1, shards 2 and 3, and one for HTTP only, without a token. */
  let first: ServiceHere;
  /** The only one in a process of its own, as it is killed. */
  let second: ServiceProcess;
  /** All four shards, after those two. */
  let all: ServiceHere;
  let plain: ServiceHere;
  /** The guild of each shard with a key. */
  const guilds: { guild: ReturnType<Simulator['guild']>; key: string }[] = [];

  const settings = (shards: string, count = SHARDS) => ({
    ...env,
    DISCORD_TOKEN: discord.bot().token,
    DISCORD_API_URL: discord.apiUrl,
    GATEWAY_SHARDS: shards,
    GATEWAY_SHARD_COUNT: String(count),
  });
  async function start(...args: Parameters<typeof settings>): Promise<ServiceHere> {
    const service = await ServiceHere.start(settings(...args), OPTIONS);
    parts.defer(() => service.stop());
    return service;
  }
  const sessionOf = (shardId: number, count: number) =>
    [...discord.gateway.sessions.values()].some(
      ({ shard, socket }) => shard[0] === shardId && shard[1] === count && socket !== null,
    );

  beforeAll(async () => {
    const services = parts.use(await newServices());
    discord = parts.use(
      await startSimulator({
        // Ids that differ above bit 22: guild n is on shard n.
        guilds: Array.from({ length: SHARDS }, (_, n) => ({
          id: String((BigInt(n) + 40_000_000_000n * BigInt(SHARDS)) << 22n),
          ownerId: ADMIN,
          roles: [{ id: ROLE, name: 'Blue' }],
          // Discord sends them in two parts.
          members: { count: 1_100 + n, rolesOf: (index: number) => (index % 3 === 0 ? [] : [ROLE]) },
        })),
        // Two shards of different processes share each bucket.
        gateway: { maxConcurrency: 2, identifyWindowMs: WINDOW_MS },
      }),
    );
    env = { ...services.env, RATE_LIMIT: '100000', LOG_LEVEL: 'debug' };
    const starting = ServiceProcess.start(
      { ...settings('2-3'), APP_OPTIONS: JSON.stringify(OPTIONS) },
      'test/process/cluster-child.ts',
    );
    // So that both identify within the time that Discord wants between them.
    await discord.until(() => discord.gateway.identifies.length === 2);
    first = await start('0,1');
    second = await starting;
    parts.defer(() => void second.stop('SIGKILL'));
    plain = await ServiceHere.start({ ...env, GATEWAY_SHARDS: 'none', DISCORD_API_URL: discord.apiUrl });
    parts.defer(() => plain.stop());
    await discord.until(() => [0, 1, 2, 3].every((shardId) => sessionOf(shardId, SHARDS)));
    for (const guild of discord.guilds) {
      const asked = discord.interact.slash(
        'settings key create',
        { name: 'cluster' },
        { guildId: guild.id, userId: ADMIN },
      );
      guilds.push({ guild, key: KEY.exec((await asked.reply()).text)?.[0] ?? '' });
    }
  }, BUSY_MACHINE_MS);
  afterAll(() => parts.disposeAsync(), BUSY_MACHINE_MS);

  test('identify one after another', () => {
    expect(discord.gateway.identifies.map(({ outcome }) => outcome)).toEqual(Array(SHARDS).fill('accepted'));
  });

  test('accept each other’s keys, and give identical answers for all guilds', async () => {
    for (const { guild, key } of guilds) {
      const answers: { text: string; etag: string | null }[] = [];
      for (const service of [first, second, plain]) {
        await service.callUntil(200, ROUTE, key);
        answers.push(await service.list(ROUTE, key));
      }
      const [own] = answers;
      expect(JSON.parse(own?.text ?? '')).toMatchObject({
        ok: true,
        source: 'gateway',
        members: guild.holdersOf(ROLE),
      });
      expect(own?.etag).toMatch(/^"/);
      for (const answer of answers) expect(answer).toEqual(own);
    }
  });

  test('refuse a key everywhere once it is revoked anywhere', async () => {
    const { guild } = guilds[3]!;
    const asked = discord.interact.slash(
      'settings key create',
      { name: 'short-lived' },
      { guildId: guild.id, userId: ADMIN },
    );
    const key = KEY.exec((await asked.reply()).text)?.[0] ?? '';
    for (const service of [first, second, plain]) await service.callUntil(200, '/api/key', key);
    expect((await plain.call('/api/key', key, { method: 'DELETE' })).body).toMatchObject({ revoked: true });
    for (const service of [plain, first, second]) {
      const { body } = await service.callUntil(401, '/api/key', key);
      expect(body['code']).toBe('key_revoked');
    }
  });

  test('count requests together', async () => {
    const { key } = guilds[0]!;
    const calls = [first, second, plain].flatMap((service) =>
      Array.from({ length: 15 }, () => service.call('/api/image-to-base64?url=none', key)),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 429)).toHaveLength(20);
  });

  test('report their shared state, and count the requests between them', async () => {
    await first.readyUntil({ redis: 'ok', hears: true, processes: 3, shards_held_twice: [] }, 'cluster');
    expect(plain.output).not.toContain('"level":"error"');
  });

  test("continue under load when one is killed and another one restarts, with 503 or the caller's token for their guilds until they are back", async () => {
    const load = new Load([plain], guilds, ROLE);
    await load.untilRight(RIGHT);
    await second.stop('SIGKILL');
    const lost = guilds[2]!;
    for (const service of [first, plain]) {
      const { body } = await service.callUntil(503, ROUTE, lost.key);
      expect(body).toMatchObject({ code: 'member_list_unavailable', retry_after: 5 });
      const withToken = await service.call(ROUTE, lost.key, { token: discord.bot().token });
      expect(withToken).toMatchObject({
        status: 200,
        body: { source: 'token', members: lost.guild.holdersOf(ROLE) },
      });
      expect((await service.call(ROUTE, guilds[1]!.key)).status).toBe(200);
    }
    // One for all shards comes after both. Until it has identified for all, those of `first` are missing too.
    await first.stop();
    await plain.callUntil(503, ROUTE, guilds[1]!.key);
    all = await start('all');
    for (const { guild, key } of guilds) {
      const { body } = await plain.callUntil(200, ROUTE, key);
      expect(body).toMatchObject({ source: 'gateway', members: guild.holdersOf(ROLE) });
    }
    await load.untilRight(RIGHT);
    await load.stop();
    expect(load.wrong).toEqual([]);
    expect(load.unavailable).toBeGreaterThan(0);
    expect(new Set(discord.gateway.identifies.map(({ outcome }) => outcome))).toEqual(new Set(['accepted']));
  });

  test('give no wrong response under load while the bot changes its number of shards', async () => {
    discord.gateway.settings.maxConcurrency = 16;
    const load = new Load([plain], guilds, ROLE);
    await load.untilRight(RIGHT);
    // The successor first, so that there is no gap.
    const anew = await start('all', 8);
    await anew.readyUntil({
      shards_ready: 8,
      member_lists: { complete: SHARDS, loading: 0, stale: 0 },
    });
    await all.stop();
    await load.untilRight(RIGHT);
    await load.stop();
    expect(load.wrong).toEqual([]);
    expect(discord.gateway.live.map(({ session }) => session?.shard[1])).toEqual(Array(8).fill(8));
    for (const { guild, key } of guilds) {
      const { body } = await plain.call(ROUTE, key);
      expect(body).toMatchObject({ source: 'gateway', members: guild.holdersOf(ROLE) });
    }
  });
});
