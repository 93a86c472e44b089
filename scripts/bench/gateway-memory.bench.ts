import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { startSimulator } from '../../test/simulator/simulator.ts';
import { describeMachine, markdownTable } from './measure.ts';

const BATCH = 10_000;
const STEPS = 10;
const ROLE = '400000000000000001';

type Message = Readonly<Record<string, number>>;

/**
 * Memory of a process while member updates arrive on one shard and the other one cannot get in: nothing that has been
 * handled may be kept. `npm run bench -- gateway-memory [updates]`, 1,000,000 when left out.
 */
export async function run([updates = '1000000']: readonly string[]): Promise<void> {
  await using discord = await startSimulator({
    // Ids that differ above bit 22: one guild on each of two shards.
    guilds: [2n, 3n].map((id) => ({
      id: String((id << 42n) | ((id % 2n) << 22n)),
      roles: [{ id: ROLE }],
      members: { count: 1_000, rolesOf: () => [] },
    })),
    gateway: { recommendedShards: 2, maxConcurrency: 2, refusedShard: 1 },
  });
  const guild = discord.guild();
  const ids = guild.holdersOf(guild.id);
  const child = fork(
    path.join(import.meta.dirname, 'gateway-memory/connection-child.ts'),
    [discord.apiUrl, discord.bot().token],
    { execArgv: ['--expose-gc'] },
  );
  await discord.until(() => discord.gateway.live.length === 1);
  const rows: string[][] = [];
  const total = Number(updates);
  const measure = async (sent: number) => {
    child.send('measure');
    const { bytes = NaN, shardsReady } = await messageOf(child, (message) => 'bytes' in message);
    const mebibytes = `${(bytes / 2 ** 20).toFixed(1)} MiB`;
    rows.push([sent.toLocaleString('en'), mebibytes, `${shardsReady} of 2`]);
  };
  let sent = 0;
  while (sent < total) {
    const heard = messageOf(child, (message) => (message['updates'] ?? 0) >= sent + BATCH);
    for (let at = 0; at < BATCH; at += 1) {
      const id = ids[(sent + at) % ids.length] ?? '';
      guild.updateMember(id, { roles: Math.floor((sent + at) / ids.length) % 2 === 0 ? [ROLE] : [] });
    }
    await heard;
    sent += BATCH;
    if (sent === BATCH || sent % (total / STEPS) === 0) await measure(sent);
  }
  console.log(`${describeMachine()}\n`);
  console.log(markdownTable(['updates handled', 'heap and buffers', 'shards in'], rows));
  child.disconnect();
  await once(child, 'exit');
}

function messageOf(child: ChildProcess, isIt: (message: Message) => boolean): Promise<Message> {
  return new Promise((resolve) => {
    const look = (message: Message) => {
      if (!isIt(message)) return;
      child.off('message', look);
      resolve(message);
    };
    child.on('message', look);
  });
}
