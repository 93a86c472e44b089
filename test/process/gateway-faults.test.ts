import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';

import { expect, test } from 'vitest';

import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { afterTest, startProcess } from './service-process.ts';
import { KEY } from '../fixtures/key-pattern.ts';

const ADMIN = '200000000000000001';
const ROLE = '400000000000000001';
const BUSY_MACHINE_MS = 120_000;

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The service with this Discord, and a key of its first guild. */
async function start(discord: Simulator, env: Record<string, string> = {}) {
  const service = startProcess({
    STORAGE_URL: 'memory:',
    DISCORD_TOKEN: discord.bot().token,
    DISCORD_API_URL: discord.apiUrl,
    ...env,
  });
  const url = `http://127.0.0.1:${await service.ready()}`;
  const call = async (path: string, authorization = ''): Promise<Answer> => {
    const response = await fetch(url + path, { headers: { authorization } });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  /** Asks again until the answer is this one: what it waits for happens in another process. */
  const until = async (path: string, isIt: (answer: Answer) => boolean, key = ''): Promise<Answer> => {
    for (;;) {
      const answer = await call(path, key);
      if (isIt(answer)) return answer;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const createKey = async (guildId = discord.guild().id): Promise<string> => {
    const asked = discord.interact.slash(
      'settings key create',
      { name: 'faults' },
      { guildId, userId: ADMIN },
    );
    return KEY.exec((await asked.reply()).text)?.[0] ?? '';
  };
  /** On a connection that is open already after the first call. `sent` resolves also while the service is stopped. */
  const keptCaller = () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    afterTest(() => agent.destroy());
    return (path: string, authorization: string) => {
      const asked = request(url + path, { agent, headers: { authorization } });
      const sent = once(asked, 'finish');
      const answer = once(asked, 'response').then(async ([response]: readonly IncomingMessage[]) => ({
        status: response?.statusCode ?? 0,
        body: (response === undefined ? {} : await json(response)) as Answer['body'],
      }));
      asked.end();
      return { sent, answer };
    };
  };
  return { ...service, call, until, createKey, keptCaller };
}

/** One guild on each shard. */
const guilds = (count: number) =>
  Array.from({ length: count }, (_, shardId) => ({
    id: String((BigInt(shardId) + 40_000_000_000n * BigInt(count)) << 22n),
    ownerId: ADMIN,
    roles: [{ id: ROLE, name: 'Blue' }],
    members: { count: 30, rolesOf: (index: number) => (index % 3 === 0 ? [] : [ROLE]) },
  }));

const LIST = `/api/role-members?role_id=${ROLE}`;

test(
  'four starting shards survive a gateway that answers handshakes with 520, without losing a session',
  async () => {
    await using discord = await startSimulator({
      guilds: guilds(4),
      gateway: { recommendedShards: 4, maxConcurrency: 4 },
    });
    discord.gateway.refuseHandshakes(520, 3);
    const service = await start(discord);
    await discord.until(() => discord.gateway.live.length === 4);
    expect(service.child.exitCode).toBe(null);
    expect(discord.gateway.identifies.map(({ shard }) => shard[0]).toSorted((a, b) => a - b)).toEqual([
      0, 1, 2, 3,
    ]);
    expect(discord.gateway.handshakes).toBe(7);
  },
  BUSY_MACHINE_MS,
);

test(
  'a paused process never answers an old list, and soon answers the new one',
  async () => {
    await using discord = await startSimulator({ guilds: guilds(1) });
    const service = await start(discord);
    const guild = discord.guild();
    const key = await service.createKey();
    await service.until(LIST, ({ status }) => status === 200, key);
    const callers = Array.from({ length: 8 }, service.keptCaller);
    await Promise.all(callers.map((ask) => ask(LIST, key).answer));
    service.child.kill('SIGSTOP');
    afterTest(() => service.child.kill('SIGCONT'));
    // Longer than a pause that does not count. Time in another process cannot be moved by hand.
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    // Each request has left before the gateway hears of the change, so it is read first.
    const asked = callers.map((ask) => ask(LIST, key));
    await Promise.all(asked.map(({ sent }) => sent));
    guild.updateMember(guild.holdersOf(ROLE)[0] ?? '', { roles: [] });
    const expected = guild.holdersOf(ROLE);
    service.child.kill('SIGCONT');
    const wrong = (await Promise.all(asked.map(({ answer }) => answer))).filter(({ status, body }) =>
      status === 200
        ? JSON.stringify(body['members']) !== JSON.stringify(expected)
        : body['code'] !== 'member_list_unavailable',
    );
    expect(wrong).toEqual([]);
    const { body } = await service.until(LIST, ({ status }) => status === 200, key);
    expect(body['members']).toEqual(expected);
    expect(discord.gateway.identifies).toHaveLength(1);
  },
  BUSY_MACHINE_MS,
);

test(
  'after a token reset, lists are refused and readiness is 503 with the reason, while the rest works',
  async () => {
    await using discord = await startSimulator({
      guilds: guilds(2),
      gateway: { recommendedShards: 2, maxConcurrency: 2 },
    });
    const service = await start(discord);
    await discord.until(() => discord.gateway.live.length === 2);
    const keys = [];
    for (const { id } of discord.guilds) keys.push(await service.createKey(id));
    for (const key of keys) await service.until(LIST, ({ status }) => status === 200, key);
    discord.gateway.shard(1).close(4004);
    const { body } = await service.until('/health/ready', ({ status }) => status === 503);
    expect(body['error']).toContain('Discord does not accept DISCORD_TOKEN');
    for (const key of keys) {
      expect(await service.call(LIST, key)).toMatchObject({
        status: 503,
        body: { code: 'member_list_unavailable' },
      });
    }
    expect((await service.call('/health/live')).status).toBe(200);
    expect((await service.call('/api/parse-args?text=!ban', keys[0])).status).toBe(200);
  },
  BUSY_MACHINE_MS,
);
