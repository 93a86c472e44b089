import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { startApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { isRedisServerMissing, startPrivateRedis } from '../fixtures/private-redis.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { afterTest, newFolder, startInTerminal, startProcess } from './service-process.ts';

const TOKEN = `MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.${'x'.repeat(38)}`;

/** A port that another program holds until the end of the test. */
async function takenPort(): Promise<string> {
  const other = net.createServer().listen(0, '127.0.0.1');
  afterTest(() => other.close());
  await once(other, 'listening');
  return String((other.address() as net.AddressInfo).port);
}

/** Starts the service in this process. Each kind of failed start is also shown by a process of its own. */
function start(env: Record<string, string>) {
  const config = loadConfig({ PORT: '0', STORAGE_URL: 'memory:', ...env });
  return startApp(config, createLog('silent', { destination: { write: () => undefined } }));
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

  test('says in one sentence that the token is wrong, and waits before it exits, so that supervisors do not retry at once', async () => {
    await using discord = await startSimulator();
    const service = startProcess({ DISCORD_TOKEN: TOKEN, DISCORD_API_URL: discord.apiUrl });
    await expect
      .poll(() => service.output.stderr.trim())
      .toMatch(/^Quartermaster could not be started: [^\n]*DISCORD_TOKEN[^\n]*\.$/);
    expect(service.child.exitCode).toBeNull();
    service.child.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    expect(service.output.stderr + service.output.stdout).not.toContain(TOKEN);
    expect(discord.rest.callsTo('GET /gateway/bot')).toHaveLength(1);
  });

  test('ends immediately with 78 at a terminal when Discord refuses the token', async () => {
    await using discord = await startSimulator();
    const service = startInTerminal({ DISCORD_TOKEN: TOKEN, DISCORD_API_URL: discord.apiUrl });
    expect(await service.exited).toBe(78);
    expect(service.output.stdout).toContain('does not accept DISCORD_TOKEN');
  });

  test.each([
    ['elsewhere', startProcess],
    ['at a terminal', startInTerminal],
  ])('says once, in one sentence, that PORT is wrong, and exits with 1, %s', async (_, start) => {
    const service = start({ PORT: await takenPort() });
    expect(await service.exited).toBe(1);
    const said = (service.output.stdout + service.output.stderr).replaceAll('\r', '').split('\n');
    expect(said.filter((line) => /PORT|could not|fatal/i.test(line))).toEqual([
      expect.stringMatching(
        /^Quartermaster could not be started: PORT \d+ is in use by another program on 127\.0\.0\.1: set PORT to another port\.$/,
      ),
    ]);
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
    await expect(start(await env())).rejects.toMatchObject({
      name: 'ExplainedFailure',
      isFinal: false,
      message: expect.stringMatching(sentence) as string,
    });
  });

  test('writes no password of Redis anywhere when Redis cannot be reached', async () => {
    const service = startProcess({ STORAGE_URL: 'memory:', REDIS_URL: 'redis://user:hunter2@127.0.0.1:1' });
    expect(await service.exited).toBe(1);
    const written = service.output.stdout + service.output.stderr;
    expect(written).toMatch(
      /could not be started: REDIS_URL: Redis at 127\.0\.0\.1:1 cannot be used: [^\n]+\n/,
    );
    expect(written).not.toContain('hunter2');
  });

  test.skipIf(isRedisServerMissing())(
    'says in one sentence that this process may not hear others in Redis',
    async () => {
      await using redis = await startPrivateRedis();
      await redis.admin.call('ACL', 'SETUSER', 'bot', 'on', '>hunter2', '~*', '+@all', 'resetchannels');
      await expect(start({ REDIS_URL: `redis://bot:hunter2@127.0.0.1:${redis.port}` })).rejects.toMatchObject(
        {
          name: 'ExplainedFailure',
          message: expect.stringMatching(
            /^REDIS_URL: Redis at 127\.0\.0\.1:\d+ does not let this process hear the others: (?!.*hunter2).+$/,
          ) as string,
        },
      );
    },
  );

  test('makes a key only when it can be shown: the next start shows it, and a later one says how to make another', async () => {
    const STORAGE_URL = `sqlite://${path.join(newFolder(), 'store.sqlite')}`;
    const failed = startInTerminal({ STORAGE_URL, PORT: await takenPort() });
    expect(await failed.exited).toBe(1);
    expect(failed.output.stdout).not.toMatch(/^qm_/m);
    for (const makesKey of [true, false]) {
      const service = startInTerminal({ STORAGE_URL });
      await service.ready();
      expect(/^qm_\w+\r?$/m.test(service.output.stdout)).toBe(makesKey);
      const how = 'make another one with npm run --silent key -- create 0';
      expect(service.output.stdout.includes(how)).toBe(!makesKey);
    }
  });

  test('exits with 78 when the folder of the storage is a file, as retrying would not help', async () => {
    const folder = newFolder();
    const file = path.join(folder, '.env', 'store.sqlite');
    writeFileSync(path.join(folder, '.env'), `STORAGE_URL=sqlite://${file}\n`);
    const service = startProcess({}, folder);
    expect(await service.exited).toBe(78);
    expect(service.output.stderr).toMatch(
      /^Quartermaster could not be started: STORAGE_URL: The storage f[^\n]*\n$/,
    );
    expect(service.output.stdout).not.toContain('stack');
  });

  test.each([
    ['is a folder', newFolder],
    ['would be in a folder that cannot be made', () => '/proc/quartermaster/store.sqlite'],
    ['cannot be written', () => '/proc/version'],
    ['is something else', () => import.meta.filename],
  ])('exits permanently with a sentence that the storage file %s', async (_, file) => {
    await expect(start({ STORAGE_URL: `sqlite://${file()}` })).rejects.toMatchObject({
      name: 'ExplainedFailure',
      isFinal: true,
      message: expect.stringMatching(/^STORAGE_URL: The storage f.*$/) as string,
    });
  });

  test('ends on a signal, and logs it', async () => {
    const slow = net.createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
    afterTest(() => slow.close());
    await once(slow, 'listening');
    const { port } = slow.address() as net.AddressInfo;
    const service = startProcess({ STORAGE_URL: `redis://127.0.0.1:${port}` });
    await once(slow, 'connection');
    service.child.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    expect(service.output.stdout).toContain('"signal":"SIGTERM","msg":"stopping"');
    expect(service.output.stdout.trimEnd()).toMatch(/"msg":"stopped"\}$/);
    expect(service.output.stderr).toBe('');
  });
});
