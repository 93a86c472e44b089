import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { startSimulator } from '../simulator/simulator.ts';
import { makeKey, newFolder, START, startScript } from './service-process.ts';

describe('scripts/start', () => {
  test('becomes Node, wherever it is called, and so ends in order on SIGTERM', async () => {
    const service = startScript({ STORAGE_URL: 'memory:' });
    await service.ready();
    const command = readFileSync(`/proc/${service.child.pid}/cmdline`, 'utf8').split('\0');
    expect(command).toContain('--expose-gc');
    expect(command.slice(-4)).toEqual(['--import', './scripts/preflight.js', 'src/main.ts', '']);
    service.child.kill('SIGTERM');
    expect(await service.exited).toBe(0);
  });

  test('finds in a filled cache all that a start and the first requests load', async () => {
    const NODE_COMPILE_CACHE = newFolder();
    execFileSync(START, ['scripts/fill-compile-cache.ts'], {
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE },
      stdio: 'ignore',
    });
    await using discord = await startSimulator();
    const STORAGE_URL = `sqlite://${path.join(newFolder(), 'store.sqlite')}`;
    const key = await makeKey(STORAGE_URL);
    const service = startScript({
      NODE_COMPILE_CACHE,
      STORAGE_URL,
      DISCORD_TOKEN: discord.bot().token,
      DISCORD_API_URL: discord.apiUrl,
      METRICS_PORT: '0',
      NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
    });
    const url = `http://127.0.0.1:${await service.ready()}`;
    const routes = [
      'api/parse-args?text=!ban',
      'api/text-splitter?text=one',
      'api/key',
      'docs',
      'openapi.json',
    ];
    for (const route of routes) {
      const response = await fetch(`${url}/${route}`, { headers: { authorization: key } });
      expect([route, response.status]).toEqual([route, 200]);
    }
    service.child.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    const lines = (service.output.stdout + service.output.stderr).split('\n');
    expect(lines.filter((line) => line.includes('was accepted')).length).toBeGreaterThan(100);
    // The preflight compiles one file under another flag.
    const missed = lines.filter((line) => /no transpile cache|was rejected|not initialized/.test(line));
    expect(missed.filter((line) => !line.includes('src/snowflake.ts'))).toEqual([]);
  });
});
