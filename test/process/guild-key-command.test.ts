import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterAll, describe, expect, test } from 'vitest';

import { runKeyCommand } from '../../scripts/key/run-key-command.ts';
import { loadConfig } from '../../src/config/config.ts';
import { GuildKeyStore } from '../../src/guild-keys/guild-key-store.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { CHILD_ENV } from './service-process.ts';

const COMMAND = join(import.meta.dirname, '../../scripts/key.ts');
const GUILD = '123456789012345678';
const folder = await mkdtemp(join(tmpdir(), 'quartermaster-key-'));
const CLOSED = `sqlite://${folder}/file/store.sqlite`;
await writeFile(join(folder, 'file'), 'not a folder');
afterAll(() => rm(folder, { recursive: true }));

let stores = 0;
const newStore = () => `sqlite://${folder}/${(stores += 1)}/store.sqlite`;

/** Runs the command in this process. `runProcess` starts it as an operator does. */
async function run(storageUrl: string, ...args: string[]) {
  let [stdout, stderr] = ['', ''];
  const code = await runKeyCommand(args, {
    readStorageUrl: () => loadConfig({ STORAGE_URL: storageUrl }).storageUrl,
    writeOut: (text) => void (stdout += text),
    writeError: (text) => void (stderr += text),
  });
  return { stdout, stderr, code };
}

