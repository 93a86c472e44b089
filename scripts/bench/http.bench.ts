import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import autocannon from 'autocannon';

import { describeMachine, markdownTable, median } from './measure.ts';
import { startService, stopProcess } from './service-process.ts';

interface Target {
  readonly name: string;
  readonly url: string;
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** Requests a second through key check, validation and rate limit, against a bare Express 5 that echoes JSON. */
export async function run(args: readonly string[]): Promise<void> {
  const [rounds = 5, seconds = 3] = args.map(Number);
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
  const targets: readonly Target[] = [
    { name: 'echo, permissions', url: `http://127.0.0.1:${port}/echo`, body: permissions, headers },
    {
      name: 'permission-encoder',
      url: `${service.url}/api/chat/permission-encoder`,
      body: permissions,
      headers: withKey,
    },
    { name: 'echo, text', url: `http://127.0.0.1:${port}/echo`, body: text, headers },
    { name: 'parse-args', url: `${service.url}/api/parse-args`, body: text, headers: withKey },
  ];
  try {
    const rates = new Map<string, number[]>(targets.map(({ name }) => [name, []]));
    const p99s = new Map<string, number[]>(targets.map(({ name }) => [name, []]));
    // Round by round through all targets, so that a slower minute of the machine meets all of them.
    for (let round = -1; round < rounds; round += 1) {
      for (const target of targets) {
        const result = await autocannon({
          url: target.url,
          method: 'POST',
          body: target.body,
          headers: target.headers,
          connections: 32,
          duration: seconds,
        });
        if (result.non2xx > 0 || result.errors > 0) {
          throw new Error(`${target.name}: ${result.non2xx} refused, ${result.errors} errors`);
        }
        if (round < 0) continue;
        rates.get(target.name)?.push(result.requests.average);
        p99s.get(target.name)?.push(result.latency.p99);
      }
    }
    const rate = (name: string) => median(rates.get(name) ?? []);
    console.log(describeMachine());
    console.log(`32 connections, ${rounds} rounds of ${seconds} s, medians\n`);
    console.log(
      markdownTable(
        ['target', 'requests/s', 'p99 ms', 'of the echo'],
        targets.map(({ name }, index) => [
          name,
          Math.round(rate(name)),
          median(p99s.get(name) ?? []),
          index % 2 === 0 ? '' : (rate(name) / rate(targets[index - 1]?.name ?? '')).toFixed(2),
        ]),
      ),
    );
  } finally {
    await service.stop();
    await stopProcess(echo);
  }
}
