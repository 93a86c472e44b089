import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

import { Redis } from 'ioredis';

/** A Redis of a test's own, whose users and role it may change. */
export interface PrivateRedis extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  /** With all rights. */
  readonly admin: Redis;
}

/** Whether tests that need the program are left out. They never are with REQUIRE_SERVICES=1: there they fail. */
export function isRedisServerMissing(): boolean {
  if (process.env['REQUIRE_SERVICES'] === '1') return false;
  const isMissing = spawnSync('redis-server', ['--version']).status !== 0;
  if (isMissing)
    process.stderr.write('Skipped: tests on a Redis of their own, redis-server is not installed\n');
  return isMissing;
}

export async function startPrivateRedis(...args: readonly string[]): Promise<PrivateRedis> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'quartermaster-redis-'));
  const port = await findFreePort();
  const child = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder, ...args],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  let output = '';
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    output += chunk.toString();
    if (output.includes('Ready to accept connections')) break;
  }
  if (!output.includes('Ready to accept connections')) throw new Error(`redis-server ended: ${output}`);
  const admin = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: 1 });
  admin.on('error', () => undefined);
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    admin,
    async [Symbol.asyncDispose]() {
      admin.disconnect();
      child.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

async function findFreePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
