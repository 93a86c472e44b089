import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { describeMachine, markdownTable, median } from './measure.ts';
import { serviceFlags } from './service-flags.ts';
import { findFreePort, stopProcess, waitForAnswer } from './service-process.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const ROUNDS = 9;

/** Milliseconds from the start of a process to its end, or to the first answer where it is a server. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'quartermaster-startup-'));
  const imports = [
    'express',
    'zod',
    'keyv',
    'pino',
    'undici',
    'rate-limiter-flexible',
    '@prometheus-io/client',
    '@discordjs/rest',
    'ws',
  ];
  const express = `import express from 'express'; const app = express(); app.get('/', (q, s) => s.json({})); app.listen(process.env.PORT, '127.0.0.1')`;
  try {
    const rows: [string, () => Promise<number>][] = [
      ['node -e 0', () => timeToExit(['-e', '0'])],
      ['bare Express, first answer', () => timeToAnswer(['--input-type=module', '-e', express], '/', {})],
      [
        'Quartermaster without Discord, first answer',
        () =>
          timeToAnswer(
            [...serviceFlags(), '--import', './scripts/preflight.js', 'src/main.ts'],
            '/health/live',
            {
              STORAGE_URL: `sqlite://${path.join(folder, 'startup.sqlite')}`,
              LOG_LEVEL: 'silent',
            },
          ),
      ],
      ...imports.map((name): [string, () => Promise<number>] => [
        `import ${name}, to exit`,
        () => timeToExit(['--input-type=module', '-e', `await import('${name}'); process.exit(0)`]),
      ]),
    ];
    const times = rows.map((): number[] => []);
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const [index, [, measure]] of rows.entries()) {
        const ms = await measure();
        if (round >= 0) times[index]?.push(ms);
      }
    }
    const floor = median(times[0] ?? []);
    console.log(`${describeMachine()}\nMedians of ${ROUNDS} rounds\n`);
    console.log(
      markdownTable(
        ['process', 'ms', 'over node -e 0'],
        rows.map(([name], index) => {
          const ms = median(times[index] ?? []);
          return [name, ms.toFixed(0), `+${(ms - floor).toFixed(0)}`];
        }),
      ),
    );
    console.log(`\nws loaded without a token: ${(await loadsDiscord(folder)) ? 'yes' : 'no'}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timeToExit(args: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'ignore' });
  await new Promise((resolve) => child.once('exit', resolve));
  return performance.now() - startedAt;
}

async function timeToAnswer(
  args: readonly string[],
  route: string,
  env: Record<string, string>,
): Promise<number> {
  const port = await findFreePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], PORT: String(port), ...env },
  });
  await waitForAnswer(`http://127.0.0.1:${port}${route}`, child);
  const ms = performance.now() - startedAt;
  await stopProcess(child);
  return ms;
}

/** Looks at what the process has open and loaded, through Node's own trace of CommonJS modules. */
async function loadsDiscord(folder: string): Promise<boolean> {
  const port = await findFreePort();
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      STORAGE_URL: `sqlite://${path.join(folder, 'startup.sqlite')}`,
      LOG_LEVEL: 'silent',
      NODE_DEBUG: 'module,esm',
    },
  });
  let trace = '';
  child.stderr.on('data', (chunk: Buffer) => (trace += chunk.toString()));
  await waitForAnswer(`http://127.0.0.1:${port}/health/live`, child);
  await stopProcess(child);
  return trace.includes('node_modules/ws/');
}
