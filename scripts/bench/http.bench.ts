import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { collectLoads, medianOf, type Load, type LoadTarget } from './http-load.ts';
import { describeMachine, markdownTable } from './measure.ts';
import { startService, stopProcess } from './service-process.ts';

function post(
  name: string,
  url: string,
  body: string,
  headers: Record<string, string>,
  pid?: number,
): LoadTarget {
  return { name, url, method: 'POST', body, headers, pid };
}

/** Two processes of the same code differ by up to a fifth, so no one process decides. */
const PROCESSES = 3;

interface Pair {
  readonly peer: LoadTarget;
  readonly ours: LoadTarget;
}

/**
 * Requests a second, and processor time of each, through key check, validation, rate limit, metrics and log, against a
 * bare Express 5 that echoes JSON. Options: rounds (default 9), seconds of each.
 */
export async function run(args: readonly string[]): Promise<void> {
  const [rounds = 9, seconds = 2] = args.map(Number);
  const all = new Map<string, Load[]>();
  const names: (readonly [peer: string, ours: string])[] = [];
  for (let n = 0; n < PROCESSES; n += 1) {
    await withServers(async (pairs) => {
      const targets = pairs.flatMap(({ peer, ours }) => [peer, ours]);
      const loads = await collectLoads(targets, {
        connections: 32,
        rounds: Math.ceil(rounds / PROCESSES),
        seconds,
      });
      for (const [{ name }, some] of loads) all.set(name, [...(all.get(name) ?? []), ...some]);
      if (n === 0) names.push(...pairs.map(({ peer, ours }) => [peer.name, ours.name] as const));
    });
  }
  console.log(describeMachine());
  console.log(
    `32 connections, ${rounds} rounds of ${seconds} s, spread over ${PROCESSES} processes of each, medians\n`,
  );
  const rows = names.flatMap(([peer, ours]) => {
    const floor = medianOf(all.get(peer) ?? []);
    const load = medianOf(all.get(ours) ?? []);
    const ratios = [(load.rate / floor.rate).toFixed(2), (floor.usPerRequest / load.usPerRequest).toFixed(2)];
    return [toRow(peer, floor, ['', '']), toRow(ours, load, ratios)];
  });
  const head = [
    'target',
    'requests/s',
    'p99 ms',
    'CPU µs a request',
    'of the echo',
    'per CPU second, of the echo',
  ];
  console.log(markdownTable(head, rows));
}

function toRow(name: string, load: Load, ratios: readonly string[]): (string | number)[] {
  return [name, Math.round(load.rate), load.p99, load.usPerRequest.toFixed(1), ...ratios];
}

async function withServers(measure: (pairs: readonly Pair[]) => Promise<void>): Promise<void> {
  const echo = spawn(process.execPath, [path.join(import.meta.dirname, 'http/echo-server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(echo.stdout, 'data')) as [Buffer];
  const { port } = JSON.parse(line.toString()) as { port: number };
  const service = await startService();

  const permissions = JSON.stringify({ permissions: ['SEND_MESSAGES', 'ADD_REACTIONS'] });
  const text = JSON.stringify({ text: '!tempban <@123456789012345678> 7d spamming links' });
  const headers = { 'content-type': 'application/json' };
  const withKey = { ...headers, authorization: service.key };
  const echoUrl = `http://127.0.0.1:${port}/echo`;
  const ours = service.process.pid;
  try {
    await measure([
      {
        peer: post('echo, permissions', echoUrl, permissions, headers, echo.pid),
        ours: post(
          'permission-encoder',
          `${service.url}/api/chat/permission-encoder`,
          permissions,
          withKey,
          ours,
        ),
      },
      {
        peer: post('echo, text', echoUrl, text, headers, echo.pid),
        ours: post('parse-args', `${service.url}/api/parse-args`, text, withKey, ours),
      },
    ]);
  } finally {
    await service.stop();
    await stopProcess(echo);
  }
}
