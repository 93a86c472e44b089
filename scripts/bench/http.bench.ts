import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { measureLoad, type Load, type LoadTarget } from './http-load.ts';
import { describeMachine, markdownTable, median } from './measure.ts';
import { startService, stopProcess } from './service-process.ts';

const CONNECTIONS = 32;
/** Until V8 has compiled what is hot. */
const WARM_UP_SECONDS = 4;

const CALLS = [
  {
    name: 'permission-encoder',
    path: '/api/chat/permission-encoder',
    body: JSON.stringify({ permissions: ['SEND_MESSAGES', 'ADD_REACTIONS'] }),
  },
  {
    name: 'parse-args',
    path: '/api/parse-args',
    body: JSON.stringify({ text: '!tempban <@123456789012345678> 7d spamming links' }),
  },
] as const;

interface Round {
  readonly echo: Load;
  readonly ours: Load;
}

/**
 * Small requests through key check, validation, rate limit, metrics and log, compared with a bare Express 5 that echoes
 * the same JSON. What else runs on the machine slows both, so each is compared with the echo of its own round. Each round starts both processes again: two processes of the same code differ by up to a fifth.
 * Options: rounds (default 5), seconds per measurement.
 */
export async function run(args: readonly string[]): Promise<void> {
  const [rounds = 5, seconds = 2] = args.map(Number);
  const measured = new Map<string, Round[]>(CALLS.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, pair] of await measureRound(seconds)) measured.get(name)?.push(pair);
  }
  console.log(describeMachine());
  console.log(`${CONNECTIONS} connections, ${rounds} rounds of ${seconds} s, medians\n`);
  const rows = [...measured].flatMap(([name, pairs]) => {
    const of = (read: (pair: Round) => number) => median(pairs.map(read));
    const perCpu = of(({ echo, ours }) => echo.usPerRequest / ours.usPerRequest).toFixed(2);
    const p99s = of(({ echo, ours }) => ours.p99 / Math.max(1, echo.p99)).toFixed(1);
    const figures = (read: (pair: Round) => Load) => [
      Math.round(of((pair) => read(pair).rate)),
      of((pair) => read(pair).p99),
      of((pair) => read(pair).usPerRequest).toFixed(1),
    ];
    return [
      ['echo of the same body', ...figures(({ echo }) => echo), '', ''],
      [name, ...figures(({ ours }) => ours), perCpu, `${p99s}x`],
    ];
  });
  const head = ['target', 'requests/s', 'p99 ms', 'CPU µs a request', 'per CPU second', 'p99, of the echo'];
  console.log(markdownTable(head, rows));
}

async function measureRound(seconds: number): Promise<ReadonlyMap<string, Round>> {
  const echo = spawn(process.execPath, [path.join(import.meta.dirname, 'http/echo-server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(echo.stdout, 'data')) as [Buffer];
  const { port } = JSON.parse(line.toString()) as { port: number };
  const service = await startService();
  const load = { connections: CONNECTIONS, seconds };
  const measured = new Map<string, Round>();
  try {
    for (const call of CALLS) {
      const peer = post('echo', `http://127.0.0.1:${port}/echo`, call.body, {}, echo.pid);
      const withKey = { authorization: service.key };
      const own = post(call.name, `${service.url}${call.path}`, call.body, withKey, service.process.pid);
      await measureLoad(peer, { ...load, seconds: WARM_UP_SECONDS });
      await measureLoad(own, { ...load, seconds: WARM_UP_SECONDS });
      measured.set(call.name, { echo: await measureLoad(peer, load), ours: await measureLoad(own, load) });
    }
  } finally {
    await service.stop();
    await stopProcess(echo);
  }
  return measured;
}

function post(
  name: string,
  url: string,
  body: string,
  headers: Record<string, string>,
  pid?: number,
): LoadTarget {
  return {
    name,
    url,
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
    pid,
  };
}
