import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

import { newFolder, ROOT } from './service-process.ts';

const BACKUPS = '/var/backups/quartermaster';
const page = readFileSync(path.join(ROOT, 'docs/operate.md'), 'utf8');
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);

/** What needs neither root nor Docker nor a service that runs: scripts of ours alone. */
const isOurs = (block: string) =>
  block.split('\n').every((line) => line === '' || /^(?:KEY=\$\()?npm run /.test(line));

const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** As npm runs it. Starting npm takes as long as the script, so only those lines ask it whose output is used. */
const withoutNpm = (block: string) =>
  block.replaceAll(/^npm run --silent (\w+) --/gm, (_, name: string) => scripts[name]!.replace('exec ', ''));

test('the blocks of the page that need no server work when pasted in order', () => {
  const folder = newFolder();
  const pasted = blocks.filter(isOurs);
  expect(pasted.join('')).toContain('$(npm run ');
  expect(pasted.length).toBeGreaterThanOrEqual(2);
  const { status, stderr } = spawnSync('sh', ['-eu'], {
    cwd: ROOT,
    input: withoutNpm(pasted.join('')).replaceAll(BACKUPS, path.join(folder, 'backups')),
    encoding: 'utf8',
    env: {
      PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`,
      HOME: folder,
      STORAGE_URL: `sqlite://${path.join(folder, 'store.sqlite')}`,
    },
  });
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('rror')]);
});

const byFirstLine = blocks.map((block) => [block.split('\n')[0], block] as const);

test.each(byFirstLine)('a shell parses the block "%s"', (_, block) => {
  const { status, stderr } = spawnSync('sh', ['-n'], { input: block, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});

test.each(byFirstLine)('the block "%s" has no gap to fill in', (_, block) => {
  expect(block).not.toMatch(/<[a-z ]+>|…/);
});
