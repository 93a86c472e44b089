import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { createGuildKeys } from '../../src/guild-keys/guild-key-store.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { newFolder } from './service-process.ts';

const COMMAND = path.join(import.meta.dirname, '../../scripts/backup.ts');
const GUILD = '123456789012345678';

/** Runs the command in `folder` as an operator does. */
async function backUp(folder: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  try {
    const options = { cwd: folder, env: { PATH: process.env['PATH'], ...env } };
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
  return { folder, storage, keys: createGuildKeys(storage) };
}

test('a copy that is made while the service runs has its keys, and only its owner can read it', async () => {
  const { folder, storage, keys } = await newStorage();
  await keys.create({
    guildId: GUILD,
    name: 'shop',
    createdBy: 'cli',
    expiresInDays: null,
    flat: false,
    always200: false,
  });
  const { code, stdout } = await backUp(folder);
  await storage.close();

  expect(code).toBe(0);
  const copy = path.join(folder, stdout);
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  await using restored = await openStorage(`sqlite://${copy}`);
  expect((await createGuildKeys(restored).list(GUILD)).map(({ name }) => name)).toEqual(['shop']);
});

test('--keep removes the oldest copies and nothing else', async () => {
  const { folder, storage } = await newStorage();
  await storage.close();
  const copies = path.join(folder, 'copies');
  mkdirSync(copies);
  for (const name of ['quartermaster-2020-01-01T000000Z.sqlite', 'quartermaster-2020-01-02T000000Z.sqlite']) {
    writeFileSync(path.join(copies, name), '');
  }
  writeFileSync(path.join(copies, 'mine.sqlite'), '');
  const { code, stdout } = await backUp(folder, ['--to', 'copies', '--keep', '2']);

  expect(code).toBe(0);
  expect(readdirSync(copies).sort()).toEqual([
    'mine.sqlite',
    'quartermaster-2020-01-02T000000Z.sqlite',
    path.basename(stdout),
  ]);
});

test('a storage that is no SQLite file is refused with what to use instead', async () => {
  const { code, stderr } = await backUp(newFolder(), [], { STORAGE_URL: 'postgres://127.0.0.1/none' });
  expect([code, stderr]).toEqual([1, expect.stringContaining('pg_dump')]);
});

test('a file that does not exist is a failure, and none is made', async () => {
  const folder = newFolder();
  const { code } = await backUp(folder);
  expect(code).toBe(1);
  expect(readdirSync(folder)).not.toContain('quartermaster.sqlite');
});

test.each(['/proc/quartermaster', '/proc/version/copies', '/proc/version'])(
  '%s, where no folder can be made, is a failure in one sentence',
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

test.each([['--keep', '0'], ['--keep', 'x'], ['--into', 'x'], ['x']])(
  '%s is not understood',
  async (...args) => {
    const { code, stderr } = await backUp(newFolder(), args.filter(Boolean));
    expect([code, stderr]).toEqual([2, expect.stringContaining('--keep COUNT')]);
  },
);
