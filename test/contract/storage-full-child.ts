import { spawnSync } from 'node:child_process';

import { Problem } from '../../src/kernel/problem.ts';
import { openStorage } from '../../src/storage/storage.ts';

// A limit on the size of files is used in place of a full disk, because it can be lifted while the store is open.
const limitFileSize = (bytes: string) => {
  const { status, error } = spawnSync('prlimit', [
    '--pid',
    String(process.pid),
    `--fsize=${bytes}:unlimited`,
  ]);
  if (status !== 0) throw error ?? new Error('prlimit failed');
};
// Its default would end the process; a real full disk sends no signal.
process.on('SIGXFSZ', () => {});

await using storage = await openStorage(process.argv[2] ?? '');
const texts = storage.namespace('test_outage', (value): value is string => typeof value === 'string');

limitFileSize('65536');
const failed = await texts.set('large', 'x'.repeat(200_000)).then(
  () => ['it worked'],
  (error: unknown) => (error instanceof Problem ? [error.code, error.status] : [String(error)]),
);
const read = await texts.get('kept');
limitFileSize('unlimited');
await texts.update('kept', () => 'next');
process.stdout.write(JSON.stringify({ failed, read, recovered: await texts.get('kept') }));
