import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

import { GuildKeyStore } from '../../src/guild-keys/guild-key-store.ts';
import { openStorage } from '../../src/storage/storage.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * Called when the test has ended. No hook of this module: files that share a process share the module, and its hooks
 * would be those of the first file alone.
 */
export function afterTest(cleanup: () => void): void {
  onTestFinished(cleanup);
}

export function newFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'quartermaster-process-'));
  afterTest(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What a child process inherits from the tests. Nothing here is a setting of the service. */
export const CHILD_ENV: Readonly<Record<string, string>> = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE'].map((name) => [name, process.env[name] ?? '']),
);

/**
 * @param command of npm, a unit or a panel, called from an empty folder
 * @param options `detached` makes it the leader of a group of its own
 */
export function startWith(
  command: readonly string[],
  env: Record<string, string> = {},
  options: { readonly detached?: boolean } = {},
) {
  return watch(command, env, newFolder(), options);
}

/** The service as its operator starts it, in an empty folder. */
export function startProcess(
  env: Record<string, string> = {},
  folder = newFolder(),
  nodeOptions: readonly string[] = [],
) {
  return watch([process.execPath, ...nodeOptions, path.join(ROOT, 'src/main.ts')], env, folder);
}

/** The same in front of a terminal, whose lines end with both characters; a signal reaches only the terminal. */
export function startInTerminal(env: Record<string, string> = {}, nodeOptions: readonly string[] = []) {
  const service = [process.execPath, ...nodeOptions, path.join(ROOT, 'src/main.ts')];
  const command = `exec ${service.map((word) => `'${word}'`).join(' ')}`;
  return watch(
    ['script', '--quiet', '--flush', '--return', '--command', command, '/dev/null'],
    env,
    newFolder(),
  );
}

export const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

/** A port that another program holds until the end of the test. */
export async function takenPort(): Promise<string> {
  const other = net.createServer().listen(0, '127.0.0.1');
  afterTest(() => other.close());
  await once(other, 'listening');
  return String((other.address() as net.AddressInfo).port);
}

/** What a start says about a port that is taken. */
export const portInUse = (port: string) =>
  `Quartermaster could not be started: PORT ${port} is in use by another program on 127.0.0.1: set PORT to another port.`;

/** The lines that say why a start failed, in whatever stream. */
export function saidOf({ output }: ReturnType<typeof watch>): string[] {
  const lines = (output.stdout + output.stderr).replaceAll('\r', '').split('\n');
  return lines.filter((line) => /PORT|could not|fatal/i.test(line));
}

/** A key of the storage at this address, as `npm run key` makes it. */
export async function makeKey(storageUrl: string): Promise<string> {
  await using storage = await openStorage(storageUrl);
  const { key } = await new GuildKeyStore(storage).create({
    guildId: '0',
    name: 'test',
    createdBy: 'cli',
    expiresInDays: null,
    flat: false,
    always200: false,
  });
  return key;
}

function watch(
  [file = '', ...args]: readonly string[],
  env: Record<string, string>,
  folder: string,
  options: { readonly detached?: boolean } = {},
) {
  const child = spawn(file, args, {
    ...options,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...CHILD_ENV, PORT: '0', ...env },
  });
  afterTest(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  // Only then is everything here that it has written.
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const moreOutput = async () => {
    const ended = await Promise.race([once(child.stdout, 'data').then(() => false), exited.then(() => true)]);
    if (ended) throw new Error(`It ended before that: ${output.stderr}`);
  };
  return {
    child,
    folder,
    output,
    exited,
    /** Waits for a line of the log that holds this text. */
    async line(text: string): Promise<void> {
      while (!output.stdout.includes(text)) await moreOutput();
    },
    /** The port of the line that says that it is ready. */
    async ready(): Promise<number> {
      for (;;) {
        const [, json, readable] =
          /"port":(\d+).*"msg":"ready"|ready.*"port":(\d+)/.exec(output.stdout) ?? [];
        const port = json ?? readable;
        if (port !== undefined) return Number(port);
        await moreOutput();
      }
    },
  };
}
