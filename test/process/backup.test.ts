import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';

import { expect, onTestFinished, test } from 'vitest';

import { runBackupCommand } from '../../scripts/backup/run-backup-command.ts';
import { loadConfig } from '../../src/config/config.ts';
import { GuildKeyStore } from '../../src/guild-keys/guild-key-store.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { CHILD_ENV, newFolder } from './service-process.ts';

const COMMAND = path.join(import.meta.dirname, '../../scripts/backup.ts');
const GUILD = '123456789012345678';

/** Runs the command in this process, with a file in `folder`. `runProcess` starts it as an operator does. */
async function backUp(
  folder: string,
  args: readonly string[] = [],
  url = `sqlite://${folder}/data/quartermaster.sqlite`,
) {
  let [stdout, stderr] = ['', ''];
  const code = await runBackupCommand(args, {
    readStorageUrl: () => loadConfig({ STORAGE_URL: url }).storageUrl,
    writeOut: (text) => void (stdout += text),
    writeError: (text) => void (stderr += text),
  });
  return { code, stdout: stdout.trim(), stderr };
}

/** Runs the command in `folder`. */
async function runProcess(folder: string, args: readonly string[] = []) {
  try {
    const options = { cwd: folder, env: CHILD_ENV };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [COMMAND, ...args], options);
    return { code: 0, stdout: stdout.trim(), stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout: stdout.trim(), stderr };
  }
}

async function newStorage() {
  const folder = newFolder();
  const storage = await openStorage(`sqlite://${folder}/data/quartermaster.sqlite`);
  return { folder, storage, keys: new GuildKeyStore(storage) };
}

test('a copy made while the service runs has its keys, and only its owner can read it', async () => {
  const { folder, storage, keys } = await newStorage();
  await keys.create({
    guildId: GUILD,
    name: 'shop',
    createdBy: 'cli',
    expiresInDays: null,
    flat: false,
    always200: false,
  });
  const { code, stdout } = await runProcess(folder);
  await storage.close();

  expect(code).toBe(0);
  const copy = path.join(folder, stdout);
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  await using restored = await openStorage(`sqlite://${copy}`);
  expect((await new GuildKeyStore(restored).list(GUILD)).map(({ name }) => name)).toEqual(['shop']);
});

test('--keep removes only the oldest copies', async () => {
  const { folder, storage } = await newStorage();
  await storage.close();
  const copies = path.join(folder, 'copies');
  mkdirSync(copies);
  for (const name of ['quartermaster-2020-01-01T000000Z.sqlite', 'quartermaster-2020-01-02T000000Z.sqlite']) {
    writeFileSync(path.join(copies, name), '');
  }
  writeFileSync(path.join(copies, 'mine.sqlite'), '');
  const { code, stdout } = await backUp(folder, ['--to', copies, '--keep', '2']);

  expect(code).toBe(0);
  expect(readdirSync(copies).sort()).toEqual([
    'mine.sqlite',
    'quartermaster-2020-01-02T000000Z.sqlite',
    path.basename(stdout),
  ]);
});

test('a storage other than SQLite is refused with an alternative', async () => {
  const { code, stderr } = await backUp(newFolder(), [], 'postgres://127.0.0.1/none');
  expect([code, stderr]).toEqual([1, expect.stringContaining('pg_dump')]);
});

