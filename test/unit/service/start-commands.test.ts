import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

/**
 * Without the first, V8 lets so much short-lived memory pile up that images of 8 MiB take half as much memory again.
 * Without the second, the heap may grow to four times what is in use before V8 cleans it up. Without the third, V8
 * wakes helper threads for each of the many small collections, which takes more processor time than they save. Without
 * the next two, a start collects garbage many times while hardly anything is garbage yet. Without the last, the heap is
 * not made smaller while there is nothing to do.
 */
const V8_FLAGS = [
  '--max-semi-space-size=8',
  '--heap-growing-percent=30',
  '--no-parallel-scavenge',
  '--min-semi-space-size=4',
  '--initial-old-space-size=32',
  '--expose-gc',
];

/** Without it, glibc puts ever larger buffers among small ones, from where their memory does not go back. */
const MALLOC = 'MALLOC_MMAP_THRESHOLD_=131072';

test('scripts/start starts the service with our flags of V8, and with the compile cache', () => {
  const script = read('scripts/start');
  const [command = ''] = /^exec node (?:.*\\\n)*.*$/m.exec(script) ?? [];
  const flags = [...V8_FLAGS, '--import ./scripts/preflight.js'];
  expect(flags.filter((flag) => !command.includes(flag))).toEqual([]);
  expect(script).toContain(`export ${MALLOC}`);
});

test.each([
  ['package.json', '"start": "exec ./scripts/start"'],
  ['deploy/Containerfile', 'CMD ["./scripts/start"]'],
  ['deploy/quartermaster.service', 'ExecStart=/opt/quartermaster/scripts/start'],
  ['deploy/pterodactyl-egg.json', '"startup": "HOST=0.0.0.0 PORT={{SERVER_PORT}} exec ./scripts/start"'],
])('%s starts the service with scripts/start and nothing else', (file, start) => {
  const lines = read(file)
    .split('\n')
    .map((line) => line.trim().replace(/,$/, ''));
  expect(lines).toContain(start);
  expect(lines.filter((line) => line.includes('main.ts'))).toEqual([]);
});

test('no start loads the fetch of Node, which comes with an import of node:http', () => {
  const probe = `await import('./src/app/app.ts'); console.log(process.moduleLoadList.filter((name) => name.endsWith('/undici')))`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', probe], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(printed).toBe('[]\n');
});
