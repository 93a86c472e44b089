import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { StoredNamespace, type Namespace } from '../../src/storage/namespace.ts';
import { openBackend, openStorage, type Storage } from '../../src/storage/storage.ts';
import { isMissing, POSTGRES_URL, REDIS_URL } from '../fixtures/storage-services.ts';

interface Note {
  readonly text: string;
  readonly count: number;
}
const isNote = (value: unknown): value is Note =>
  typeof value === 'object' && value !== null && 'text' in value && 'count' in value;

const TIMEOUTS = { commandTimeoutMs: 1_000, connectTimeoutMs: 2_000 };

const folder = await mkdtemp(join(tmpdir(), 'quartermaster-storage-'));
afterAll(() => rm(folder, { recursive: true }));

const redisIsMissing = await isMissing('Redis', REDIS_URL, 6379);
// A prefix that several services of one Redis may use; a star in it is not a pattern.
const prefixedRedis = new URL(REDIS_URL);
prefixedRedis.searchParams.set('keyPrefix', 'test*[a]:');

const backends = [
  { name: 'memory', url: 'memory:', missing: false, isShared: false },
  { name: 'SQLite', url: `sqlite://${folder}/new/folders/store.sqlite`, missing: false, isShared: true },
  { name: 'Redis', url: REDIS_URL, missing: redisIsMissing, isShared: true },
  { name: 'Redis with a prefix', url: prefixedRedis.href, missing: redisIsMissing, isShared: true },
  {
    name: 'PostgreSQL',
    url: POSTGRES_URL,
    missing: await isMissing('PostgreSQL', POSTGRES_URL, 5432),
    isShared: true,
  },
];

const add = (current: Note | undefined): Note => ({ text: '', count: (current?.count ?? 0) + 1 });

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const newName = () =>
  `test_${Array.from({ length: 12 }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join('')}`;

