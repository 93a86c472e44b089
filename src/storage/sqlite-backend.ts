import { existsSync, mkdirSync, statSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextIteration } from 'node:timers/promises';

import { errorCodeOf } from '../kernel/error-code.ts';
import { ExplainedFailure, reasonOf } from '../kernel/explained-failure.ts';
import type { Backend, BackendOptions } from './backend.ts';
import { retry } from './retry.ts';

/** SQLite would block the event loop while it waits for a lock. So this backend itself waits, between iterations. */
const BLOCKING_WAIT_MS = 0;
/** Longest pause between two attempts; the average is half of it. */
const PAUSE_MS = 10;
/** Rows that are read in one iteration of the event loop, which SQLite blocks. */
const PAGE_ROWS = 200;

/** Primary result codes, https://sqlite.org/rescode.html. */
const SQLITE_BUSY = 5;
const SQLITE_PERM = 3;
const SQLITE_READONLY = 8;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;
/** The user of this process cannot write the file. Only another file or other rights will help. */
const IS_FINAL: ReadonlySet<unknown> = new Set([
  SQLITE_PERM,
  SQLITE_READONLY,
  SQLITE_CANTOPEN,
  SQLITE_NOTADB,
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
]);

/**
 * One file, shared by all processes of this machine. The journal is a write-ahead log with full synchronisation: an
 * acknowledged change has reached the disk (https://sqlite.org/wal.html).
 *
 * @param storageUrl `sqlite://` and a path, relative to the working directory or absolute
 */
export async function openSqliteBackend(
  storageUrl: string,
  { commandTimeoutMs, connectTimeoutMs }: BackendOptions,
): Promise<Backend> {
  const path = decodeURI(storageUrl.slice('sqlite://'.length));
  if (path === '' || path.endsWith('/')) {
    throw new Error('it names no file; write it as sqlite://data/quartermaster.sqlite');
  }
  const db = await open(path, connectTimeoutMs);
  const inode = findInode(path);

  const select = db.prepare('SELECT value FROM entries WHERE namespace = ? AND key = ?');
  const upsert = db.prepare(
    'INSERT INTO entries VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  const insert = db.prepare('INSERT INTO entries VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  const replace = db.prepare('UPDATE entries SET value = ? WHERE namespace = ? AND key = ? AND value = ?');
  const remove = db.prepare('DELETE FROM entries WHERE namespace = ? AND key = ?');
  const removeExpected = db.prepare('DELETE FROM entries WHERE namespace = ? AND key = ? AND value = ?');
  const page = db.prepare(
    'SELECT key, value FROM entries WHERE namespace = ? AND key > ? ORDER BY key LIMIT ?',
  );
  async function patiently<Result>(work: () => Result): Promise<Result> {
    checkFile();
    const result = await retryWhileBusy(work, commandTimeoutMs);
    // Checked again, so that no change to a deleted file is acknowledged.
    checkFile();
    return result;
  }
  function checkFile(): void {
    if (findInode(path) === inode) return;
    throw new Error(
      'The storage file was deleted or replaced while the service runs. Put it back, or restart the service.',
    );
  }

  return {
    createAdapter: (namespace) => ({
      capabilities: { expires: true },
      namespace,
      get: (key) => patiently(() => select.get(namespace, key)?.['value'] as string | undefined),
      async set(key, value) {
        await patiently(() => upsert.run(namespace, key, value));
        return true;
      },
      delete: (key) => patiently(() => remove.run(namespace, key).changes === 1),
      async *iterator() {
        let last = '';
        for (;;) {
          const rows = await patiently(() => page.all(namespace, last, PAGE_ROWS));
          for (const row of rows) yield [row['key'] as string, row['value'] as string];
          if (rows.length < PAGE_ROWS) return;
          last = rows[PAGE_ROWS - 1]?.['key'] as string;
          // Reading a page blocks this iteration of the event loop, so other work goes first.
          await nextIteration();
        }
      },
      compareAndSet: (key, expected, next) =>
        // Each is one statement, and so one transaction.
        patiently(() => {
          if (expected === undefined) {
            if (next === undefined) return select.get(namespace, key) === undefined;
            return insert.run(namespace, key, next).changes === 1;
          }
          if (next === undefined) return removeExpected.run(namespace, key, expected).changes === 1;
          return replace.run(next, namespace, key, expected).changes === 1;
        }),
    }),
    async ping() {
      await patiently(() => db.prepare('SELECT 1 FROM entries LIMIT 1').get());
    },
    async close() {
      db.close();
    },
  };
}

async function open(path: string, timeoutMs: number): Promise<DatabaseSync> {
  let db: DatabaseSync | undefined;
  try {
    await createPrivately(path);
    const opened = new DatabaseSync(path, { timeout: BLOCKING_WAIT_MS });
    db = opened;
    await retryWhileBusy(() => {
      refuseOtherTable(opened);
      const mode = opened.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode'];
      if (mode !== 'wal') throw new Error(`it cannot have a write-ahead log (${String(mode)})`);
      opened.exec('PRAGMA synchronous = FULL');
      opened.exec(
        'CREATE TABLE IF NOT EXISTS entries (namespace TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (namespace, key)) STRICT, WITHOUT ROWID',
      );
    }, timeoutMs);
    return opened;
  } catch (error) {
    db?.close();
    const reason = reasonOf(error);
    throw new ExplainedFailure(`The storage file ${path} cannot be opened: ${reason}`, {
      cause: error,
      isFinal:
        error instanceof ExplainedFailure ||
        IS_FINAL.has(errorCodeOf(error)) ||
        IS_FINAL.has(resultCodeOf(error)),
    });
  }
}

/**
 * Call it before any change. Switching to a write-ahead log is permanent, and another program that owns the file may
 * not support it.
 */
function refuseOtherTable(db: DatabaseSync): void {
  const columns = db.prepare('PRAGMA table_info(entries)').all();
  if (columns.length === 0 || columns.map(({ name }) => name).join() === 'namespace,key,value') return;
  throw new ExplainedFailure('its table "entries" is that of another program');
}

/** Identifies a file even if another one takes its name; null if there is no file. */
function findInode(path: string): bigint | null {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}

/**
 * Only this user may read which users made keys, for which servers and when. SQLite gives its other files the same
 * mode. A file that already exists keeps the mode that its owner gave it.
 */
async function createPrivately(path: string): Promise<void> {
  makePrivateFolder(dirname(path));
  try {
    const file = await openFile(path, 'ax', 0o600);
    await file.close();
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error;
  }
}

/**
 * Makes a folder that only its owner can read, and its missing parents. An existing folder keeps its mode. Do not use
 * `recursive` of `mkdir`: it never returns where no folder can be made, such as in /proc.
 */
export function makePrivateFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makePrivateFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it in the meantime.
    if (!existsSync(folder)) throw error;
  }
}

/** Processes write one at a time; each holds the lock for about a millisecond. */
function retryWhileBusy<Result>(work: () => Result, timeoutMs: number): Promise<Result> {
  return retry(work, timeoutMs, () => Math.random() * PAUSE_MS, isBusy);
}

function isBusy(error: unknown): boolean {
  return resultCodeOf(error) === SQLITE_BUSY;
}

/** The lower eight bits are the primary result code, the rest extends it. null when SQLite has not failed. */
function resultCodeOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  return error.errcode & 0xff;
}
