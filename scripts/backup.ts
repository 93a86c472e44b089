import { chmodSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';

import { loadConfig } from '../src/config/config.ts';
import { readEnvironment } from '../src/config/environment.ts';
import { makePrivateFolder } from '../src/storage/sqlite-backend.ts';

const USAGE = `npm run --silent backup -- [--to FOLDER] [--keep COUNT]

Copies the SQLite file of STORAGE_URL while the service runs, and prints the path of the copy.
  --to FOLDER    where copies are kept; default: a folder "backups" beside the file
  --keep COUNT   how many copies are kept, from 1; default: all`;

const NAME = /^quartermaster-\d{4}-\d{2}-\d{2}T\d{6}Z\.sqlite$/;

process.exitCode = await main(process.argv.slice(2));

/** Exits 0 with the path on stdout, 1 when the backup fails, 2 when the command is not understood. */
async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options === null) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  try {
    const { storageUrl } = loadConfig(readEnvironment());
    if (!storageUrl.startsWith('sqlite://')) {
      throw new Error(
        'STORAGE_URL is not SQLite. Use pg_dump -t quartermaster_entries for PostgreSQL, and its own snapshots for Redis.',
      );
    }
    const file = decodeURI(storageUrl.slice('sqlite://'.length));
    const folder = options.to ?? path.join(path.dirname(file), 'backups');
    process.stdout.write(`${await copyTo(folder, file)}\n`);
    if (options.keep !== null) removeOlder(folder, options.keep);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

function readOptions(args: readonly string[]): { to: string | undefined; keep: number | null } | null {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { to: { type: 'string' }, keep: { type: 'string' } },
    });
    if (values.keep !== undefined && !/^[1-9]\d{0,5}$/.test(values.keep)) return null;
    return { to: values.to, keep: values.keep === undefined ? null : Number(values.keep) };
  } catch {
    return null;
  }
}

/** A copy gets its final name only when it is complete and checked: the name is a promise. */
async function copyTo(folder: string, file: string): Promise<string> {
  makeFolder(folder);
  const name = `quartermaster-${new Date().toISOString().replaceAll(/:|\.\d+/g, '')}.sqlite`;
  const target = path.join(folder, name);
  const partial = `${target}.partial`;
  // A copy contains only digests and counts, but it is still for its owner's eyes only.
  process.umask(0o077);
  rmSync(partial, { force: true });
  const source = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    await backup(source, partial);
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(partial);
  // The copy is a single file, without a separate log that could be left behind.
  copy.exec('PRAGMA journal_mode = DELETE');
  const [found] = Object.values(copy.prepare('PRAGMA quick_check').get() ?? {});
  copy.close();
  if (found !== 'ok') throw new Error(`The copy is damaged and was left at ${partial}: ${String(found)}`);
  chmodSync(partial, 0o600);
  renameSync(partial, target);
  return target;
}

function makeFolder(folder: string): void {
  try {
    makePrivateFolder(folder);
    if (!statSync(folder).isDirectory()) throw new Error('a file has this name');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The folder ${folder} cannot be made: ${reason}`, { cause });
  }
}

/** Names sort by time. */
function removeOlder(folder: string, keep: number): void {
  const copies = readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort();
  for (const name of copies.slice(0, -keep)) rmSync(path.join(folder, name));
}
