import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { compareLoads, type LoadTarget } from './http-load.ts';
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

/**
 * Requests a second, and processor time of each, through key check, validation, rate limit, metrics and log, against a
 * bare Express 5 that echoes JSON. Options: rounds (default 9), seconds of each.
 */
export async function run(args: readonly string[]): Promise<void> {
  const [rounds = 9, seconds = 2] = args.map(Number);
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
  const pairs: readonly (readonly [peer: LoadTarget, ours: LoadTarget])[] = [
    [
      post('echo, permissions', echoUrl, permissions, headers, echo.pid),
      post('permission-encoder', `${service.url}/api/chat/permission-encoder`, permissions, withKey, ours),
    ],
    [
      post('echo, text', echoUrl, text, headers, echo.pid),
      post('parse-args', `${service.url}/api/parse-args`, text, withKey, ours),
    ],
  ];
  try {
    const loads = await compareLoads(pairs.flat(), { connections: 32, rounds, seconds });
    console.log(describeMachine());
    console.log(`32 connections, ${rounds} rounds of ${seconds} s, medians\n`);
    const rows = pairs.flatMap(([peer, own]) =>
      [peer, own].map((each) => {
        const load = loads.get(each);
        const floor = loads.get(peer);
        if (load === undefined || floor === undefined) return [];
        return [
          each.name,
          Math.round(load.rate),
          load.p99,
          Math.round(load.usPerRequest),
          ...(each === peer
            ? ['', '']
            : [(load.rate / floor.rate).toFixed(2), (floor.usPerRequest / load.usPerRequest).toFixed(2)]),
        ];
      }),
    );
    const head = [
      'target',
      'requests/s',
      'p99 ms',
      'CPU µs a request',
      'of the echo',
      'per CPU second, of the echo',
    ];
    console.log(markdownTable(head, rows));
  } finally {
    await service.stop();
    await stopProcess(echo);
  }
}
