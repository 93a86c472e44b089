import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { findFreePort } from '../fixtures/free-port.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { createGuildKeys } from '../../src/guild-keys/guild-key-store.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { afterTest, makeKey, newFolder, startInTerminal, startProcess } from './service-process.ts';

const TOKEN = `MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.${'x'.repeat(38)}`;

describe('a start without anything', () => {
  test('in front of a terminal makes a key and prints calls that work when they are pasted', async () => {
    const service = startInTerminal();
    const port = await service.ready();
    const stdout = service.output.stdout.replaceAll('\r', '');
    const key = /^qm_\w+$/m.exec(stdout)?.[0] ?? '';
    expect(key).not.toBe('');
    expect(stdout.split('\n').filter((line) => line.startsWith('{') && line.includes(key))).toEqual([]);
    // Somebody reads this: where the documents are, and no line of the log as JSON.
    expect(stdout).toContain(`Documents, with a form for each operation: http://localhost:${port}/docs`);
    expect(stdout.split('\n').filter((line) => line.startsWith('{'))).toEqual([]);
    expect(stdout).toMatch(/INFO.*ready/);

    const calls = [...stdout.matchAll(/^curl http:\/\/localhost:\d+(\S+)[^]*?-d '(.*)'$/gm)];
    const shown = OPERATIONS.filter(({ method }) => method === 'POST');
    expect(calls.map((call) => call[1])).toEqual(shown.map((operation) => operation.path));
    for (const [, route, body] of calls) {
      // An image of the example lies on the internet.
      if (shown.find((operation) => operation.path === route)?.bucket === 'image') continue;
      const response = await fetch(`http://127.0.0.1:${port}${route}`, {
        method: 'POST',
        headers: { authorization: key, 'content-type': 'application/json' },
        body: body ?? '',
      });
      expect([response.status, ((await response.json()) as { ok: boolean }).ok]).toEqual([200, true]);
    }
  });

  test('makes no second key in the same storage', async () => {
    const STORAGE_URL = `sqlite://${path.join(newFolder(), 'store.sqlite')}`;
    for (const makesKey of [true, false]) {
      const service = startInTerminal({ STORAGE_URL });
      await service.ready();
      expect(/^qm_\w+\r?$/m.test(service.output.stdout)).toBe(makesKey);
    }
  });

  test('writes no key where only a log would keep it, and says how to make one', async () => {
    const STORAGE_URL = `sqlite://${path.join(newFolder(), 'store.sqlite')}`;
    const service = startProcess({ STORAGE_URL });
    await service.ready();
    expect(service.output.stdout).not.toContain('qm_');
    expect(service.output.stdout).toContain(
      'there is no API key yet: make one with npm run --silent key -- create 0',
    );
    await using storage = await openStorage(STORAGE_URL);
    expect(await createGuildKeys(storage).isEmpty()).toBe(true);
  });

  test('leaves nothing of the first key on the heap', async () => {
    const file = path.join(newFolder(), 'all.heapsnapshot');
    const child = spawnSync(process.execPath, [path.join(import.meta.dirname, 'first-key-child.ts'), file], {
      encoding: 'utf8',
    });
    const key = /^qm_\w+$/m.exec(child.stdout)?.[0] ?? '';
    const heap = readFileSync(file, 'latin1');
    expect(key).not.toBe('');
    // The heap is whole: the start of what was printed is a constant of the program.
    expect(heap).toContain('There was no API key yet');
    expect(heap).not.toContain(key.slice(-38));
  });

  test('loads nothing that only documents, Discord, metrics, a terminal or language models need', async () => {
    const service = startProcess({ NODE_DEBUG: 'module' });
    const url = `http://127.0.0.1:${await service.ready()}`;
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    expect(service.output.stderr).toContain('node_modules/pino/');
    // ajv comes with the SDK of the Model Context Protocol, ws with the gateway.
    const unneeded = [
      'express',
      'discord.js',
      'discord-api-types',
      'ws',
      '@prometheus-io/client',
      'pino-pretty',
      'ajv',
    ];
    for (const name of unneeded) expect(service.output.stderr).not.toContain(`node_modules/${name}/`);
    expect((await fetch(`${url}/docs`)).status).toBe(200);
    expect(service.output.stderr).toContain('node_modules/express/');
  });
});

/** A port that another program holds until the end of the test. */
async function takenPort(): Promise<string> {
  const other = net.createServer().listen(0, '127.0.0.1');
  afterTest(() => other.close());
  await once(other, 'listening');
  return String((other.address() as net.AddressInfo).port);
}

