import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, connect } from 'node:net';
import type { AddressInfo } from 'node:net';

import { describe, expect, onTestFinished, test } from 'vitest';

import { isRedisServerMissing, startPrivateRedis } from '../fixtures/private-redis.ts';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { ADMIN, KEY, ROLE, ROUTE, ServiceProcess } from './cluster-setup.ts';

const BUSY_MACHINE_MS = 120_000;
const PASSWORD = 'hunter2';

/** A guild on each of two shards. */
function startDiscord(): Promise<Simulator> {
  return startSimulator({
    guilds: [0n, 1n].map((shard) => ({
      id: String((160_000_000_000n + shard) << 22n),
      ownerId: ADMIN,
      roles: [{ id: ROLE, name: 'Blue' }],
      members: { count: 10, rolesOf: () => [ROLE] },
    })),
    gateway: { maxConcurrency: 16 },
  });
}

async function createKey(discord: Simulator, guildId: string): Promise<string> {
  const asked = discord.interact.slash('settings key create', { name: 'k' }, { guildId, userId: ADMIN });
  return KEY.exec((await asked.reply()).text)?.[0] ?? '';
}

const shardOf = (discord: Simulator, shard: string) => ({
  DISCORD_TOKEN: discord.bot().token,
  DISCORD_API_URL: discord.apiUrl,
  GATEWAY_SHARDS: shard,
  GATEWAY_SHARD_COUNT: '2',
});

/** A service that ends with the test. */
async function start(...args: Parameters<typeof ServiceProcess.start>): Promise<ServiceProcess> {
  const service = await ServiceProcess.start(...args);
  onTestFinished(() => void service.stop('SIGKILL'));
  return service;
}

/** Asks both for both lists. */
async function expectAllFromAll(services: readonly ServiceProcess[], discord: Simulator): Promise<void> {
  for (const guild of discord.guilds) {
    const key = await createKey(discord, guild.id);
    for (const service of services) {
      const { body } = await service.callUntil(200, ROUTE, key);
      expect(body).toMatchObject({ source: 'gateway', members: guild.holdersOf(ROLE) });
    }
  }
}

const ip = (...args: readonly string[]) => spawnSync('ip', args, { encoding: 'utf8' });

/** Another machine on a network with this one; null where none can be made. */
function addMachine(): { prefix: readonly string[]; address: string; ownAddress: string } | null {
  const name = `qm${crypto.randomUUID().slice(0, 8)}`;
  const subnet = `198.18.${Math.floor(Math.random() * 256)}`;
  const [ownAddress, address] = [`${subnet}.1`, `${subnet}.2`];
  const [ownEnd, itsEnd] = [`${name}a`, `${name}b`];
  const steps = [
    ['netns', 'add', name],
    ['link', 'add', ownEnd, 'type', 'veth', 'peer', 'name', itsEnd, 'netns', name],
    ['addr', 'add', `${ownAddress}/30`, 'dev', ownEnd],
    ['link', 'set', ownEnd, 'up'],
    ['-n', name, 'addr', 'add', `${address}/30`, 'dev', itsEnd],
    ['-n', name, 'link', 'set', itsEnd, 'up'],
    ['-n', name, 'link', 'set', 'lo', 'up'],
  ];
  for (const step of steps) {
    const { status, stderr, error } = ip(...step);
    if (status === 0) continue;
    const reason = error?.message ?? stderr.trim();
    process.stderr.write(`Skipped: two machines as network namespaces, ip ${step.join(' ')}: ${reason}\n`);
    if (step !== steps[0]) ip('netns', 'del', name);
    return null;
  }
  onTestFinished(() => void ip('netns', 'del', name));
  return { prefix: ['ip', 'netns', 'exec', name], address, ownAddress };
}

/** Discord's port on the other machine: a program there hands its connections to this one. */
async function bringDiscordTo(
  { prefix, ownAddress }: { prefix: readonly string[]; ownAddress: string },
  discordPort: number,
): Promise<void> {
  const here = createServer((near) => {
    const far = connect(discordPort, '127.0.0.1');
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on('error', () => [near, far].forEach((each) => each.destroy()));
  }).listen(0, ownAddress);
  await once(here, 'listening');
  onTestFinished(() => void here.close());
  const { port } = here.address() as AddressInfo;
  const script = `
    const net = require('node:net');
    net.createServer((near) => {
      const far = net.connect(${port}, '${ownAddress}');
      near.pipe(far).pipe(near);
      for (const socket of [near, far]) socket.on('error', () => { near.destroy(); far.destroy(); });
    }).listen(${discordPort}, '127.0.0.1', () => console.log('there'));`;
  const [command, ...args] = [...prefix, process.execPath, '-e', script];
  const there = spawn(command ?? '', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void there.kill('SIGKILL'));
  await once(there.stdout, 'data');
}

describe.skipIf(isRedisServerMissing())('processes of a bot', { timeout: BUSY_MACHINE_MS }, () => {
  test('on two machines answer for each other with exactly the settings of scale.md', async ({ skip }) => {
    const other = addMachine() ?? skip('no network namespace can be made here');
    // Redis is on the first machine, which says localhost.
    await using redis = await startPrivateRedis('--bind', '*', '--requirepass', PASSWORD);
    await using discord = await startDiscord();
    await bringDiscordTo(other, Number(new URL(discord.apiUrl).port));
    const env = (host: string) => ({
      STORAGE_URL: `redis://:${PASSWORD}@${host}:${redis.port}/1`,
      REDIS_URL: `redis://:${PASSWORD}@${host}:${redis.port}`,
    });
    const [here, there] = await Promise.all([
      start({ ...env('localhost'), ...shardOf(discord, '0') }),
      start({ ...env(other.ownAddress), ...shardOf(discord, '1'), HOST: other.address }, undefined, other),
    ]);
    await expectAllFromAll([here, there], discord);
  });
});
