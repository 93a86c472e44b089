import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { afterEach, describe, expect, test, vi } from 'vitest';

import type { AppOptions } from '../../../src/app/app-options.ts';
import { newRedisUrl } from '../../fixtures/cluster-setup.ts';
import { POLL } from '../../fixtures/poll.ts';
import { addressOf, isMissing, REDIS_URL, throughPort } from '../../fixtures/storage-services.ts';
import { startTcpProxy } from '../../fixtures/storage-tcp-proxy.ts';
import type { SimulatedGuild } from '../../simulator/guild-model.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import { startTestApp, type TestApp } from '../../fixtures/test-app.ts';

const isWithoutRedis = await isMissing('Redis', REDIS_URL, 6379);
const ADMIN = '200000000000000001';
const ROLE = '400000000000000001';
const RED = '400000000000000002';

let parts = new AsyncDisposableStack();
afterEach(async () => {
  await parts.disposeAsync();
  parts = new AsyncDisposableStack();
});

/** Processes with the same keys and the same Redis. */
function newCluster() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'quartermaster-cluster-'));
  parts.defer(() => rmSync(folder, { recursive: true }));
  const redisUrl = newRedisUrl();
  const env = { STORAGE_URL: `sqlite://${path.join(folder, 'keys.sqlite')}`, REDIS_URL: redisUrl };
  return {
    redisUrl,
    async join(more: Record<string, string> = {}, options: AppOptions = {}): Promise<TestApp> {
      return parts.use(await startTestApp({ ...env, ...more }, options));
    },
  };
}

const withKey = (key: string) => ({ headers: { authorization: key } });
const KEY_LIVES = { keys: { cacheAgeMsMax: 3_600_000 } };

async function callUntilOk(app: TestApp, route: string, init: RequestInit): Promise<void> {
  await vi.waitFor(async () => expect((await app.call(route, init)).status).toBe(200), POLL);
}

/**
 * A process answers for its shard a moment before the others have heard that they can ask it, so each of them is asked
 * until it knows.
 */
async function callAllUntilOk(apps: readonly TestApp[], route: string, init: RequestInit): Promise<void> {
  for (const app of apps) await callUntilOk(app, route, init);
}

function isBot(guild: SimulatedGuild, id: string): boolean {
  return guild.members.get(id)?.bot === true;
}

/** Shards 0 and 1 with a guild each, and a process for HTTP only. */
async function twoShards() {
  const discord = parts.use(
    await startSimulator({
      guilds: Array.from({ length: 2 }, (_, n) => ({
        id: String((BigInt(n) + 160_000_000_000n) << 22n),
        ownerId: ADMIN,
        roles: [
          { id: ROLE, name: 'Blue' },
          { id: RED, name: 'Red' },
        ],
        members: {
          count: 2_000 + n,
          rolesOf: (index: number) => [...(index % 2 ? [ROLE] : []), ...(index % 3 ? [] : [RED])],
          isBot: (index: number) => index % 10 === 1,
        },
      })),
      gateway: { maxConcurrency: 2 },
    }),
  );
  const cluster = newCluster();
  const bot = { DISCORD_TOKEN: discord.bot().token, DISCORD_API_URL: discord.apiUrl };
  const joinShard = (shards: string) =>
    cluster.join(
      { ...bot, GATEWAY_SHARDS: shards, GATEWAY_SHARD_COUNT: '2', METRICS_PORT: '0' },
      { cluster: { renewMs: 50, identifyWindowMs: 50 } },
    );
  const apps = await Promise.all([joinShard('0'), joinShard('1')]);
  return {
    discord,
    apps,
    joinShard,
    plain: await cluster.join({ GATEWAY_SHARDS: 'none', DISCORD_API_URL: discord.apiUrl }),
  };
}

describe.skipIf(isWithoutRedis)('a key that is changed in another process', () => {
  test('is refused as soon as the notice arrives, however long it may be cached', async () => {
    const cluster = newCluster();
    const [one, other] = [await cluster.join({}, KEY_LIVES), await cluster.join({}, KEY_LIVES)];
    expect((await other.call('/api/key', withKey(one.key))).status).toBe(200);
    await one.call('/api/key', { method: 'DELETE' });
    await vi.waitFor(async () => {
      const refused = await other.call('/api/key', withKey(one.key));
      expect(refused).toMatchObject({ status: 401, body: { code: 'key_revoked' } });
    }, POLL);
  });

  test('is refused after 5 seconds when no notice arrives', async () => {
    const cluster = newCluster();
    const proxy = parts.use(await startTcpProxy(addressOf(REDIS_URL, 6379)));
    let now = Date.now();
    const one = await cluster.join();
    const deaf = await cluster.join(
      { REDIS_URL: throughPort(cluster.redisUrl, proxy.port) },
      { keys: { now: () => now } },
    );
    expect((await deaf.call('/api/key', withKey(one.key))).status).toBe(200);
    await proxy.cut();
    await one.call('/api/key', { method: 'DELETE' });
    now += 4_999;
    expect((await deaf.call('/api/key', withKey(one.key))).status).toBe(200);
    now += 1;
    expect(await deaf.call('/api/key', withKey(one.key))).toMatchObject({
      status: 401,
      body: { code: 'key_revoked' },
    });
  });
});

