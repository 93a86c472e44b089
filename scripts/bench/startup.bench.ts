import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { startSimulator } from '../../test/simulator/simulator.ts';
import { describeMachine, markdownTable, median } from './measure.ts';
import { BARE_EXPRESS } from './peers.ts';
import { findFreePort, stopProcess, waitForAnswer, waitForPort } from './service-process.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

interface Row {
  readonly name: string;
  /** Milliseconds from the start of the process to what the row is about. */
  readonly measure: () => Promise<number>;
}

const SERVICE = ['scripts/start.js'];

/**
 * Time from the start of a process to its first answer, compared with a bare Express. The first start has no compiled
 * code to reuse. Options: rounds (default 9).
 */
export async function run(args: readonly string[]): Promise<void> {
  const [rounds = 9] = args.map(Number);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'quartermaster-startup-'));
  await using discord = await startSimulator({ guilds: [{ members: { count: 10, rolesOf: () => [] } }] });
  const own = {
    STORAGE_URL: `sqlite://${path.join(folder, 'startup.sqlite')}`,
    LOG_LEVEL: 'silent',
    NODE_COMPILE_CACHE: path.join(folder, 'cache'),
  };
  const start = (env: Record<string, string> = {}) =>
    timeToAnswer(SERVICE, '/health/live', { ...own, ...env });
  const listen = (env: Record<string, string> = {}) => timeToPort(SERVICE, { ...own, ...env });
  const withDiscord = { DISCORD_TOKEN: discord.bot().token, DISCORD_API_URL: discord.apiUrl };
  let firstStarts = 0;
  try {
    const rows: readonly Row[] = [
      {
        name: 'bare Express',
        measure: () => timeToAnswer(['--input-type=module', '-e', BARE_EXPRESS], '/', {}),
      },
      { name: 'Quartermaster without Discord', measure: () => start() },
      {
        name: 'the same, first start',
        measure: () => start({ NODE_COMPILE_CACHE: path.join(folder, `cache${(firstStarts += 1)}`) }),
      },
      { name: 'Quartermaster with Discord', measure: () => start(withDiscord) },
      { name: 'its port open, without Discord', measure: () => listen() },
      { name: 'its port open, with Discord', measure: () => listen(withDiscord) },
    ];
    const times = rows.map((): number[] => []);
    for (let round = -1; round < rounds; round += 1) {
      for (const [index, { measure }] of rows.entries()) {
        const ms = await measure();
        if (round >= 0) times[index]?.push(ms);
      }
    }
    const express = median(times[0] ?? []);
    console.log(`${describeMachine()}\nMedians of ${rounds} rounds\n`);
    console.log(
      markdownTable(
        ['process, to its first answer', 'ms', 'of bare Express'],
        rows.map(({ name }, index) => {
          const ms = median(times[index] ?? []);
          return [name, ms.toFixed(0), `${(ms / express).toFixed(2)}x`];
        }),
      ),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function timeToAnswer(args: readonly string[], route: string, env: Record<string, string>): Promise<number> {
  return timeUntil(args, env, (port, child) => waitForAnswer(`http://127.0.0.1:${port}${route}`, child));
}

/** To the first connection that is taken. With Discord, the first answer waits until discord.js is loaded. */
function timeToPort(args: readonly string[], env: Record<string, string>): Promise<number> {
  return timeUntil(args, env, waitForPort);
}

async function timeUntil(
  args: readonly string[],
  env: Record<string, string>,
  isUp: (port: number, child: ChildProcess) => Promise<void>,
): Promise<number> {
  const port = await findFreePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], PORT: String(port), ...env },
  });
  await isUp(port, child);
  const ms = performance.now() - startedAt;
  await stopProcess(child);
  return ms;
}
