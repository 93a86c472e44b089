import { chmodSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';

import { reasonOf } from '../../src/kernel/explained-failure.ts';
import { makePrivateFolder } from '../../src/storage/sqlite-backend.ts';

const USAGE = `npm run --silent backup -- [--to FOLDER] [--keep COUNT]

Copies the SQLite file of STORAGE_URL while the service runs, and prints the path of the copy.
  --to FOLDER    where copies are kept; default: a folder "backups" beside the file
  --keep COUNT   how many copies are kept, from 1; default: all. Also removes the rests of backups that were cut short`;

const NAME = /^quartermaster-\d{4}-\d{2}-\d{2}T\d{6}Z\.sqlite$/;
const PARTIAL_NAME = /^quartermaster-\d{4}-\d{2}-\d{2}T\d{6}Z\.sqlite\.partial(-\w+)?$/;
/** Another backup may be writing its copy now. */
const ABANDONED_AFTER_MS = 3_600_000;

interface BackupCommandIo {
  /** Throws when the settings of the service are wrong. */
  readonly readStorageUrl: () => string;
  /** Receives the path of the copy, or the help. */
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
}

/** Returns the exit code: 2 when the command is not understood, 1 when the backup fails. */
export async function runBackupCommand(args: readonly string[], io: BackupCommandIo): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    io.writeOut(`${USAGE}\n`);
    return 0;
  }
  const options = readOptions(args);
  if (options instanceof Error) {
    io.writeError(`${options.message}\nnpm run --silent backup -- --help says how it is used.\n`);
    return 2;
  }
  try {
    const storageUrl = io.readStorageUrl();
    if (!storageUrl.startsWith('sqlite://')) {
      throw new Error(
        'STORAGE_URL is not SQLite. Use pg_dump -t quartermaster_entries for PostgreSQL, and its own snapshots for Redis.',
      );
    }
    const file = decodeURI(storageUrl.slice('sqlite://'.length));
    const folder = options.to ?? path.join(path.dirname(file), 'backups');
    io.writeOut(`${await copyTo(folder, file)}\n`);
    if (options.keep !== null) removeOlder(folder, options.keep);
    return 0;
  } catch (error) {
    io.writeError(`${reasonOf(error)}\n`);
    return 1;
  }
}

/** The options, or what is wrong with them. */
function readOptions(
  args: readonly string[],
): { readonly to: string | undefined; readonly keep: number | null } | Error {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { to: { type: 'string' }, keep: { type: 'string' } },
    });
    if (values.keep === undefined) return { to: values.to, keep: null };
    if (/^[1-9]\d{0,5}$/.test(values.keep)) return { to: values.to, keep: Number(values.keep) };
    return new Error('--keep takes a whole number from 1 to 999999.');
  } catch (error) {
    return new Error(`${reasonOf(error).split('. ', 1).join('')}.`);
  }
}

/** A copy gets its final name only when it is complete and checked: the name is a promise. */
async function copyTo(folder: string, file: string): Promise<string> {
  using source = openToRead(file);
  makeFolder(folder);
  const name = `quartermaster-${new Date().toISOString().replaceAll(/:|\.\d+/g, '')}.sqlite`;
  const target = path.join(folder, name);
  const partial = `${target}.partial`;
  try {
    rmSync(partial, { force: true });
    await backup(source, partial);
    checkCopy(partial);
    chmodSync(partial, 0o600);
    renameSync(partial, target);
    return target;
  } catch (cause) {
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(partial + end, { force: true });
    throw new Error(`${describeFile(file)} cannot be copied to ${folder}: ${reasonOf(cause)}`, { cause });
  }
}

/** Fails here for what is wrong with the file, and not while the copy is written. */
function openToRead(file: string): DatabaseSync {
  let source: DatabaseSync | undefined;
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isFile() !== true)
      throw new Error(found === undefined ? 'it is not there' : 'it is not a file');
    source = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    source.prepare('PRAGMA schema_version').get();
    return source;
  } catch (cause) {
    source?.close();
    throw new Error(`${describeFile(file)} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

function checkCopy(file: string): void {
  using copy = new DatabaseSync(file);
  // The copy is a single file, without a separate log that could be left behind.
  copy.exec('PRAGMA journal_mode = DELETE');
  const [found] = Object.values(copy.prepare('PRAGMA quick_check(1)').get() ?? {});
  // The first line only names the database.
  if (found !== 'ok') throw new Error(String(found).split('\n').at(-1));
}

function describeFile(file: string): string {
  return `${path.resolve(file)}, the file of STORAGE_URL,`;
}

function makeFolder(folder: string): void {
  try {
    makePrivateFolder(folder);
    if (!statSync(folder).isDirectory()) throw new Error('a file has this name');
  } catch (cause) {
    throw new Error(`The folder ${folder} cannot be made: ${reasonOf(cause)}`, { cause });
  }
}

/** Names sort by time. What backups left that were cut short goes too. */
function removeOlder(folder: string, keep: number): void {
  const names = readdirSync(folder).sort();
  const copies = names.filter((name) => NAME.test(name));
  const abandoned = names.filter(
    (name) =>
      PARTIAL_NAME.test(name) && Date.now() - statSync(path.join(folder, name)).mtimeMs > ABANDONED_AFTER_MS,
  );
  for (const name of [...copies.slice(0, -keep), ...abandoned]) rmSync(path.join(folder, name));
}
