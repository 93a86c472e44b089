import { globSync } from 'node:fs';

// ./scripts/start scripts/fill-compile-cache.ts
// Compiles all that the service may ever load, for an image whose containers cannot write what they compile: every file,
// and then a whole start, Discord and metrics included, so that what a start calls is there as well.
const OTHER_PROCESSES = new Set(['src/main.ts', 'src/images/fit/fit-child.ts']);

for (const file of globSync('src/**/*.ts')) {
  if (!OTHER_PROCESSES.has(file)) await import(`../${file}`);
}
Object.assign(process.env, {
  HOST: '127.0.0.1',
  PORT: '0',
  METRICS_PORT: '0',
  STORAGE_URL: 'memory:',
  DISCORD_TOKEN: `${btoa('123456789012345678')}.filler.${'x'.repeat(38)}`,
  // Nobody is there: the start goes on without.
  DISCORD_API_URL: 'http://127.0.0.1:65535',
});
await import('../src/main.ts');
process.kill(process.pid, 'SIGTERM');
