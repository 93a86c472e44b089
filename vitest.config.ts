import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

import { PATIENCE } from './test/fixtures/patience.ts';

const project = (name: string, testTimeoutMs: number) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout: testTimeoutMs,
    hookTimeout: testTimeoutMs,
  },
});

export default defineConfig({
  test: {
    // Many tests wait, for a child process or for a browser: two cores have work for three files at a time.
    maxWorkers: Math.max(3, availableParallelism()),
    // Files that run in one process share its modules: loading them for each file took a third of the time. A file
    // leaves nothing behind: no module keeps the state of a service, and no test replaces a module.
    isolate: false,
    expect: { poll: PATIENCE },
    projects: [
      project('unit', 60_000),
      project('contract', 30_000),
      project('integration', 30_000),
      project('process', 60_000),
      // The Discord double is itself tested, with real discord.js.
      project('simulator', 30_000),
    ],
  },
});
