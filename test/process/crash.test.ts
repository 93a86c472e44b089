import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';

import { newFolder } from './service-process.ts';

const CHILD = path.join(import.meta.dirname, 'crash-child.ts');

describe('an uncaught error', () => {
  test.each([
    ['exception', 'uncaught exception'],
    ['unheard rejection', 'unhandled rejection'],
  ])('such as an %s ends the process with 1, after every line that was logged', async (kind, message) => {
    const child = spawn(process.execPath, [CHILD, kind], { stdio: ['ignore', 'pipe', 'pipe'] });
    const exited = once(child, 'exit');
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
    const lines = stdout.trim().split('\n');
    expect({ code, stderr, lines: lines.length }).toEqual({ code: 1, stderr: '', lines: 2_001 });
    expect(JSON.parse(lines[2_000]!)).toMatchObject({
      level: 'fatal',
      msg: message,
      err: { message: 'a fault', cause: { message: 'postgres://[secret]@db/keys' } },
    });
  });

  test('is the last line also where stdout is a file', async () => {
    const file = path.join(newFolder(), 'log');
    const descriptor = openSync(file, 'w');
    const child = spawn(process.execPath, [CHILD, 'exception'], { stdio: ['ignore', descriptor, 'ignore'] });
    closeSync(descriptor);
    expect(await once(child, 'exit')).toEqual([1, null]);
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    expect(lines).toHaveLength(2_001);
    expect(lines.at(-1)).toContain('"msg":"uncaught exception"');
  });

  test('ends the process also when its lines are no longer read', async () => {
    const child = spawn(process.execPath, [CHILD], { stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.destroy();
    expect(await once(child, 'exit')).toEqual([1, null]);
  });
});
