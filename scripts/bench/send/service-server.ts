// A child of the benchmark: the service, with keys of 16 guilds. Its argument is the address of Discord. It answers each
// message with the memory that it takes after a collection.
import { setImmediate as nextIteration } from 'node:timers/promises';

import { startApp } from '../../../src/app/app.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import type { Listening, Usage } from './measured-service.ts';

const GUILDS = 16;

const [DISCORD_API_URL = ''] = process.argv.slice(2);
const app = await startApp(
  loadConfig({
    PORT: '0',
    STORAGE_URL: 'memory:',
    RATE_LIMIT: '1000000',
    SEND_RATE_LIMIT: '1000000',
    DISCORD_API_URL,
  }),
  createLog('silent'),
);
const keys: string[] = [];
for (let guild = 0; guild < GUILDS; guild += 1) {
  const { key } = await app.keys.create({
    guildId: String(987_654_321_098_765_000n + BigInt(guild)),
    name: 'bench',
    createdBy: 'cli',
    expiresInDays: null,
    flat: false,
    always200: false,
  });
  keys.push(key);
}
process.on('message', () => void sendUsage());
// A benchmark that was killed leaves nothing behind that would weigh on the next one.
process.once('disconnect', () => process.exit());
process.send?.({ port: app.port, keys } satisfies Listening);

async function sendUsage(): Promise<void> {
  // Memory outside the heap is freed in the iteration after its owner was collected.
  for (let iteration = 0; iteration < 3; iteration += 1) {
    globalThis.gc?.();
    await nextIteration();
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ residentBytes: rss, usedBytes: heapUsed + external } satisfies Usage);
}