for (const { name: backend, url, missing, isShared } of backends) {
  describe.skipIf(missing)(`storage in ${backend}`, () => {
    let storage: Storage;
    let name: string;
    let notes: Namespace<Note>;

    beforeAll(async () => {
      storage = await openStorage(url);
    });
    afterAll(() => storage.close());
    beforeEach(() => {
      name = newName();
      notes = storage.namespace(name, isNote);
    });
    afterEach(async () => {
      const raw = storage.namespace(name, (value): value is unknown => value !== undefined);
      for await (const [key] of raw.entries()) await raw.delete(key);
    });

    test('answers a ping', async () => {
      await expect(storage.ping()).resolves.toBeUndefined();
    });

    test('returns what was set, and undefined for an unknown key', async () => {
      expect(await notes.get('a')).toBeUndefined();
      await notes.set('a', { text: 'one', count: 1 });
      await notes.set('a', { text: 'two', count: 2 });
      expect(await notes.get('a')).toEqual({ text: 'two', count: 2 });
    });

    test.each([
      ['an empty text', ''],
      ['a leading colon', ':base64:xx'],
      ['quotes and line breaks', `"'\`\\\r\n\t; DROP TABLE entries --`],
      ['NUL', 'a\u0000b'],
      ['lone surrogates', '\ud800 and \udfff'],
      ['emoji and right-to-left marks', '👩‍🚀 \u202e שלום'],
      ['a quarter of a megabyte', 'x'.repeat(262_144)],
    ])('keeps %s', async (_, text) => {
      await notes.set('a', { text, count: 0 });
      expect(await notes.get('a')).toEqual({ text, count: 0 });
      expect(await notes.compareAndSet('a', { text, count: 0 }, { text, count: 1 })).toBe(true);
      expect(await notes.get('a')).toEqual({ text, count: 1 });
    });

    test('deletes, and reports whether the entry existed', async () => {
      await notes.set('a', { text: '', count: 0 });
      expect(await notes.delete('a')).toBe(true);
      expect(await notes.delete('a')).toBe(false);
      expect(await notes.get('a')).toBeUndefined();
    });

    test('keeps namespaces apart, even with a common prefix', async () => {
      const longer = storage.namespace(`${name}_more`, isNote);
      await notes.set('a', { text: 'short', count: 1 });
      await longer.set('a', { text: 'long', count: 2 });
      expect(await collect(notes.entries())).toEqual([['a', { text: 'short', count: 1 }]]);
      await longer.delete('a');
      expect(await notes.get('a')).toEqual({ text: 'short', count: 1 });
    });

    test('lists every entry over several pages', async () => {
      const keys = Array.from({ length: 501 }, (_, index) => `${index}`);
      await Promise.all(keys.map((key) => notes.set(key, { text: key, count: 0 })));
      const found = new Map(await collect(notes.entries()));
      expect(new Set(found.keys())).toEqual(new Set(keys));
      expect(found.get('77')).toEqual({ text: '77', count: 0 });
    });

    test('fails for a damaged record instead of calling it missing', async () => {
      const raw = storage.namespace(name, (value): value is unknown => value !== undefined);
      await raw.set('a', 'no note');
      await expect(notes.get('a')).rejects.toMatchObject({ code: 'storage_unavailable', status: 503 });
      await expect(collect(notes.entries())).rejects.toMatchObject({ code: 'storage_unavailable' });
    });

    test('names the version of a record from a newer release', async () => {
      const raw = storage.namespace(name, (value): value is unknown => value !== undefined);
      await raw.set('a', { v: 17 });
      await expect(notes.get('a')).rejects.toMatchObject({
        cause: { message: expect.stringMatching(/newer version of the service: it has the format 17/) },
      });
    });

    // What another program may leave behind: a damaged record is not "no record".
    test.each(['{}', 'null', '{"value":null}', '{"expires":1}', 'no JSON'])(
      'fails for a record that is %s instead of calling it missing',
      async (encoded) => {
        const backend = await openBackend(url, TIMEOUTS);
        const raw = backend.createAdapter(name);
        const damaged = new StoredNamespace(raw, {
          name,
          isValue: isNote,
          outcomeMs: 0,
          onFailure: () => {},
        });
        await raw.set('a', encoded);
        await expect(damaged.get('a')).rejects.toMatchObject({ code: 'storage_unavailable', status: 503 });
        await expect(damaged.update('a', add)).rejects.toMatchObject({ code: 'storage_unavailable' });
        const seen: string[] = [];
        expect(await collect(damaged.entries((key) => seen.push(key)))).toEqual([]);
        expect(seen).toEqual(['a']);
        expect(await raw.get('a')).toBe(encoded);
        await raw.delete('a');
        await backend.close();
      },
    );

    describe('compare-and-set', () => {
      const one: Note = { text: 'one', count: 1 };
      const two: Note = { text: 'two', count: 2 };

      test('creates only when there is no entry', async () => {
        expect(await notes.compareAndSet('a', undefined, one)).toBe(true);
        expect(await notes.compareAndSet('a', undefined, two)).toBe(false);
        expect(await notes.get('a')).toEqual(one);
      });

      test('replaces and deletes only the expected value', async () => {
        await notes.set('a', one);
        expect(await notes.compareAndSet('a', two, one)).toBe(false);
        expect(await notes.compareAndSet('a', two, undefined)).toBe(false);
        expect(await notes.compareAndSet('a', one, two)).toBe(true);
        expect(await notes.compareAndSet('a', two, undefined)).toBe(true);
        expect(await notes.get('a')).toBeUndefined();
      });

      test('does not create what was deleted', async () => {
        expect(await notes.compareAndSet('a', one, two)).toBe(false);
        expect(await notes.compareAndSet('a', undefined, undefined)).toBe(true);
        expect(await notes.get('a')).toBeUndefined();
      });

      test('reads what another version of the program wrote, and leaves it unchanged', async () => {
        const newer = { count: 1, text: 'one', more: { z: 1, a: null } };
        await notes.set('a', newer);
        const found = await notes.get('a');
        expect(await notes.compareAndSet('a', found, two)).toBe(true);
      });

      test('lets exactly one of 40 concurrent writers create', async () => {
        const wins = await Promise.all(
          Array.from({ length: 40 }, (_, count) => notes.compareAndSet('a', undefined, { text: '', count })),
        );
        expect(wins.filter(Boolean)).toHaveLength(1);
        expect((await notes.get('a'))?.count).toBe(wins.indexOf(true));
      });

      test.runIf(isShared)('loses none of 60 updates over three connections', async () => {
        const others = await Promise.all([openStorage(url), openStorage(url)]);
        const handles = [storage, ...others].map((each) => each.namespace(name, isNote));
        await Promise.all(
          Array.from({ length: 20 }, () => handles.map((handle) => handle.update('a', add))).flat(),
        );
        expect(await notes.get('a')).toEqual({ text: '', count: 60 });
        await Promise.all(others.map((other) => other.close()));
      });
    });

    describe('update', () => {
      test('writes no change when the function returns its argument, or throws', async () => {
        await notes.set('a', { text: 'one', count: 1 });
        expect(await notes.update('a', (current) => current)).toEqual({ text: 'one', count: 1 });
        await expect(
          notes.update('a', () => {
            throw new RangeError('no');
          }),
        ).rejects.toThrow(RangeError);
        expect(await notes.get('a')).toEqual({ text: 'one', count: 1 });
      });
    });

    test('rejects calls after it was closed, and can be closed twice', async () => {
      const other = await openStorage(url);
      const closed = other.namespace(name, isNote);
      await other.close();
      await other.close();
      await expect(closed.get('a')).rejects.toMatchObject({ code: 'storage_unavailable' });
      await expect(closed.set('a', { text: '', count: 0 })).rejects.toMatchObject({
        code: 'storage_unavailable',
      });
      await expect(other.ping()).rejects.toThrow(Error);
    });
  });
}

