import { existsSync, globSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');

test('a unit test is in the folder that the code has in src, or that scripts and fixtures have', () => {
  const folders = new Set(
    globSync('**/*.test.ts', { cwd: import.meta.dirname }).map((file) => path.dirname(file)),
  );
  expect(folders).toContain('operations/parse-args');
  const strays = [...folders].filter(
    (folder) => !['src', '.', 'test'].some((parent) => existsSync(path.join(ROOT, parent, folder))),
  );
  expect(strays.map((folder) => `test/unit/${folder}: there is no src/${folder}`)).toEqual([]);
});
