import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

import { findFreePort } from '../fixtures/free-port.ts';
import { POLL } from '../fixtures/poll.ts';
import { isProgramMissing } from '../fixtures/programs.ts';
import { afterTest, CHILD_ENV, newFolder } from './service-process.ts';

const isWithoutPipes = isProgramMissing('mkfifo');

const MAIN = path.resolve(import.meta.dirname, '../../src/main.ts');

/** A pipe that is full, and that nobody reads. @returns its end for writing */
function openFullPipe(folder: string): number {
  const pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const own = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  const end = openSync(pipe, 'w');
  afterTest(() => [own, end].forEach((descriptor) => closeSync(descriptor)));
  for (const bytes of [4096, 1]) {
    try {
      for (;;) writeSync(own, Buffer.alloc(bytes, '.'));
    } catch (error) {
      // Full for pieces of this size.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
  return end;
}

test.skipIf(isWithoutPipes).each([
  ['one signal', ['SIGTERM'], 0],
  ['a second signal, which means now', ['SIGTERM', 'SIGINT'], 1],
] as const)('the service ends on %s even if its log is not read', async (_name, signals, code) => {
  const folder = newFolder();
  const port = await findFreePort();
  const child = spawn(process.execPath, [MAIN], {
    cwd: folder,
    stdio: ['ignore', openFullPipe(folder), 'ignore'],
    env: { ...CHILD_ENV, PORT: String(port), STORAGE_URL: 'memory:', LOG_LEVEL: 'debug' },
  });
  afterTest(() => child.kill('SIGKILL'));
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isUp, POLL).toBe(true);
  const exited = once(child, 'exit');
  for (const signal of signals) child.kill(signal);
  expect(await exited).toEqual([code, null]);
});

test.skipIf(isWithoutPipes)(
  'the log keeps 8 MiB of unread lines, drops the others and counts them',
  async () => {
    const log = path.resolve(import.meta.dirname, '../../src/telemetry/log.ts');
    const script = `
    const { createLog } = await import(${JSON.stringify(log)});
    const log = createLog('info');
    for (let n = 0; n < 20_000; n += 1) log.info('.'.repeat(1_000));
    process.stderr.write(JSON.stringify(log.counts));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', openFullPipe(newFolder()), 'pipe'],
    });
    afterTest(() => child.kill('SIGKILL'));
    const [said] = (await once(child.stderr!, 'data')) as [Buffer];
    const { dropped } = JSON.parse(said.toString()) as { dropped: number };
    const lineBytes = 1_070;
    expect(dropped).toBeGreaterThan(20_000 - (8 * 1024 * 1024) / 1_000);
    expect(dropped).toBeLessThan(20_000 - (8 * 1024 * 1024) / lineBytes + 100);
  },
);
