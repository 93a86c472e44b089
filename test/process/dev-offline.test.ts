import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { OPERATIONS } from '../../src/operations/index.ts';

const run = promisify(execFile);

const HAS_CURL = spawnSync('curl', ['--version']).status === 0;

test.skipIf(!HAS_CURL)(
  'lines that are printed work when pasted, and commands on standard input are answered',
  async () => {
    const child = spawn(process.execPath, ['scripts/dev-offline.ts'], {
      env: { ...process.env, PORT: '0', LOG_LEVEL: 'warn' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    try {
      const shown: string[] = [];
      const lines = createInterface({ input: child.stdout });
      lines.on('line', (line) => shown.push(line));
      const ended = once(child, 'close');
      while (!shown.some((line) => line.includes('The role Blue is'))) {
        await Promise.race([once(lines, 'line'), ended]);
        expect(child.exitCode).toBeNull();
      }

      const curls = shown.filter((line) => line.startsWith('curl '));
      expect(curls.length).toBeGreaterThanOrEqual(OPERATIONS.length);
      const answers = await Promise.all(
        curls.map(async (line) => (await run('/bin/sh', ['-c', `${line} -w ' %{http_code}'`])).stdout),
      );
      expect(answers.filter((answer) => !/^\{"ok":true,.*\} 200$/s.test(answer))).toEqual([]);

      const many = '/permissions decode bitfield:8\n'.repeat(21);
      const typed = '/settings key create name:demo\nclick Saved it\n/nonsense\nhelp\n';
      const german =
        '/nothing\n/permissions decode bitfield:0\ntype /settings key create operations:Alle O\n';
      child.stdin.end(`${typed}${many}language de\n${german}language xx\n`);
      const [code] = await ended;
      expect(code).toBe(0);
      const text = shown.join('\n');
      expect(text).toContain('Key `demo` created');
      expect(text).toContain('The key is no longer shown');
      expect(text).toContain('! There is no command /nonsense.');
      expect(text).toMatch(/^\/parse text: \[/m);
      expect(text).toMatch(/^\/settings key create /m);
      expect(text).toMatch(/^menu Split text:$/m);
      expect(text).not.toContain('very often');
      expect(text).toContain('0 Berechtigungen');
      expect(text).toContain('Alle Operationen  (all)');
      expect(text).toContain('! Discord has no language "xx"');
    } finally {
      child.kill('SIGKILL');
    }
  },
);

test('in the background, without anybody at the prompt, it goes on until it is ended', async () => {
  const child = spawn(process.execPath, ['scripts/dev-offline.ts'], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const ended = once(child, 'close');
    let shown = '';
    for await (const line of createInterface({ input: child.stdout })) {
      shown += `${line}\n`;
      if (line.includes('stop it with')) break;
    }
    const [, url = ''] = /^Documents: (\S+)$/m.exec(shown) ?? [];
    expect((await fetch(url)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});
