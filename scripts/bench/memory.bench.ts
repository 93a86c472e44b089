import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

import { startSimulator } from '../../test/simulator/simulator.ts';
import { describeMachine, markdownTable, median } from './measure.ts';
import { startService, type ServiceProcess } from './service-process.ts';

const GUILDS = 100;
const MEMBERS = 1_000;
/** After the start: what it left behind can be collected. */
const REST_MS = 10_000;

/** Memory of services that have started and have nothing to do. Options: rounds (default 9). */
export async function run(args: readonly string[]): Promise<void> {
  const [rounds = 9] = args.map(Number);
  await using discord = await startSimulator({
    guilds: Array.from({ length: GUILDS }, () => ({ members: { count: MEMBERS, rolesOf: () => [] } })),
  });
  const env = { DISCORD_TOKEN: discord.bot().token, DISCORD_API_URL: discord.apiUrl };
  const rows: readonly (readonly [name: string, start: () => Promise<ServiceProcess>])[] = [
    ['Quartermaster without Discord', () => startService()],
    [`Quartermaster, ${GUILDS} servers of ${MEMBERS} members in its lists`, () => startWithLists(env)],
  ];
  const mebibytes = rows.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    const resting = await Promise.all(rows.map(([, start]) => start()));
    await wait(REST_MS);
    for (const [index, { process: child }] of resting.entries())
      mebibytes[index]?.push(residentMebibytes(child));
    await Promise.all(resting.map((each) => each.stop()));
  }
  console.log(describeMachine());
  console.log(`Resident ${REST_MS / 1000} s after the start, medians of ${rounds} rounds\n`);
  console.log(
    markdownTable(
      ['process', 'RSS MiB'],
      rows.map(([name], index) => [name, median(mebibytes[index] ?? []).toFixed(0)]),
    ),
  );
}

async function startWithLists(env: Record<string, string>): Promise<ServiceProcess> {
  const service = await startService(env);
  for (;;) {
    const ready = await (await fetch(`${service.url}/health/ready`)).json();
    const lists = (ready as { discord?: { member_lists?: { complete?: number } } }).discord?.member_lists;
    if (lists?.complete === GUILDS) return service;
    await wait(100);
  }
}

function residentMebibytes({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