describe('a start that cannot be', () => {
  test('names every wrong setting at once and exits with 78, which a supervisor does not try again', async () => {
    const service = startProcess({ PORT: 'x', LOG_LEVEL: 'loud', SHARDS: '[0]', DISCORD_TOKEN: 'hunter2' });
    expect(await service.exited).toBe(78);
    for (const name of ['PORT', 'LOG_LEVEL', 'SHARDS', 'DISCORD_TOKEN']) {
      expect(service.output.stderr).toContain(`\n  ${name} `);
    }
    expect(service.output.stderr + service.output.stdout).not.toContain('hunter2');
  });

  test('says in one sentence that the token is wrong', async () => {
    await using discord = await startSimulator();
    const service = startProcess({ DISCORD_TOKEN: TOKEN, DISCORD_API_URL: discord.apiUrl });
    expect(await service.exited).toBe(1);
    expect(service.output.stderr.trim()).toMatch(
      /^Quartermaster could not be started: [^\n]*DISCORD_TOKEN[^\n]*\.$/,
    );
    expect(service.output.stderr + service.output.stdout).not.toContain(TOKEN);
  });

  test.each([
    [
      'PORT',
      async () => ({ PORT: await takenPort() }),
      /PORT \d+ is in use by another program on 127\.0\.0\.1/,
    ],
    [
      'METRICS_PORT',
      async () => ({ METRICS_PORT: await takenPort() }),
      /METRICS_PORT \d+ is in use by another/,
    ],
    ['HOST', async () => ({ HOST: '203.0.113.1' }), /HOST 203\.0\.113\.1 is no address of this machine/],
    [
      'HOST',
      async () => ({ HOST: 'no-such-host.invalid' }),
      /HOST no-such-host\.invalid is a name without an/,
    ],
    [
      'STORAGE_URL',
      async () => ({ STORAGE_URL: 'redis://127.0.0.1:1' }),
      /STORAGE_URL: Redis at 127\.0\.0\.1:1/,
    ],
    ['REDIS_URL', async () => ({ REDIS_URL: 'redis://127.0.0.1:1' }), /REDIS_URL: Redis at 127\.0\.0\.1:1/],
  ])('says in one sentence that %s is what is wrong', async (_, env, sentence) => {
    const service = startProcess(await env());
    expect(await service.exited).toBe(1);
    expect(service.output.stderr).toMatch(sentence);
    expect(service.output.stderr.trim().split('\n')).toHaveLength(1);
    expect(service.output.stdout).toContain('"msg":"the service could not be started"');
  });

  test('makes no key that nobody sees: the next start shows it', async () => {
    const STORAGE_URL = `sqlite://${path.join(newFolder(), 'store.sqlite')}`;
    const failed = startInTerminal({ STORAGE_URL, PORT: await takenPort() });
    expect(await failed.exited).toBe(1);
    expect(failed.output.stdout).not.toMatch(/^qm_/m);
    const service = startInTerminal({ STORAGE_URL });
    await service.ready();
    expect(service.output.stdout).toMatch(/^qm_\w+\r?$/m);
  });

  test('says that the storage cannot be opened', async () => {
    const file = path.join(newFolder(), 'file');
    writeFileSync(file, '');
    const service = startProcess({ STORAGE_URL: `sqlite://${file}/store.sqlite` });
    expect(await service.exited).toBe(1);
    expect(service.output.stderr).toContain('could not be started: STORAGE_URL: The storage file ');
  });

  test('ends on a signal, and says so', async () => {
    const slow = net.createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
    afterTest(() => slow.close());
    await once(slow, 'listening');
    const { port } = slow.address() as net.AddressInfo;
    const service = startProcess({ STORAGE_URL: `redis://127.0.0.1:${port}` });
    await once(slow, 'connection');
    service.child.kill('SIGTERM');
    expect(await service.exited).toBe(1);
    expect(service.output.stdout).toContain('"signal":"SIGTERM","msg":"stopped during the start"');
    expect(service.output.stderr).toBe('');
  });

  test('says that there is an .env which is no file', async () => {
    const folder = newFolder();
    mkdirSync(path.join(folder, '.env'));
    const service = startProcess({}, folder);
    expect(await service.exited).toBe(78);
    expect(service.output.stderr).toBe(
      'The settings cannot be used:\n  .env is there but cannot be used: it is a folder\n',
    );
  });
});

