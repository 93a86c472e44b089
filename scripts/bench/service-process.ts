import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { GuildKeyStore } from '../../src/guild-keys/guild-key-store.ts';
import { openStorage } from '../../src/storage/storage.ts';

export interface ServiceProcess {
  readonly url: string;
  readonly key: string;
  /** A key of another guild. */
  readonly otherKey: string;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

const POLL_MS = 2;
const ROOT = path.resolve(import.meta.dirname, '../..');

/** The service as a process of its own, with a key of a guild, its log in a file and limits out of the way. */
export async function startService(env: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'quartermaster-bench-'));
  const storageUrl = `sqlite://${path.join(folder, 'bench.sqlite')}`;
  const storage = await openStorage(storageUrl);
  const keys = new GuildKeyStore(storage);
  const settings = {
    name: 'bench',
    createdBy: 'cli',
    expiresInDays: null,
    flat: false,
    always200: false,
  } as const;
  const { key } = await keys.create({ guildId: '987654321098765432', ...settings });
  const { key: otherKey } = await keys.create({ guildId: '876543210987654321', ...settings });
  await storage.close();

  const port = await findFreePort();
  const log = openSync(path.join(folder, 'service.log'), 'w');
  // As `npm start` does it.
  const child = spawn(process.execPath, ['scripts/start.js'], {
    cwd: ROOT,
    stdio: ['ignore', log, 'inherit'],
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      STORAGE_URL: storageUrl,
      RATE_LIMIT: '1000000000',
      IMAGE_RATE_LIMIT: '1000000000',
      ...env,
    },
  });
  closeSync(log);
  const url = `http://127.0.0.1:${port}`;
  await waitForAnswer(`${url}/health/live`, child);
  return {
    url,
    key,
    otherKey,
    process: child,
    async stop() {
      await stopProcess(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exited;
}

export function waitForAnswer(url: string, child: ChildProcess): Promise<void> {
  return waitUntil(child, () =>
    fetch(url).then(
      (response) => response.arrayBuffer().then(() => true),
      () => false,
    ),
  );
}

/** Until somebody listens on the port. */
export function waitForPort(port: number, child: ChildProcess): Promise<void> {
  return waitUntil(child, () => {
    const socket = net.connect(port, '127.0.0.1');
    return once(socket, 'connect')
      .then(
        () => true,
        () => false,
      )
      .finally(() => socket.destroy());
  });
}

async function waitUntil(child: ChildProcess, isUp: () => Promise<boolean>): Promise<void> {
  for (;;) {
    if (child.exitCode !== null)
      throw new Error(`The process ended with ${child.exitCode} before it was up.`);
    if (await isUp()) return;
    // A loop without a pause would take the processor from the process that it waits for.
    await delay(POLL_MS);
  }
}

export async function findFreePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
