import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { OPERATIONS } from '../../src/operations/index.ts';
import { isProgramMissing } from '../fixtures/programs.ts';

const run = promisify(execFile);

test.skipIf(isProgramMissing('curl'))(
  'dev:offline prints calls that work when pasted, and answers commands on standard input',
  async () => {
    const child = spawn(process.execPath, ['scripts/dev-offline.ts'], {
      env: { ...process.env, PORT: '0' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    try {
      const shown: string[] = [];
      const lines = createInterface({ input: child.stdout });
      lines.on('line', (line) => shown.push(line));
      const ended = once(child, 'close');
      const waitFor = async (words: string) => {
        while (!shown.some((line) => line.includes(words))) {
          await Promise.race([once(lines, 'line'), ended]);
          expect(child.exitCode).toBeNull();
        }
      };
      await waitFor('The role Blue is');
      // Nothing to be puzzled about, and few lines to choose from.
      expect(shown.filter((line) => line.startsWith('{'))).toEqual([]);
      expect(shown.filter((line) => line.startsWith('curl '))).toHaveLength(3);

      child.stdin.write('curl\n# all of them\nmenu Split text: one two\n');
      await waitFor('saved as');
      const curls = [...new Set(shown.filter((line) => line.startsWith('curl ')))];
      expect(curls.length).toBeGreaterThanOrEqual(OPERATIONS.length);
      // A URL without fields ends with its path.
      expect(curls.filter((line) => /\?(?:'|\s|$)/.test(line))).toEqual([]);
      const [, saved = ''] = /\[file \S+, [\d,]+ bytes, saved as (\S+)\]/.exec(shown.join('\n')) ?? [];
      expect(readFileSync(saved, 'utf8')).toBe('one two');
      const answers = await Promise.all(
        curls.map(async (line) => (await run('/bin/sh', ['-c', `${line} -w ' %{http_code}'`])).stdout),
      );
      expect(answers.filter((answer) => !/^\{"ok":true,.*\} 200$/s.test(answer))).toEqual([]);

      const many = '/permissions decode bitfield:8\n'.repeat(21);
      const choices = 'type /settings key create builder:bot\ntype /settings key create name:x\n';
      const places =
        'in elsewhere\nas admin\n/settings usage\nin dm\n/settings help\nin guild\n/permissions\n/role-members role:Red\n/role-members role:400000000000000000\n';
      const listed =
        '/settings key create name:short expires:30 days\n/settings key create name:odd expires:soon\n/settings key rotate name:short old_key:\n';
      const typed = `${listed}/settings key create name:demo\nclick Saved it\n/parse text:!ban 7d x timestamps:true\nclick As JSON\n/nonsense\nhelp\n${choices}${places}`;
      const german =
        '/nothing\n/permissions decode bitfield:0\ntype /settings key create operations:Alle O\n';
      child.stdin.end(
        `${typed}${many}language de\n${german}help\n/berechtigungen dekodieren bitfeld:8\nmenu Text aufteilen: eins zwei\nlanguage xx\n`,
      );
      const [code] = await ended;
      expect(code).toBe(0);
      const text = shown.join('\n');
      expect(existsSync(saved)).toBe(false);
      // As a user sees them, and in code as the API says them.
      expect(text).toMatch(/^-# \/settings key list shows and manages keys/m);
      expect(text).toMatch(/^\*\*Time\*\* 7 days, until \w+ \d+, \d+/m);
      expect(text).toMatch(/"until_markdown": "<t:\d+:\w>/);
      expect(text).toMatch(/^@member1 @member101 /m);
      expect(text).toMatch(/^\*?.*@Blue$/m);
      expect(text).toContain('Key `demo` created');
      expect(text).toContain('Key `short` created');
      expect(text).toMatch(/! "soon" is none of the choices of expires: .*30 days \(30\)/);
      expect(text).toContain('New key for `short`');
      expect(text).toContain('The key is no longer shown');
      expect(text).toContain('! There is no command /nonsense.');
      expect(text).toContain('BotGhost  (botghost)');
      expect(text).toContain('! Nothing is suggested for name.');
      expect(text).toContain('! Discord does not show settings usage in a server without the bot.');
      expect(text).toContain('! Discord does not show settings help in direct messages.');
      expect(text).toContain('! There is no role Red to choose.');
      expect(text).not.toContain('You need');
      expect(text).toContain('/permissions decode');
      expect(text).not.toContain('our side');
      expect(text).toMatch(/^\/parse text: \[/m);
      expect(text).toMatch(/^\/settings key create /m);
      expect(text).toMatch(/^menu Split text:$/m);
      expect(text).not.toContain('very often');
      expect(text).toContain('0 Berechtigungen');
      expect(text).toMatch(/^\/berechtigungen dekodieren bitfeld: \[vergleich:\]$/m);
      expect(text).toMatch(/^menu Text aufteilen:$/m);
      expect(text).toContain('1 Berechtigung');
      expect(text).toContain('eins zwei');
      expect(text).toContain('Alle Operationen  (all)');
      expect(text).toContain('! Discord has no language "xx"');
    } finally {
      child.kill('SIGKILL');
    }
  },
);

test('dev:offline runs in the background until it is ended', async () => {
  const child = spawn(process.execPath, ['scripts/dev-offline.ts'], {
    env: { ...process.env, PORT: '0' },
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
