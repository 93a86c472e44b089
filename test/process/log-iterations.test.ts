import { execFileSync } from 'node:child_process';
import path from 'node:path';

import { expect, test } from 'vitest';

const LOG = JSON.stringify(path.resolve(import.meta.dirname, '../../src/telemetry/log.ts'));

test('the lines of one iteration of the event loop are written together and in order; a flush writes them earlier', () => {
  const script = `
    import fs from 'node:fs';
    const { createLog, flushLog } = await import(${LOG});
    let writes = 0;
    const write = fs.write;
    fs.write = (...args) => {
      writes += 1;
      return write(...args);
    };
    const log = createLog('info');
    for (let n = 0; n < 100; n += 1) log.info(String(n));
    await flushLog(log);
    log.info(writes + ' write');
    await flushLog(log);`;
  const args = ['--input-type=module', '-e', script];
  const lines = execFileSync(process.execPath, args, { encoding: 'utf8' }).trimEnd().split('\n');
  const said = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(said).toEqual([...Array.from({ length: 100 }, (_, n) => String(n)), '1 write']);
});
