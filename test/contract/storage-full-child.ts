import { Problem } from '../../src/kernel/problem.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { limitFileSize } from '../fixtures/file-size-limit.ts';

// Its default would end the process; a real full disk sends no signal.
process.on('SIGXFSZ', () => {});

await using storage = await openStorage(process.argv[2] ?? '');
const texts = storage.namespace('test_outage', (value): value is string => typeof value === 'string');

limitFileSize(process.pid, '65536');
const failed = await texts.set('large', 'x'.repeat(200_000)).then(
  () => ['it worked'],
  (error: unknown) => (error instanceof Problem ? [error.code, error.status] : [String(error)]),
);
const read = await texts.get('kept');
limitFileSize(process.pid, 'unlimited');
await texts.update('kept', () => 'next');
process.stdout.write(JSON.stringify({ failed, read, recovered: await texts.get('kept') }));
