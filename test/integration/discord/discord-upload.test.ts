import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

const run = promisify(execFile);

test('files reach Discord, in whatever order the modules were loaded', async () => {
  const child = path.join(import.meta.dirname, 'discord-upload-child.ts');
  const { stdout } = await run(process.execPath, [child]);
  expect(stdout).toBe('parse-args.json true\nchunks.txt true\n');
});
