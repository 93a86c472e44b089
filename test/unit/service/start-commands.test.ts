import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

/** Lines that start the service for good: not those that only name its main file. */
const startsService = (line: string) => /^\s*"start":|^CMD |^ExecStart=|\bnode src\/main\.ts$/.test(line);

/** Without it V8 lets so much of what dies young pile up that images of 8 MiB take half as much memory again. */
const YOUNG_GENERATION = '--max-semi-space-size=8';

test.each(['package.json', 'deploy/Containerfile', 'deploy/quartermaster.service'])(
  '%s starts the service with the bound on young objects',
  (file) => {
    const lines = read(file).split('\n').filter(startsService);
    expect(lines).not.toEqual([]);
    expect(lines.filter((line) => !line.includes(YOUNG_GENERATION))).toEqual([]);
  },
);

test('no start loads the fetch of Node, which comes with an import of node:http', () => {
  const probe = `await import('./src/app/app.ts'); console.log(process.moduleLoadList.filter((name) => name.endsWith('/undici')))`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', probe], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(printed).toBe('[]\n');
});