describe('a start with settings', () => {
  test('takes them from .env, but for those of the environment', async () => {
    const folder = newFolder();
    writeFileSync(path.join(folder, '.env'), '\uFEFFLOG_LEVEL=debug\r\nRATE_LIMIT="7"\nPORT=1\n');
    const service = startProcess({}, folder);
    await service.ready();
    expect(service.output.stdout).toContain('"RATE_LIMIT":7');
  });

  test('warns about names that are probably misspelt, and shows none of their values', async () => {
    const folder = newFolder();
    writeFileSync(path.join(folder, '.env'), 'DATABASE_URL=hunter2\nRATE_LIMITS=7\n');
    const service = startProcess({ DISCORD_TOKN: 'hunter2' }, folder);
    await service.ready();
    const warned = service.output.stdout.split('\n').filter((line) => line.includes('"level":"warn"'));
    expect(warned.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'DISCORD_TOKN is no setting: did you mean DISCORD_TOKEN?',
      'DATABASE_URL in .env is no setting of this service',
      'RATE_LIMITS is no setting: did you mean RATE_LIMIT?',
    ]);
    expect(service.output.stdout + service.output.stderr).not.toContain('hunter2');
  });

  test('says beside what is wrong which names are probably misspelt', async () => {
    const service = startProcess({ PORT: 'x', DISCORD_TOKN: 'hunter2' });
    expect(await service.exited).toBe(78);
    expect(service.output.stderr).toContain('\n  DISCORD_TOKN is no setting: did you mean DISCORD_TOKEN?\n');
    expect(service.output.stderr).not.toContain('hunter2');
  });

  test('says with Discord on that bot builders cannot reach an address of this machine', async () => {
    await using discord = await startSimulator();
    const service = startProcess({ DISCORD_TOKEN: discord.bot().token, DISCORD_API_URL: discord.apiUrl });
    await service.ready();
    expect(service.output.stdout).toContain(
      'bot builders cannot reach PUBLIC_URL, because localhost is a name',
    );
  });

  test('logs them for who asks, without secrets, and counts lines that had to be masked', async () => {
    const key = 'qm_0000000000000000_abcdefghijABCDEFGHIJabcdefghijAB123456';
    const service = startProcess({
      LOG_LEVEL: 'debug',
      STORAGE_URL: `sqlite://${newFolder()}/hunter2.sqlite`,
      PUBLIC_URL: `https://example.com/${key}`,
      METRICS_PORT: String(await findFreePort()),
    });
    await service.ready();
    const line = service.output.stdout.split('\n').find((each) => each.includes('"msg":"settings"')) ?? '';
    const { settings } = JSON.parse(line) as { settings: Record<string, unknown> };
    expect(settings).toMatchObject({
      STORAGE_URL: '[set]',
      DISCORD_TOKEN: '[not set]',
      PUBLIC_URL: 'https://example.com/[secret]',
    });
    expect(line).not.toContain('hunter2');
    const metrics = await (
      await fetch(`http://127.0.0.1:${String(settings['METRICS_PORT'])}/metrics`)
    ).text();
    expect(metrics).toMatch(/^quartermaster_masked_log_lines_total [1-9]/m);
  });
});

describe('a stop', () => {
  test('answers the request that is under way, then exits with 0', async () => {
    const STORAGE_URL = `sqlite://${path.join(newFolder(), 'store.sqlite')}`;
    const key = await makeKey(STORAGE_URL);
    const service = startProcess({ STORAGE_URL });
    const port = await service.ready();
    const request = http.request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/api/parse-args',
      headers: { authorization: key, 'content-type': 'application/json', 'content-length': 15 },
    });
    const answered = once(request, 'response') as Promise<[http.IncomingMessage]>;
    request.write('{"text":');
    // The answer to a second request says that the first one's head has arrived before it.
    await fetch(`http://127.0.0.1:${port}/health/live`);
    service.child.kill('SIGTERM');
    while (!service.output.stdout.includes('"msg":"stopping"')) await once(service.child.stdout, 'data');
    request.end('"!ban"}');
    const [response] = await answered;
    expect(response.statusCode).toBe(200);
    expect(response.headers.connection).toBe('close');
    response.resume();
    expect(await service.exited).toBe(0);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'is in order on %s, down to the last line',
    async (signal) => {
      const service = startProcess();
      await service.ready();
      service.child.kill(signal);
      expect(await service.exited).toBe(0);
      expect(service.output.stdout).toContain(`"signal":"${signal}","msg":"stopping"`);
      expect(service.output.stdout.trimEnd()).toMatch(/"msg":"stopped"\}$/);
    },
  );

  test('cuts a half-sent request at the deadline and exits with 0', async () => {
    const service = startProcess({ SHUTDOWN_TIMEOUT_MS: '300' });
    const socket = net.connect(await service.ready(), '127.0.0.1');
    socket.on('error', () => {});
    socket.write('POST /api/parse-args HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{');
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    service.child.kill('SIGTERM');
    await closed;
    expect(await service.exited).toBe(0);
    expect(service.output.stdout).toContain('"connections":1,"msg":"connections were cut at the deadline"');
  });
});
