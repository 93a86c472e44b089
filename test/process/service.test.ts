import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';

import { findFreePort } from '../fixtures/free-port.ts';
import { POLL } from '../fixtures/poll.ts';
import { isProgramMissing } from '../fixtures/programs.ts';
import { startTestApp } from '../fixtures/test-app.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { GuildKeyStore } from '../../src/guild-keys/guild-key-store.ts';
import { openStorage } from '../../src/storage/storage.ts';
import {
  childrenOf,
  makeKey,
  newFolder,
  startInTerminal,
  startProcess,
  takenPort,
} from './service-process.ts';

/** Writes the URL of each module that is loaded to stderr. Node's own debug output takes ten times as long. */
const PRINTS_MODULES = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      writeSync(2, url + '\\n');
      return next(url, context);
    },
  });
`)}`;

/** It is orderly, down to the last line. */
async function expectStop(service: ReturnType<typeof startProcess>, signal: NodeJS.Signals): Promise<void> {
  service.child.kill(signal);
  expect(await service.exited).toBe(0);
  expect(service.output.stdout).toContain(`"signal":"${signal}","msg":"stopping"`);
  expect(service.output.stdout.trimEnd()).toMatch(/"msg":"stopped"\}$/);
}

/** What a service in a terminal, started with `--heapsnapshot-signal=SIGUSR2`, has on its heap. */
async function heapOf({ child, folder }: ReturnType<typeof startInTerminal>, port: number): Promise<string> {
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok;
  expect(await isReady()).toBe(true);
  const [node = 0] = childrenOf(child.pid!);
  process.kill(node, 'SIGUSR2');
  const name = await vi.waitUntil(
    () => readdirSync(folder).find((each) => each.endsWith('.heapsnapshot')),
    POLL,
  );
  // While it writes the file, it answers nobody.
  expect(await isReady()).toBe(true);
  const written = readFileSync(path.join(folder, name), 'latin1');
  expect(written.endsWith('"]}')).toBe(true);
  return written;
}

describe('a start without settings', () => {
  test.skipIf(isProgramMissing('script'))(
    'makes a key at a terminal, leaves no trace of it on the heap, and prints one call that works when pasted',
    async () => {
      const STORAGE_URL = `sqlite://${path.join(newFolder(), 'store.sqlite')}`;
      const service = startInTerminal({ STORAGE_URL }, ['--heapsnapshot-signal=SIGUSR2']);
      const port = await service.ready();
      const stdout = service.output.stdout.replaceAll('\r', '');
      const key = /^qm_\w+$/m.exec(stdout)?.[0] ?? '';
      expect(key).not.toBe('');
      // Somebody reads this: where the documents are, and no line of the log as JSON.
      expect(stdout).toContain(`Documents, with a form for each operation: http://localhost:${port}/docs`);
      expect(stdout.split('\n').filter((line) => line.startsWith('{'))).toEqual([]);
      expect(stdout).toMatch(/INFO.*ready/);

      // No trace of it is left on the heap, of which this is all: it holds a constant of what was printed.
      const heap = await heapOf(service, port);
      expect(heap).toContain('There was no API key yet');
      expect(heap).not.toContain(key.slice(-38));

      const [call = '', ...more] = stdout.match(/^curl (?:.*\\\n)*.*$/gm) ?? [];
      expect(more).toEqual([]);
      const pasted = spawnSync('sh', ['-c', `${call} --silent`], { encoding: 'utf8' });
      expect(JSON.parse(pasted.stdout)).toMatchObject({ ok: true, command: 'tempban', duration: '7d' });
    },
  );

  test('shows a key once, only when the start succeeds, and says later how to make another', async () => {
    const STORAGE_URL = `sqlite://${path.join(newFolder(), 'store.sqlite')}`;
    const showFirstKey = vi.fn<(key: string) => void>();
    const PORT = await takenPort();
    await expect(startTestApp({ STORAGE_URL, PORT }, { showFirstKey })).rejects.toThrow('in use');
    expect(showFirstKey).not.toHaveBeenCalled();
    const how = 'make another one with npm run --silent key -- create 0';
    const starts = [];
    for (let n = 0; n < 2; n += 1) {
      await using app = await startTestApp({ STORAGE_URL }, { showFirstKey });
      starts.push(app.logLines.join(''));
    }
    expect(showFirstKey).toHaveBeenCalledTimes(1);
    expect(starts).toEqual([expect.not.stringContaining(how), expect.stringContaining(how)]);
  });

  test('writes no key to a log, says how to make one, loads no modules for Discord, images, metrics, terminals, databases or language models, and shuts down cleanly on SIGHUP', async () => {
    const STORAGE_URL = `sqlite://${path.join(newFolder(), 'store.sqlite')}`;
    const service = startProcess({ STORAGE_URL }, newFolder(), ['--import', PRINTS_MODULES]);
    const url = `http://127.0.0.1:${await service.ready()}`;
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    await expectStop(service, 'SIGHUP');
    const { stdout, stderr } = service.output;
    expect(stdout).not.toContain('qm_');
    expect(stdout).toContain('there is no API key yet: make one with npm run --silent key -- create 0');
    expect(stdout).toContain(`"storage":"${STORAGE_URL}","metrics":"off","msg":"ready"`);
    await using storage = await openStorage(STORAGE_URL);
    expect(await new GuildKeyStore(storage).isEmpty()).toBe(true);
    expect(stderr).toContain('node_modules/pino/');
    // ajv comes with the SDK of the Model Context Protocol.
    const unneeded = [
      'discord.js',
      'undici',
      '@prometheus-io/client',
      'pino-pretty',
      'ioredis',
      'pg',
      'sharp',
      'ajv',
    ];
    expect(unneeded.filter((name) => stderr.includes(`node_modules/${name}/`))).toEqual([]);
  });
});

