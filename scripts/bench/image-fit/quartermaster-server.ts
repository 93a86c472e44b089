// The service, with keys of 16 guilds and the address rule switched off. Its arguments are image limits, as JSON, and the
// address of Discord.
import { startApp } from '../../../src/app/app.ts';
import { loadConfig } from '../../../src/config/config.ts';
import type { ImageFetchLimits } from '../../../src/images/image-fetch-limits.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { reportUsage } from './bench-server.ts';

const GUILDS = 16;

const [limits = '{}', DISCORD_API_URL] = process.argv.slice(2);
const images = JSON.parse(limits) as Partial<ImageFetchLimits>;
const app = await startApp(
  loadConfig({
    PORT: '0',
    STORAGE_URL: 'memory:',
    IMAGE_ALLOW_PRIVATE: 'true',
    RATE_LIMIT: '1000000',
    IMAGE_RATE_LIMIT: '1000000',
    SEND_RATE_LIMIT: '1000000',
    ...(DISCORD_API_URL === undefined ? {} : { DISCORD_API_URL }),
  }),
  createLog('silent'),
  { images },
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
reportUsage({ port: app.port, keys });
