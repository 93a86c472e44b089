import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

const run = promisify(execFile);

test('files reach Discord, in whatever order the modules were loaded', async () => {
  const child = path.join(import.meta.dirname, 'discord-upload-child.ts');
  // Its bodies are those of other tests, and compiling Discord's document takes longer than the rest.
  const env = { ...process.env, DISCORD_OPENAPI: '' };
  const { stdout } = await run(process.execPath, [child], { env });
  expect(stdout).toBe('parse-args.json true\nchunks.txt true\n');
});
