import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

test.each([
  ['package.json', '"start": "exec node --max-semi-space-size=8 scripts/start.js"'],
  ['Dockerfile', 'CMD ["node", "--max-semi-space-size=8", "scripts/start.js"]'],
  [
    'deploy/quartermaster.service',
    'ExecStart=/usr/bin/env node --max-semi-space-size=8 /opt/quartermaster/scripts/start.js',
  ],
  [
    'deploy/pterodactyl-egg.json',
    '"startup": "env HOST=0.0.0.0 PORT={{SERVER_PORT}} node --max-semi-space-size=8 scripts/start.js"',
  ],
])('%s starts the service with scripts/start.js and small young generations of the heap', (file, start) => {
  const lines = read(file)
    .split('\n')
    .map((line) => line.trim().replace(/,$/, ''));
  expect(lines).toContain(start);
  expect(lines.filter((line) => line.includes('main.ts'))).toEqual([]);
});
