import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setImmediate as nextIteration } from 'node:timers/promises';

import { Client } from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { Problem } from '../../src/kernel/problem.ts';
import type { Namespace } from '../../src/storage/namespace.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { isProgramMissing } from '../fixtures/programs.ts';
import { POLL } from '../fixtures/poll.ts';
import { addressOf, isMissing, POSTGRES_URL, REDIS_URL, throughPort } from '../fixtures/storage-services.ts';
import { startTcpProxy, type TcpProxy } from '../fixtures/storage-tcp-proxy.ts';

const isText = (value: unknown): value is string => typeof value === 'string';
const FULL_CHILD = join(import.meta.dirname, 'storage-full-child.ts');
/** Long enough for a service that answers, on a busy machine. */
const timeouts = { commandTimeoutMs: 1_000, connectTimeoutMs: 2_000 };

async function expectUnavailable(work: Promise<unknown>): Promise<void> {
  const failure = await work.then(
    () => 'it worked',
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(Problem);
  expect(failure).toMatchObject({ code: 'storage_unavailable', status: 503, retryAfterSeconds: 5 });
  expect((failure as Problem).cause).toBeInstanceOf(Error);
}

async function expectAllUnavailable(texts: Namespace<string>): Promise<void> {
  await Promise.all(
    [
      texts.get('kept'),
      texts.get('never there'),
      texts.set('kept', 'changed'),
      texts.delete('kept'),
      texts.compareAndSet('kept', 'value', 'changed'),
      texts.update('kept', () => 'changed'),
      texts.entries().next(),
    ].map(expectUnavailable),
  );
}

const services = [
  { name: 'Redis', url: REDIS_URL, defaultPort: 6379 },
  { name: 'PostgreSQL', url: POSTGRES_URL, defaultPort: 5432 },
];
const missing = new Map(
  await Promise.all(
    services.map(
      async ({ name, url, defaultPort }) => [name, await isMissing(name, url, defaultPort)] as const,
    ),
  ),
);

for (const { name: service, url, defaultPort } of services) {
  describe.skipIf(missing.get(service))(`${service} behind a network that fails`, () => {
    let proxy: TcpProxy;
    let storage: Storage;
    let texts: Namespace<string>;

    beforeEach(async () => {
      proxy = await startTcpProxy(addressOf(url, defaultPort));
      storage = await openStorage(throughPort(url, proxy.port), timeouts);
      texts = storage.namespace('test_outage', isText);
      await texts.set('kept', 'value');
    });
    afterEach(async () => {
      await texts.delete('kept');
      await storage.close();
      await proxy[Symbol.asyncDispose]();
    });

    test.each(['cut', 'hang'] as const)(
      'fails every call within its time when connections %s, and works again afterwards',
      async (fault) => {
        await proxy[fault]();
        await expectAllUnavailable(texts);
        await expect(storage.ping()).rejects.toThrow(Error);

        await proxy.restore();
        await vi.waitFor(() => storage.ping(), POLL);
        expect(await texts.get('kept')).toBe('value');
        expect(await texts.compareAndSet('kept', 'value', 'next')).toBe(true);
      },
    );

    test('does not send a command again when its reply is lost', async () => {
      proxy.hang();
      const lost = texts.set('kept', 'from before the outage');
      await expectUnavailable(lost);
      await proxy.restore();
      await vi.waitFor(() => storage.ping(), POLL);
      expect(await texts.get('kept')).toBe('value');
    });

    test('can be closed while no reply comes', async () => {
      const other = await openStorage(throughPort(url, proxy.port), timeouts);
      await other.ping();
      proxy.hang();
      await expect(other.close()).resolves.toBeUndefined();
      await proxy.restore();
      await vi.waitFor(() => storage.ping(), POLL);
    });
  });
}

describe.skipIf(missing.get('PostgreSQL'))('PostgreSQL', () => {
  test('fails a ping while its table is missing, and recovers with it', async () => {
    const database = `test_table_${randomUUID().replaceAll('-', '')}`;
    const admin = new Client({ connectionString: POSTGRES_URL });
    await admin.connect();
    await admin.query(`CREATE DATABASE ${database}`);
    const url = new URL(POSTGRES_URL);
    url.pathname = database;
    try {
      await using storage = await openStorage(url.href, timeouts);
      await storage.ping();
      const client = new Client({ connectionString: url.href });
      await client.connect();
      await client.query('ALTER TABLE quartermaster_entries RENAME TO lost');
      await expect(storage.ping()).rejects.toThrow('quartermaster_entries');
      await client.query('ALTER TABLE lost RENAME TO quartermaster_entries');
      await storage.ping();
      await client.end();
    } finally {
      await admin.query(`DROP DATABASE ${database} WITH (FORCE)`);
      await admin.end();
    }
  });
});

describe('SQLite', () => {
  let path: string;
  let storage: Storage;
  let texts: Namespace<string>;
  let intruder: DatabaseSync;
  const folders: string[] = [];

  beforeEach(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quartermaster-outage-'));
    folders.push(folder);
    path = join(folder, 'store.sqlite');
    storage = await openStorage(`sqlite://${path}`, timeouts);
    texts = storage.namespace('test_outage', isText);
    await texts.set('kept', 'value');
    intruder = new DatabaseSync(path);
  });
  afterEach(async () => {
    intruder.close();
    await storage.close();
  });
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

  test('fails changes in time, and continues to read, when another process holds a lock for long', async () => {
    intruder.exec('BEGIN IMMEDIATE');
    await expectUnavailable(texts.set('kept', 'changed'));
    await expectUnavailable(texts.compareAndSet('kept', 'value', 'changed'));
    expect(await texts.get('kept')).toBe('value');

    intruder.exec('ROLLBACK');
    expect(await texts.compareAndSet('kept', 'value', 'next')).toBe(true);
  });

  test('delays only one change for a lock that is soon released', async () => {
    intruder.exec('BEGIN IMMEDIATE');
    const change = texts.set('kept', 'changed');
    expect(await texts.get('kept')).toBe('value');
    intruder.exec('ROLLBACK');
    await change;
    expect(await texts.get('kept')).toBe('changed');
  });

  test('leaves the event loop to other work while 20 changes wait for a lock', async () => {
    intruder.exec('BEGIN IMMEDIATE');
    const changes = Array.from({ length: 20 }, (_, n) => texts.set(`waiting ${n}`, 'value'));
    const outcomes = Promise.allSettled(changes);
    // If each waiting change blocked its iteration, far fewer iterations than this would fit into the time of a call.
    for (let n = 0; n < 100; n += 1) await nextIteration();
    intruder.exec('ROLLBACK');
    expect((await outcomes).map(({ status }) => status)).toEqual(changes.map(() => 'fulfilled'));
  });

  test.each(['deleted', 'replaced'])(
    'fails every call when its file is %s while it is open, and works again when it is back',
    async (how) => {
      await rename(path, `${path}.away`);
      if (how === 'replaced') await writeFile(path, '');
      await expectAllUnavailable(texts);
      await expect(storage.ping()).rejects.toThrow(
        'The storage file was deleted or replaced while the service runs',
      );
      await rename(`${path}.away`, path);
      await storage.ping();
      expect(await texts.get('kept')).toBe('value');
      expect(await texts.compareAndSet('kept', 'value', 'next')).toBe(true);
    },
  );

  test.skipIf(isProgramMissing('prlimit'))(
    'fails changes while the disk is full, continues to read, and works again when there is space',
    async () => {
      const child = spawn(process.execPath, [FULL_CHILD, `sqlite://${path}`], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      expect(JSON.parse(await text(child.stdout))).toEqual({
        failed: ['storage_unavailable', 503],
        read: 'value',
        recovered: 'next',
      });
      expect(await texts.get('kept')).toBe('next');
    },
  );

  test('reports each failure, so that it can be counted', async () => {
    const causes: unknown[] = [];
    const watched = await openStorage(`sqlite://${path}`, { onFailure: (cause) => causes.push(cause) });
    intruder.exec('ALTER TABLE entries RENAME TO lost');
    await expect(watched.namespace('test_outage', isText).get('kept')).rejects.toThrow(Problem);
    expect(causes).toEqual([expect.objectContaining({ message: expect.stringContaining('no such table') })]);
    intruder.exec('ALTER TABLE lost RENAME TO entries');
    await watched.close();
  });

  test('tries a refused change once more, and then gives up', async () => {
    // RAISE(FAIL) keeps the row that counts the attempt.
    const refuse = (condition: string) =>
      intruder.exec(
        `CREATE TRIGGER refusal BEFORE UPDATE ON entries ${condition} BEGIN INSERT INTO attempts VALUES (1); SELECT RAISE(FAIL, 'no'); END`,
      );
    intruder.exec('CREATE TABLE attempts (n)');
    refuse('WHEN (SELECT count(*) FROM attempts) = 0');
    expect(await texts.update('kept', () => 'changed')).toBe('changed');
    intruder.exec('DROP TRIGGER refusal; DELETE FROM attempts');
    refuse('');
    await expectUnavailable(texts.update('kept', () => 'changed again'));
    expect(intruder.prepare('SELECT count(*) AS n FROM attempts').get()).toEqual({ n: 2 });
  });

  test('fails every call without its table, and works again once the file is repaired', async () => {
    intruder.exec('ALTER TABLE entries RENAME TO lost');
    await expectAllUnavailable(texts);
    await expect(storage.ping()).rejects.toThrow(Error);

    intruder.exec('ALTER TABLE lost RENAME TO entries');
    expect(await texts.get('kept')).toBe('value');
    expect(await texts.compareAndSet('kept', 'value', 'next')).toBe(true);
  });

  test('keeps a write-ahead log, so that readers and a writer do not wait for each other', () => {
    expect(intruder.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  });
});
