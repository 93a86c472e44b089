import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { startSimulator, type Simulator } from '../../test/simulator/simulator.ts';
import { measureLoad, type Load, type LoadTarget } from './http-load.ts';
import { describeMachine, markdownTable, median } from './measure.ts';
import { startService, stopProcess } from './service-process.ts';

/** The guild of the key that `startService` makes. */
const GUILD_ID = '987654321098765432';
const SIZES = [10, 100_000];
const CONNECTIONS = 16;
const FIRST_ID = 200_000_000_000_000_000n;
const ID_STEP = 1_000_003n;

/** Until V8 has compiled what is hot. */
const WARM_UP_SECONDS = 2;

interface Target extends LoadTarget {
  readonly size: number;
}

interface Measured {
  readonly size: number;
  readonly name: string;
  readonly load: Load;
  /** Processor time of the floor's answer of the same round, by that of this one. */
  readonly ratio: number;
}

/**
 * Answers of the member list over HTTP, compared with an Express 5 that sends a ready array. Each round starts both
 * processes again: two processes of the same code differ by up to a fifth. Options: rounds (default 5), seconds per
 * measurement, one size only.
 */
export async function run(args: readonly string[]): Promise<void> {
  const [rounds = 5, seconds = 2, onlySize] = args.map(Number);
  const sizes = SIZES.filter((size) => onlySize === undefined || size === onlySize);
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
  const measured: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) {
    measured.push(...(await measureRound(discord, sizes, seconds)));
  }
  report(measured, rounds, seconds);
}

async function measureRound(
  discord: Simulator,
  sizes: readonly number[],
  seconds: number,
): Promise<Measured[]> {
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
  const service = await startService({
    DISCORD_TOKEN: discord.bot().token,
    DISCORD_API_URL: discord.apiUrl,
  });
  const measured: Measured[] = [];
  try {
    const headers = { authorization: service.key };
    const urlOf = (size: number) => `${service.url}/api/role-members?role_id=${roleOf(size)}`;
    await waitForList(urlOf(10), headers);
    for (const size of sizes) {
      const url = urlOf(size);
      const etag = (await fetch(url, { headers })).headers.get('etag') ?? '';
      const own: Target = { name: 'made new', size, url, headers, pid: service.process.pid };
      const express = {
        ...own,
        name: 'express',
        url: `http://127.0.0.1:${port}/${size}`,
        headers: {},
        pid: floor.pid,
      };
      const same = { ...own, name: '304', headers: { ...headers, 'if-none-match': etag } };
      let floorUs: number | null = null;
      for (const target of [express, own, same]) {
        await measureLoad(target, { connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
        const load = await measureLoad(target, { connections: CONNECTIONS, seconds });
        floorUs ??= load.usPerRequest;
        measured.push({ size, name: target.name, load, ratio: floorUs / load.usPerRequest });
      }
    }
  } finally {
    await service.stop();
    await stopProcess(floor);
  }
  return measured;
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

function report(measured: readonly Measured[], rounds: number, seconds: number): void {
  const groups = Object.values(Object.groupBy(measured, ({ size, name }) => `${size} ${name}`));
  const rows = groups.map((all = []) => {
    const of = (read: (one: Measured) => number) => median(all.map(read));
    const { size, name } = all[0] ?? { size: 0, name: '' };
    const rate = of(({ load }) => load.rate);
    return [
      size.toLocaleString('en'),
      name,
      rate >= 100 ? Math.round(rate) : rate.toFixed(1),
      of(({ load }) => load.p99),
      Math.round(of(({ load }) => load.usPerRequest)),
      name === 'express' ? '' : `${of(({ ratio }) => ratio).toFixed(2)}x`,
    ];
  });
  console.log(describeMachine());
  console.log(`${CONNECTIONS} connections, ${rounds} rounds of ${seconds} s, medians\n`);
  const head = ['ids', 'answer', 'requests/s', 'p99 ms', 'CPU µs a request', 'per CPU second, of Express'];
  console.log(markdownTable(head, rows));
}