describe('opening a storage', () => {
  test.each([
    ['nothing', '', /must begin with/],
    ['another database', 'mysql://localhost/x', /must begin with/],
    ['SQLite without a file', 'sqlite://', /names no file/],
    ['a folder for a file', `sqlite://${folder}`, /cannot be opened/],
    [
      'no Redis there',
      'redis://user:hunter2@127.0.0.1:1',
      /^STORAGE_URL: Redis at 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/,
    ],
    [
      'no PostgreSQL there',
      'postgres://user:hunter2@127.0.0.1:1/x',
      /^STORAGE_URL: PostgreSQL at 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/,
    ],
  ])('fails for %s with one clear sentence without a password', async (_, url, sentence) => {
    const failure = await openStorage(url).then(
      () => 'opened',
      (error: unknown) => (error as Error).message,
    );
    expect(failure).toMatch(sentence);
    expect(failure).not.toContain('hunter2');
  });

  test.skipIf(redisIsMissing).each(['99999', '?db=99999'])(
    'is refused permanently for a database %s that this Redis does not have, and writes to no other one',
    async (database) => {
      const address = new URL(database, `${REDIS_URL}/`).href;
      await expect(openStorage(address)).rejects.toMatchObject({
        message: expect.stringMatching(
          /^STORAGE_URL: Redis at \S+ cannot be used: database 99999 cannot be selected \(.*DB index.*\)$/,
        ) as string,
        isFinal: true,
      });
    },
  );

  test('is refused permanently for a SQLite file of another program, which stays unchanged', async () => {
    const path = join(folder, 'other.sqlite');
    const other = new DatabaseSync(path);
    other.exec('CREATE TABLE entries (a)');
    other.close();
    const before = await readFile(path);
    await expect(openStorage(`sqlite://${path}`)).rejects.toMatchObject({
      message: `STORAGE_URL: The storage file ${path} cannot be opened: its table "entries" is that of another program`,
      isFinal: true,
    });
    expect(before.equals(await readFile(path))).toBe(true);
  });

  test('makes a SQLite file that only its owner can read, with the files beside it', async () => {
    const path = join(folder, 'private', 'deep', 'store.sqlite');
    await using storage = await openStorage(`sqlite://${path}`);
    await storage.namespace('notes', isNote).set('a', { text: 'x', count: 1 });
    const modes = await Promise.all(
      [dirname(path), dirname(dirname(path)), path, `${path}-wal`, `${path}-shm`].map(async (each) =>
        ((await stat(each)).mode & 0o777).toString(8),
      ),
    );
    expect(modes).toEqual(['700', '700', '600', '600', '600']);
  });
});