test('a missing file is an error, and neither the file nor a folder is made', async () => {
  const folder = newFolder();
  const { code, stderr } = await runProcess(folder);
  const file = path.join(folder, 'data/quartermaster.sqlite');
  expect([code, stderr]).toEqual([1, `${file}, the file of STORAGE_URL, cannot be read: it is not there\n`]);
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ['is something else', (file: string) => writeFileSync(file, 'hello'), 'read: file is not a database'],
  ['is a folder', (file: string) => mkdirSync(file), 'read: it is not a file'],
  ['is held by another program', (file: string) => holdFile(file), 'read: database is locked'],
  ['is damaged', (file: string) => damageFile(file), 'read: database disk image is malformed'],
  ['is damaged inside', (file: string) => damageFile(file, 3), 'copied to COPIES: Tree '],
])(
  'a file that %s causes a one-sentence error with its name, and leaves no part of a copy',
  async (_, prepare, reason) => {
    const folder = newFolder();
    const file = path.join(folder, 'store.sqlite');
    prepare(file);
    const copies = path.join(folder, 'copies');
    const { code, stdout, stderr } = await backUp(folder, ['--to', copies], `sqlite://${file}`);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(
      `${file}, the file of STORAGE_URL, cannot be ${reason.replace('COPIES', copies)}`,
    );
    expect(existsSync(copies) ? readdirSync(copies) : []).toEqual([]);
  },
);

/** Until the end of the test nobody else can read it. */
function holdFile(file: string): void {
  const other = new DatabaseSync(file);
  onTestFinished(() => other.close());
  other.exec('CREATE TABLE entries (value)');
  other.exec('BEGIN EXCLUSIVE');
}

/** @param page from which a part is overwritten; without one, the end is missing */
function damageFile(file: string, page?: number): void {
  const database = new DatabaseSync(file);
  database.exec('CREATE TABLE entries (value)');
  database.exec(
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO entries SELECT printf('%0200d', i) FROM n",
  );
  database.close();
  if (page === undefined) truncateSync(file, 40_000);
  else {
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xee, page * 4_096, (page + 5) * 4_096));
  }
}

test('--keep removes leftovers of interrupted backups, but no copy in progress', async () => {
  const { folder, storage } = await newStorage();
  await storage.close();
  const copies = path.join(folder, 'copies');
  mkdirSync(copies);
  const old = [
    'quartermaster-2020-01-01T000000Z.sqlite.partial',
    'quartermaster-2020-01-01T000000Z.sqlite.partial-wal',
  ];
  for (const name of old) {
    writeFileSync(path.join(copies, name), '');
    utimesSync(path.join(copies, name), 0, 0);
  }
  const running = 'quartermaster-2020-01-02T000000Z.sqlite.partial';
  writeFileSync(path.join(copies, running), '');
  const { code, stdout } = await backUp(folder, ['--to', copies, '--keep', '2']);
  expect(code).toBe(0);
  expect(readdirSync(copies).sort()).toEqual([running, path.basename(stdout)]);
});

test.each(['/proc/quartermaster', '/proc/version/copies', '/proc/version'])(
  '%s, where no folder can be made, causes a one-sentence error',
  async (to) => {
    const { folder, storage } = await newStorage();
    await storage.close();
    const { code, stderr } = await backUp(folder, ['--to', to]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^The folder ${to} cannot be made: .*\n$`)),
    ]);
  },
);

test.each([
  ['--keep 0', '--keep takes a whole number from 1 to 999999.'],
  ['--keep x', '--keep takes a whole number from 1 to 999999.'],
  ['--keep', "Option '--keep <value>' argument missing"],
  ['--into x', "Unknown option '--into'."],
  ['x', "Unexpected argument 'x'."],
])('%s prints one line with the mistake and one about --help', async (args, mistake) => {
  const { code, stdout, stderr } = await backUp(newFolder(), args.split(' '));
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr.split('\n')).toEqual([
    expect.stringContaining(mistake),
    'npm run --silent backup -- --help says how it is used.',
    '',
  ]);
});

test.each(['--help', '-h'])('%s prints the usage without a backup', async (option) => {
  const folder = newFolder();
  const { code, stdout, stderr } = await backUp(folder, [option, '--to', path.join(folder, 'copies')]);
  expect([code, stdout, stderr]).toEqual([0, expect.stringContaining('--keep COUNT'), '']);
  expect(readdirSync(folder)).toEqual([]);
});

test.each(['--keep 0', '--help'])('%s gives a process the same output and exit code', async (args) => {
  const folder = newFolder();
  expect(await runProcess(folder, args.split(' '))).toEqual(await backUp(folder, args.split(' ')));
});
