import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { startApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { isRedisServerMissing, startPrivateRedis } from '../fixtures/private-redis.ts';
import { isProgramMissing } from '../fixtures/programs.ts';
import { startSimulator } from '../simulator/simulator.ts';
import {
  afterTest,
  newFolder,
  portInUse,
  saidOf,
  startInTerminal,
  startProcess,
  takenPort,
} from './service-process.ts';

const TOKEN = `MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.${'x'.repeat(38)}`;

/** Starts the service in this process. Each kind of failed start is also shown by a process of its own. */
function start(env: Record<string, string>, options: Parameters<typeof startApp>[2] = {}) {
  let lines = '';
  const config = loadConfig({ PORT: '0', STORAGE_URL: 'memory:', ...env });
  const log = createLog('debug', { destination: { write: (line) => void (lines += line) } });
  return { started: startApp(config, log, options), lines: () => lines };
}

describe('a start that fails', () => {
  test('names all wrong and misspelt settings and exits with 78, so that supervisors do not retry', async () => {
    const wrong = { PORT: 'x', LOG_LEVEL: 'loud', SHARDS: '[0]', DISCORD_TOKEN: 'hunter2' };
    const service = startProcess({ ...wrong, DISCORD_TOKN: 'hunter2' });
    expect(await service.exited).toBe(78);
    for (const name of Object.keys(wrong)) expect(service.output.stderr).toContain(`\n  ${name} `);
    expect(service.output.stderr).toContain(
      '\n  DISCORD_TOKN is not a setting: did you mean DISCORD_TOKEN?\n',
    );
    expect(service.output.stderr + service.output.stdout).not.toContain('hunter2');
  });

  test.skipIf(isProgramMissing('script'))(
    'says in one sentence that the token is wrong, and waits before it exits, so that supervisors do not retry at once, except at a terminal',
    async () => {
      await using discord = await startSimulator();
      const env = { DISCORD_TOKEN: TOKEN, DISCORD_API_URL: discord.apiUrl };
      const service = startProcess(env);
      await expect
        .poll(() => service.output.stderr.trim())
        .toMatch(/^Quartermaster could not be started: [^\n]*DISCORD_TOKEN[^\n]*\.$/);
      // It has begun to wait, so it would end first if the one at the terminal waited too.
      const atTerminal = startInTerminal(env);
      expect(await atTerminal.exited).toBe(78);
      expect(atTerminal.output.stdout).toContain('does not accept DISCORD_TOKEN');
      expect(service.child.exitCode).toBeNull();
      service.child.kill('SIGTERM');
      expect(await service.exited).toBe(0);
      expect(service.output.stderr + service.output.stdout).not.toContain(TOKEN);
      expect(discord.rest.callsTo('GET /gateway/bot')).toHaveLength(2);
    },
  );

  test('says once, in one sentence, that PORT is wrong, and exits with 1', async () => {
    const PORT = await takenPort();
    const service = startProcess({ PORT });
    expect(await service.exited).toBe(1);
    expect(saidOf(service)).toEqual([portInUse(PORT)]);
  });

  test.each([
    [
      'METRICS_PORT',
      async () => ({ METRICS_PORT: await takenPort() }),
      /^METRICS_PORT \d+ is in use by another.*: set METRICS_PORT to another port\.$/,
    ],
    [
      'HOST',
      () => ({ HOST: '203.0.113.1' }),
      /^HOST 203\.0\.113\.1 is not an IP address of this machine: use 0\.0\.0\.0.*$/,
    ],
    [
      'HOST',
      () => ({ HOST: 'no-such-host.invalid' }),
      /^HOST no-such-host\.invalid cannot be resolved to an IP address.*$/,
    ],
    [
      'STORAGE_URL',
      () => ({ STORAGE_URL: 'redis://127.0.0.1:1' }),
      /^STORAGE_URL: Redis at 127\.0\.0\.1:1.*$/,
    ],
  ])('says in one sentence that %s is wrong', async (_, env, sentence) => {
    await expect(start(await env()).started).rejects.toMatchObject({
      name: 'ExplainedFailure',
      isFinal: false,
      message: expect.stringMatching(sentence) as string,
    });
  });

  test('writes no password of Redis anywhere when Redis cannot be reached', async () => {
    const { started, lines } = start({ REDIS_URL: 'redis://user:hunter2@127.0.0.1:1' });
    const failure: unknown = await started.catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: 'ExplainedFailure',
      message: expect.stringMatching(
        /^REDIS_URL: Redis at 127\.0\.0\.1:1 cannot be used: (?!.*hunter2).+$/,
      ) as string,
    });
    expect(lines()).not.toContain('hunter2');
  });

  test.skipIf(isRedisServerMissing())(
    'says in one sentence that this process may not hear others in Redis',
    async () => {
      await using redis = await startPrivateRedis();
      await redis.admin.call('ACL', 'SETUSER', 'bot', 'on', '>hunter2', '~*', '+@all', 'resetchannels');
      await expect(
        start({ REDIS_URL: `redis://bot:hunter2@127.0.0.1:${redis.port}` }).started,
      ).rejects.toMatchObject({
        name: 'ExplainedFailure',
        message: expect.stringMatching(
          /^REDIS_URL: Redis at 127\.0\.0\.1:\d+ does not let this process hear the others: (?!.*hunter2).+$/,
        ) as string,
      });
    },
  );

  test.each([
    ['is a folder', newFolder],
    ['would be in a folder that is a file', () => path.join(import.meta.filename, 'store.sqlite')],
    ['would be in a folder that cannot be made', () => '/proc/quartermaster/store.sqlite'],
    ['cannot be written', () => '/proc/version'],
    ['is something else', () => import.meta.filename],
  ])('exits permanently with a sentence that the storage file %s', async (_, file) => {
    await expect(start({ STORAGE_URL: `sqlite://${file()}` }).started).rejects.toMatchObject({
      name: 'ExplainedFailure',
      isFinal: true,
      message: expect.stringMatching(/^STORAGE_URL: The storage f.*$/) as string,
    });
  });

  test('ends as soon as it is stopped, also while it waits for its storage, and logs no failure', async () => {
    const slow = net.createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
    afterTest(() => slow.close());
    await once(slow, 'listening');
    const { port } = slow.address() as net.AddressInfo;
    const stop = new AbortController();
    const { started, lines } = start({ STORAGE_URL: `redis://127.0.0.1:${port}` }, { stop: stop.signal });
    await once(slow, 'connection');
    stop.abort();
    await expect(started).rejects.toBe(stop.signal.reason);
    expect(lines()).not.toMatch(/"level":"(?:warn|error|fatal)"/);
  });
});