describe.skipIf(isWithoutRedis)('shards in several processes', () => {
  test('answer each command where it arrives, from the list of that process', async () => {
    const { discord, apps } = await twoShards();
    for (const [index, guild] of discord.guilds.entries()) {
      const key = (await apps[index]?.createKey({ guildId: guild.id })) ?? '';
      await callUntilOk(apps[index]!, `/api/role-members?role_id=${ROLE}`, withKey(key));
      const asked = discord.interact.slash(
        'role-members',
        { role: ROLE },
        { guildId: guild.id, userId: ADMIN },
      );
      expect((await asked.reply()).text).toContain('1,000');
      expect(asked.refusals).toEqual([]);
    }
  });

  test('answer pages, counts, flat responses and 304s over HTTP exactly as the shard holder does', async () => {
    const { discord, apps, plain } = await twoShards();
    const guild = discord.guilds[1]!;
    const init = withKey(await plain.createKey({ guildId: guild.id }));
    const route = `/api/role-members?role_id=${ROLE}`;
    await callAllUntilOk([...apps, plain], route, init);
    for (const more of ['', '&count_only=true', '&limit=10', '&limit=999&after=0', '&flat=true&limit=5']) {
      const [own, foreign] = [await apps[1].call(route + more, init), await plain.call(route + more, init)];
      expect(foreign.text).toBe(own.text);
      const etag = own.headers.get('etag') ?? '';
      expect(foreign.headers.get('etag')).toBe(etag);
      const unchanged = await apps[0].call(route + more, {
        headers: { ...init.headers, 'if-none-match': etag },
      });
      expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    }
    expect(await plain.call('/api/role-members?role_id=500000000000000001', init)).toMatchObject({
      status: 404,
      body: { code: 'unknown_role', field: 'role_id' },
    });
    const [left = ''] = guild.holdersOf(ROLE);
    guild.removeMember(left);
    await vi.waitFor(async () => {
      const { body } = await plain.call(route, init);
      expect(body['members']).toEqual(guild.holdersOf(ROLE));
    }, POLL);
  });

  test('answer role questions and counts alike in every process and with a token, with 304 until a member changes', async () => {
    const { discord, apps, plain } = await twoShards();
    const guild = discord.guilds[1]!;
    const key = await plain.createKey({ guildId: guild.id });
    const ask = (app: TestApp, route: string, more: Record<string, string> = {}) =>
      app.call(`/api/${route}`, { headers: { authorization: key, ...more } });
    const questions = () => {
      const [blue, red] = [guild.holdersOf(ROLE), guild.holdersOf(RED)];
      const users = [blue[1], red[0], blue[2], red[1]].join();
      return {
        [`role-members?all=${ROLE},${RED}`]: blue.filter((id) => red.includes(id)),
        [`role-members?any=${ROLE},${RED}`]: guild
          .holdersOf(guild.id)
          .filter((id) => blue.includes(id) || red.includes(id)),
        [`role-members?role_id=${ROLE}&none=${RED}`]: blue.filter((id) => !red.includes(id)),
        [`role-members?role_id=${ROLE}&user_id=${users}`]: blue.filter((id) => users.includes(id)),
        [`role-members?role_id=${ROLE}&bots=exclude`]: blue.filter((id) => !isBot(guild, id)),
        [`role-members?any=${ROLE},${RED}&bots=only`]: guild
          .holdersOf(guild.id)
          .filter((id) => (blue.includes(id) || red.includes(id)) && isBot(guild, id)),
      };
    };
    await callAllUntilOk([...apps, plain], '/api/role-counts', withKey(key));
    const tags = new Map<string, string>();
    const counts = await ask(apps[1], 'role-counts');
    for (const route of [...Object.keys(questions()), 'role-counts']) {
      const own = await ask(apps[1], route);
      const tag = own.headers.get('etag') ?? '';
      tags.set(route, tag);
      for (const other of [apps[0], plain]) {
        const foreign = await ask(other, route);
        expect([foreign.status, foreign.text, foreign.headers.get('etag')]).toEqual([200, own.text, tag]);
        const unchanged = await ask(other, route, { 'if-none-match': tag });
        expect([unchanged.status, unchanged.text]).toEqual([304, '']);
      }
    }
    const token = { token: discord.bot().token };
    for (const [route, members] of Object.entries(questions())) {
      for (const more of [{}, token]) {
        const { body } = await ask(plain, `${route}&source=${more === token ? 'token' : 'gateway'}`, more);
        expect(body).toMatchObject({ members, count: members.length });
      }
    }
    const listed = await ask(plain, 'role-counts?source=token', token);
    expect(listed.body['roles']).toEqual(counts.body['roles']);

    const drawn = await ask(plain, `role-members?role_id=${ROLE}&sample=20`);
    const people = guild.holdersOf(ROLE).filter((id) => !isBot(guild, id));
    expect(drawn.body).toMatchObject({ bots: 'exclude', count: people.length, returned: 20 });
    expect(drawn.headers.get('etag')).toBeNull();
    expect(people).toEqual(expect.arrayContaining(drawn.body['members'] as string[]));
    const again = await ask(plain, `role-members?role_id=${ROLE}&sample=20`);
    expect(again.body['members']).not.toEqual(drawn.body['members']);

    const both = guild.holdersOf(ROLE).find((id) => guild.holdersOf(RED).includes(id)) ?? '';
    guild.updateMember(both, { roles: [] });
    for (const [route, tag] of tags) {
      for (const other of [apps[0], plain]) {
        await vi.waitFor(async () => {
          expect((await ask(other, route, { 'if-none-match': tag })).status).toBe(200);
        }, POLL);
      }
    }
    for (const [route, members] of Object.entries(questions())) {
      expect((await ask(plain, route)).body).toMatchObject({ members });
    }
  });

  test('report each role change once, to readers and cursors in every process', async () => {
    const { discord, apps, plain } = await twoShards();
    const guild = discord.guilds[1]!;
    const init = withKey(await plain.createKey({ guildId: guild.id }));
    const route = `/api/role-changes?role_id=${ROLE}`;
    await callAllUntilOk([...apps, plain], route, init);
    const cursor = String((await plain.call(route, init)).body['cursor']);
    expect((await plain.call(`${route}&reader=a`, init)).body).toMatchObject({ reset: true, added: [] });
    const { id } = guild.addMember({ roles: [ROLE] });
    await vi.waitFor(async () => {
      const { body } = await plain.call(`${route}&since=${cursor}`, init);
      expect(body).toMatchObject({ reset: false, added: [id] });
    }, POLL);
    // Wherever it is asked, the holder of the shard knows where the reader is.
    expect((await apps[0].call(`${route}&reader=a`, init)).body).toMatchObject({ reset: false, added: [id] });
    await vi.waitFor(async () => {
      const { body } = await apps[1].call(`${route}&reader=a`, init);
      expect(body).toMatchObject({ reset: false, added: [] });
    }, POLL);
    expect((await plain.call(`${route}&reader=a`, init)).body).toMatchObject({ reset: false, added: [] });
  });

  test('appear in readiness and metrics, including shards that two processes hold', async () => {
    const { discord, apps, plain, joinShard } = await twoShards();
    const [guild] = discord.guilds;
    const init = withKey(await plain.createKey({ guildId: guild?.id ?? '' }));
    await callUntilOk(apps[1], `/api/role-members?role_id=${ROLE}&count_only=true`, init);
    expect(await apps[0].metrics()).toContain('quartermaster_cluster_shards_held_twice 0');
    expect(plain.logLines.join('\n')).toContain('no slash commands, and member lists of other processes');
    for (const app of [...apps, plain]) {
      // Each learns of the others when it next reads the leases.
      await vi.waitFor(async () => {
        const { body } = await app.call('/health/ready');
        expect(body).toMatchObject({
          status: 'ready',
          cluster: { redis: 'ok', hears: true, processes: 3, shards_held_twice: [] },
        });
      }, POLL);
    }
    const twin = await joinShard('0');
    await vi.waitFor(async () => {
      const { body } = await twin.call('/health/ready');
      expect(body).toMatchObject({ cluster: { shards_held_twice: [0] } });
    }, POLL);
    expect(twin.logLines.join('')).toContain('another process holds these shards, too');
  });
});