function warningsOf({ output }: { output: { stdout: string } }): string[] {
  const warned = output.stdout.split('\n').filter((line) => line.includes('"level":"warn"'));
  return warned.map((line) => (JSON.parse(line) as { msg: string }).msg);
}

describe('a start with settings', () => {
  test('reads .env, the environment and files, warns about settings without effect, and shows no secret', async () => {
    const key = 'qm_0000000000000000_abcdefghijABCDEFGHIJabcdefghijAB123456';
    const folder = newFolder();
    const database = path.join(folder, 'keys.sqlite');
    writeFileSync(path.join(folder, 'storage'), `sqlite://${database}\r\n`);
    const lines = ['LOG_LEVEL=debug', 'RATE_LIMIT="7"', 'IMAGE_RATE_LIMIT=8', 'SEND_RATE_LIMIT=9'];
    const file = [...lines, 'PUBLIC_URL=https://hunter2.example'].join('\r\n');
    writeFileSync(path.join(folder, '.env'), `\uFEFF${file}\r\n`);
    const env = {
      STORAGE_URL_FILE: path.join(folder, 'storage'),
      IMAGE_RATE_LIMIT: '8',
      SEND_RATE_LIMIT: '',
      PUBLIC_URL: `https://example.com/${key}`,
      METRICS_PORT: String(await findFreePort()),
      https_proxy: 'http://user:hunter2@proxy.example:3128',
      HTTPS_PROXY: '',
    };
    const service = startProcess(env, folder);
    await service.ready();
    expect(existsSync(database)).toBe(true);
    const warnings = warningsOf(service);
    expect(warnings).toEqual([
      'PUBLIC_URL in .env has no effect: the environment of this process has another value',
      expect.stringContaining('https_proxy has no effect'),
    ]);
    const line = service.output.stdout.split('\n').find((each) => each.includes('"msg":"settings"')) ?? '';
    const { settings } = JSON.parse(line) as { settings: Record<string, unknown> };
    expect(settings).toMatchObject({
      RATE_LIMIT: 7,
      IMAGE_RATE_LIMIT: 8,
      SEND_RATE_LIMIT: 9,
      STORAGE_URL: '[set]',
      DISCORD_TOKEN: '[not set]',
      PUBLIC_URL: 'https://example.com/[secret]',
    });
    expect(service.output.stdout + service.output.stderr).not.toMatch(/hunter2|proxy\.example/);
    const metrics = await (await fetch(`http://127.0.0.1:${env.METRICS_PORT}/metrics`)).text();
    expect(metrics).toMatch(/^quartermaster_masked_log_lines_total [1-9]/m);
  });
});

/** A request that is under way until `end` sends the rest of it. */
async function sendHalf(port: number, key: string) {
  const request = http.request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/parse-args',
    headers: {
      authorization: key,
      'content-type': 'application/json',
      'content-length': 15,
      expect: '100-continue',
    },
  });
  const answered = once(request, 'response').then(([response]: readonly http.IncomingMessage[]) =>
    response!.resume(),
  );
  request.flushHeaders();
  // The service has its head, and waits for the rest.
  await once(request, 'continue');
  request.write('{"text":');
  return { answered, end: () => request.end('"!ban"}') };
}

describe('a stop', () => {
  test('answers the running request, and cuts a half-sent one at the deadline', async () => {
    await using service = await startTestApp({ SHUTDOWN_TIMEOUT_MS: '5000' });
    const [running, halfSent] = [
      await sendHalf(service.port, service.key),
      await sendHalf(service.port, service.key),
    ];
    const cut = halfSent.answered.catch((error: unknown) => error);
    const closed = service.app.close();
    running.end();
    const response = await running.answered;
    expect(response.statusCode).toBe(200);
    expect(response.headers.connection).toBe('close');
    expect(await cut).toMatchObject({ message: 'socket hang up' });
    await closed;
    expect(service.logLines.join('')).toContain(
      '"connections":1,"msg":"connections were cut at the deadline"',
    );
  });

  test('answers the running request during a start that waits for Discord, then exits with 0', async () => {
    await using discord = await startSimulator();
    const connecting = discord.rest.faults.hold('GET /gateway/bot');
    const STORAGE_URL = `sqlite://${path.join(newFolder(), 'store.sqlite')}`;
    const key = await makeKey(STORAGE_URL);
    const port = await findFreePort();
    const service = startProcess({
      STORAGE_URL,
      PORT: String(port),
      DISCORD_TOKEN: discord.bot().token,
      DISCORD_API_URL: discord.apiUrl,
    });
    await connecting.reached;
    const { answered, end } = await sendHalf(port, key);
    service.child.kill('SIGINT');
    await service.line('"msg":"stopping"');
    end();
    const response = await answered;
    expect(response.statusCode).toBe(200);
    expect(await service.exited).toBe(0);
    expect(service.output.stdout).toContain('"signal":"SIGINT","msg":"stopping"');
    expect(service.output.stdout.trimEnd()).toMatch(/"msg":"stopped"\}$/);
    expect(service.output.stderr).toBe('');
    expect(service.output.stdout).not.toContain('"msg":"ready"');
    expect(discord.gateway.identifies).toEqual([]);
  });
});
