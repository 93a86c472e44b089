import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import autocannon from 'autocannon';

import { startSimulator } from '../../test/simulator/simulator.ts';
import { cpuUs, describeMachine, markdownTable, median } from './measure.ts';
import { startService, stopProcess } from './service-process.ts';

/** Of the key that `startService` makes. */
const GUILD_ID = '987654321098765432';
const SIZES = [10, 1_000, 100_000];
const FIRST_ID = 200_000_000_000_000_000n;
const ID_STEP = 1_000_003n;

interface Target {
  readonly size: number;
  readonly kind: 'express' | 'kept' | 'made anew' | '304';
  readonly url: string;
  readonly headers: Record<string, string>;
  /** The process that answers. */
  readonly pid: number | undefined;
}

/** Answers of the member list over HTTP, against Express 5 that sends an array that lies ready. */
export async function run(args: readonly string[]): Promise<void> {
  const [rounds = 3, seconds = 2] = args.map(Number);
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
    for (const size of SIZES) {
      const url = urlOf(size);
      const etag = (await fetch(url, { headers })).headers.get('etag') ?? '';
      targets.push(
        { size, kind: 'express', url: `http://127.0.0.1:${port}/${size}`, headers: {}, pid: floor.pid },
        { size, kind: 'kept', url, headers, pid },
        { size, kind: 'made anew', url, headers, pid },
        { size, kind: '304', url, headers: { ...headers, 'if-none-match': etag }, pid },
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

interface Load {
  readonly rate: number;
  readonly p99: number;
  /** Processor time of the answering process. */
  readonly usPerRequest: number;
}

async function compare(targets: readonly Target[], rounds: number, seconds: number): Promise<void> {
  const loads = new Map<Target, Load[]>(targets.map((target) => [target, []]));
  // Round by round through all targets, so that a slower minute of the machine meets all of them.
  for (let round = -1; round < rounds; round += 1) {
    for (const target of targets) {
      const result = await load(target, round < 0 ? 1 : seconds);
      if (round >= 0) loads.get(target)?.push(result);
    }
  }
  const medianOf = (target: Target, key: keyof Load) =>
    median((loads.get(target) ?? []).map((result) => result[key]));
  const rows = targets.map((target) => {
    const express = targets.find(({ size, kind }) => kind === 'express' && size === target.size) ?? target;
    const rate = medianOf(target, 'rate');
    const us = medianOf(target, 'usPerRequest');
    return [
      target.size.toLocaleString('en'),
      target.kind,
      rate >= 100 ? Math.round(rate) : rate.toFixed(1),
      medianOf(target, 'p99'),
      Math.round(us),
      target === express ? '' : `${(medianOf(express, 'usPerRequest') / us).toFixed(2)}x`,
    ];
  });
  console.log(describeMachine());
  console.log(`16 connections, ${rounds} rounds of ${seconds} s, medians\n`);
  const head = ['ids', 'answer', 'requests/s', 'p99 ms', 'CPU µs a request', 'per CPU second, of Express'];
  console.log(markdownTable(head, rows));
}

let requests = 0;

/** Where the list is to be made anew, each request asks for ids above another one, all of them below the first. */
async function load(target: Target, seconds: number): Promise<Load> {
  const { pathname, search } = new URL(target.url);
  const before = cpuUs(target.pid);
  const result = await autocannon({
    url: target.url,
    headers: target.headers,
    connections: 16,
    duration: seconds,
    requests: [
      {
        setupRequest(request) {
          if (target.kind !== 'made anew') return request;
          requests += 1;
          return { ...request, path: `${pathname}${search}&after=${10n ** 17n + BigInt(requests)}` };
        },
      },
    ],
  });
  const refused = result.non2xx - (result['3xx'] ?? 0);
  if (refused > 0 || result.errors > 0) {
    throw new Error(`${target.kind} ${target.size}: ${refused} refused, ${result.errors} errors`);
  }
  const usPerRequest = (cpuUs(target.pid) - before) / result.requests.total;
  return { rate: result.requests.average, p99: result.latency.p99, usPerRequest };
}
