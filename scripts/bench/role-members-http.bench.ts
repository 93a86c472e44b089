import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { startSimulator } from '../../test/simulator/simulator.ts';
import { compareLoads, type LoadTarget } from './http-load.ts';
import { describeMachine, markdownTable } from './measure.ts';
import { startService, stopProcess } from './service-process.ts';

/** The guild of the key that `startService` makes. */
const GUILD_ID = '987654321098765432';
const SIZES = [10, 1_000, 100_000];
const FIRST_ID = 200_000_000_000_000_000n;
const ID_STEP = 1_000_003n;

interface Target extends LoadTarget {
  readonly size: number;
}

/**
 * Answers of the member list over HTTP, against Express 5 that sends an array that is ready.
 * Options: rounds (default 9), seconds of each, one size only.
 */
export async function run(args: readonly string[]): Promise<void> {
  const [rounds = 9, seconds = 2, onlySize] = args.map(Number);
  const sizes = SIZES.filter((size) => onlySize === undefined || size === onlySize);
  const floor = spawn(
    process.execPath,
    [
      path.join(import.meta.dirname, 'role-members-http/ready-array-server.ts'),
      ...[FIRST_ID, ID_STEP, ...SIZES].map(String),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = (await once(floor.stdout, 'data')) as [Buffer];
  const { port } = JSON.parse(line.toString()) as { port: number };
  await using discord = await startSimulator({
    guilds: [
      {
        id: GUILD_ID,
        roles: SIZES.map((size) => ({ id: roleOf(size), name: `${size} holders` })),
        members: {
          count: Math.max(...SIZES),
          firstId: FIRST_ID,
          idStep: ID_STEP,
          rolesOf: (index) => SIZES.filter((size) => index < size).map(roleOf),
        },
      },
    ],
  });
  const service = await startService({
    DISCORD_TOKEN: discord.bot().token,
    DISCORD_API_URL: discord.apiUrl,
  });
  try {
    const { pid } = service.process;
    const headers = { authorization: service.key };
    const urlOf = (size: number) => `${service.url}/api/role-members?role_id=${roleOf(size)}`;
    await waitForList(urlOf(10), headers);
    const targets: Target[] = [];
    for (const size of sizes) {
      const url = urlOf(size);
      const etag = (await fetch(url, { headers })).headers.get('etag') ?? '';
      const target = (name: string, more: Partial<Target> = {}): Target => ({
        name,
        size,
        url,
        headers,
        pid,
        ...more,
      });
      targets.push(
        target('express', { url: `http://127.0.0.1:${port}/${size}`, headers: {}, pid: floor.pid }),
        target('made new'),
        target('304', { headers: { ...headers, 'if-none-match': etag } }),
      );
    }
    await compare(targets, rounds, seconds);
  } finally {
    await service.stop();
    await stopProcess(floor);
  }
}

function roleOf(size: number): string {
  return `90000000000${String(size).padStart(8, '0')}`;
}

async function waitForList(url: string, headers: Record<string, string>): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if ((await fetch(url, { headers })).status === 200) return;
    await delay(200);
  }
  throw new Error('The member list did not load.');
}

async function compare(targets: readonly Target[], rounds: number, seconds: number): Promise<void> {
  const loads = await compareLoads(targets, { connections: 16, rounds, seconds });
  const rows = targets.flatMap((target) => {
    const express = targets.find(({ size, name }) => name === 'express' && size === target.size) ?? target;
    const load = loads.get(target);
    const floor = loads.get(express);
    if (load === undefined || floor === undefined) return [];
    return [
      [
        target.size.toLocaleString('en'),
        target.name,
        load.rate >= 100 ? Math.round(load.rate) : load.rate.toFixed(1),
        load.p99,
        Math.round(load.usPerRequest),
        load === floor ? '' : `${(floor.usPerRequest / load.usPerRequest).toFixed(2)}x`,
      ],
    ];
  });
  console.log(describeMachine());
  console.log(`16 connections, ${rounds} rounds of ${seconds} s, medians\n`);
  const head = ['ids', 'answer', 'requests/s', 'p99 ms', 'CPU µs a request', 'per CPU second, of Express'];
  console.log(markdownTable(head, rows));
}