async function runProcess(storageUrl: string, ...args: string[]) {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd: folder,
    env: { ...CHILD_ENV, STORAGE_URL: storageUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { stdout, stderr, code };
}

const keyOf = (stdout: string) => {
  expect(stdout).toMatch(/^qm_[0-9A-Za-z]{16}_[0-9A-Za-z]{38}\n$/);
  return stdout.trim();
};

describe('npm run key', () => {
  test('makes, lists, rotates and revokes keys while the service runs, with immediate effect', async () => {
    const storageUrl = newStore();
    await using storage = await openStorage(storageUrl);
    let at = Date.now();
    const service = new GuildKeyStore(storage, { now: () => at });

    const created = await runProcess(
      storageUrl,
      'create',
      GUILD,
      '--name',
      'my bot',
      '--expires',
      '90',
      '--builder',
      'botghost',
    );
    expect(created.code).toBe(0);
    const key = keyOf(created.stdout);
    expect(created.stderr).toContain('my bot');
    expect(created.stderr).not.toContain(key);
    expect(await service.verify(key)).toMatchObject({
      name: 'my bot',
      flat: true,
      always200: true,
      guildId: GUILD,
    });
    const [entry] = await service.list(GUILD);
    expect(entry?.createdBy).toBe('cli');
    expect(entry?.expiresAt).toBe(entry!.createdAt + 90 * 86_400_000);

    const rotated = await run(storageUrl, 'rotate', GUILD, 'my bot', '--overlap', '1h');
    const newKey = keyOf(rotated.stdout);
    expect(rotated.code).toBe(0);
    expect(rotated.stderr).toMatch(/^The key \w{5} works until \d{4}-\d\d-\d\d \d\d:\d\d \(UTC\)\.$/m);
    at += 1_000;
    expect(await service.verify(newKey)).toMatchObject({ name: 'my bot' });
    expect(await service.verify(key)).toMatchObject({ name: 'my bot' });

    const listed = await run(storageUrl, 'list', GUILD);
    expect(listed).toMatchObject({ code: 0, stdout: '' });
    expect(listed.stderr).toMatch(/current .*"my bot"[\s\S]*replaced .*"my bot"/);

    const revoked = await runProcess(storageUrl, 'revoke', GUILD, newKey);
    expect(revoked).toMatchObject({ code: 0, stdout: '' });
    expect(revoked.stderr).not.toContain(newKey);
    // The older secret ends with it, and the command says so.
    expect(revoked.stderr.match(/ revoked +"my bot"/g)).toHaveLength(2);
    at += 5_000;
    await expect(service.verify(key)).rejects.toMatchObject({ code: 'key_revoked' });
    await expect(service.verify(newKey)).rejects.toMatchObject({ code: 'key_revoked' });
  });

  test('reports the end of a replaced key that would have expired sooner', async () => {
    const storageUrl = newStore();
    await using storage = await openStorage(storageUrl);
    const made = { guildId: GUILD, createdBy: '42', flat: false, always200: false } as const;
    const past = new GuildKeyStore(storage, { now: () => Date.now() - 30 * 86_400_000 + 90 * 60_000 });
    const { entry } = await past.create({ ...made, name: 'old', expiresInDays: 30 });
    const rotated = await run(storageUrl, 'rotate', GUILD, 'old', '--overlap', '7d');
    const end = new Date(entry.expiresAt!).toISOString().slice(0, 16).replace('T', ' ');
    expect(rotated.stderr).toContain(`The key ${entry.keyId} works until ${end} (UTC).`);
    const ended = await run(storageUrl, 'rotate', GUILD, 'old', '--overlap', 'now', '--end-older');
    expect(ended.stderr).toMatch(/^The key \w{5} has ended\.$/m);
  });

  test('finds a key by name, whatever its case and blanks around it', async () => {
    const storageUrl = newStore();
    await run(storageUrl, 'create', GUILD, '--name', 'My Bot');
    const taken = await run(storageUrl, 'create', GUILD, '--name', 'my bot');
    expect(taken).toMatchObject({ code: 1, stdout: '' });
    expect((await run(storageUrl, 'rotate', GUILD, ' my bot')).code).toBe(0);
    expect((await run(storageUrl, 'revoke', GUILD, 'MY BOT')).code).toBe(0);
  });

  test('ends an older secret early only on request', async () => {
    const storageUrl = newStore();
    await using storage = await openStorage(storageUrl);
    const first = keyOf((await run(storageUrl, 'create', GUILD, '--name', 'bot')).stdout);
    await run(storageUrl, 'rotate', GUILD, 'bot', '--overlap', '1h');
    const refused = await run(storageUrl, 'rotate', GUILD, 'bot');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^This would end the older key qm_\w{16}, which still works until \d{4}-\d\d-\d\d \d\d:\d\d \(UTC\)\.\nAdd --end-older to do it\.$/m,
    );
    await new GuildKeyStore(storage).verify(first);
    const done = await run(storageUrl, 'rotate', GUILD, 'bot', '--end-older');
    keyOf(done.stdout);
    expect(done.stderr).toMatch(/^The older key \w{5} has ended\.$/m);
    await expect(new GuildKeyStore(storage).verify(first)).rejects.toMatchObject({ code: 'key_revoked' });
  });

  test('limits a key to operations, and remembers the builder', async () => {
    const storageUrl = newStore();
    await using storage = await openStorage(storageUrl);
    const create = (name: string, ...more: string[]) =>
      run(storageUrl, 'create', GUILD, '--name', name, ...more);
    const some = await create('some', '--operations', 'text-splitter,parse-args', '--builder', 'bdfd');
    expect(some.stderr).toContain('for BDFD, only parse-args, text-splitter');
    await create('most', '--operations', 'all-but-members');
    await create('all', '--operations', 'all');
    const entries = await new GuildKeyStore(storage).list(GUILD);
    expect(entries.map(({ operations, builder }) => [builder, operations?.includes('role-members')])).toEqual(
      [
        [null, undefined],
        [null, false],
        ['bdfd', false],
      ],
    );
    expect(entries[2]?.operations).toEqual(['parse-args', 'text-splitter']);
    const unknown = await create('none', '--operations', 'parse');
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('Unknown operation "parse".');
  });

  test('picks a free name if none is given, and makes keys that belong to no server', async () => {
    const storageUrl = newStore();
    const [first, second] = [await run(storageUrl, 'create', '0'), await run(storageUrl, 'create', '0')];
    await using storage = await openStorage(storageUrl);
    const keys = new GuildKeyStore(storage);
    expect(await keys.verify(keyOf(first.stdout))).toMatchObject({ guildId: null, name: 'cli' });
    expect(await keys.verify(keyOf(second.stdout))).toMatchObject({ guildId: null, name: 'cli 2' });
  });

  test.each([
    ['another command', ['frobnicate', GUILD]],
    ['no guild', ['create']],
    ['a guild that is no id', ['create', 'my-server']],
    ['a guild that cannot be', ['create', '5']],
    ['an expiry that there is not', ['create', GUILD, '--expires', '7']],
    ['a builder that there is not', ['create', GUILD, '--builder', 'toString']],
    ['an option of another command', ['list', GUILD, '--name', 'x']],
    ['an option that there is not', ['create', GUILD, '--nmae', 'x']],
    ['an option without its value', ['create', GUILD, '--name']],
    ['too much', ['create', GUILD, 'my', 'bot']],
    ['no key', ['revoke', GUILD]],
    ['an overlap that there is not', ['rotate', GUILD, 'x', '--overlap', '2h']],
  ])('explains %s, mentions --help, exits with 2, and opens no storage', async (_, args) => {
    const result = await run(CLOSED, ...args);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain('key -- --help');
    expect(result.stderr).not.toContain('Usage: npm run');
    // Long lines of text would hide the sentence that says what is wrong.
    expect(result.stderr.trim().split('\n').length).toBeLessThanOrEqual(3);
  });

  test('gives a process the same output and exit code for a command that is misunderstood', async () => {
    const args = ['create', '5'];
    expect(await runProcess(CLOSED, ...args)).toEqual(await run(CLOSED, ...args));
  });

  test.each([
    [2, []],
    [0, ['--help']],
    [0, ['-h']],
    [0, ['help']],
    [0, ['create', '--help']],
  ])('prints its usage on request, exit %i: %j', async (code, args) => {
    const result = await run(CLOSED, ...args);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toContain('Usage: npm run');
  });

  test.each([
    ['a key that there is not', newStore(), ['revoke', GUILD, 'nope'], 'This server has no key "nope".'],
    [
      'a name that is too long',
      newStore(),
      ['create', GUILD, '--name', 'x'.repeat(33)],
      '1 to 32 visible characters',
    ],
    ['a store that cannot be opened', CLOSED, ['list', GUILD], 'cannot be opened'],
    ['a store that only the service sees', 'memory:', ['list', GUILD], 'STORAGE_URL is memory:'],
    ['a setting that cannot be used', 'mysql://localhost', ['list', GUILD], 'STORAGE_URL must be'],
  ])('prints one sentence about %s and exits with 1', async (_, storageUrl, args, sentence) => {
    const result = await run(storageUrl, ...args);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain(sentence);
    expect(result.stderr).not.toContain('    at ');
  });
});
