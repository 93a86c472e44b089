import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

import { PATIENCE } from './test/fixtures/patience.ts';
import { SkippedReporter } from './test/fixtures/skipped-reporter.ts';

/** Only ends what hangs: on a machine that does other things too, a test takes ten times as long as on an idle one. */
const TEST_TIMEOUT_MS = 120_000;

const project = (name: string) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
  },
});

export default defineConfig({
  test: {
    reporters: ['default', new SkippedReporter()],
    // Many tests wait, for a child process or for a browser: two cores have work for three files at a time.
    maxWorkers: Math.max(3, availableParallelism()),
    // Files that run in one process share its modules: loading them for each file took a third of the time. A file
    // leaves nothing behind: no module keeps the state of a service, and no test replaces a module.
    isolate: false,
    expect: { poll: PATIENCE },
    projects: [
      project('unit'),
      project('contract'),
      project('integration'),
      project('process'),
      // The Discord double is itself tested, with real discord.js.
      project('simulator'),
    ],
  },
});
