import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';

import { defineConfig } from 'vitest/config';

import { POLL } from './test/fixtures/poll.ts';
import { SkippedReporter } from './test/fixtures/skipped-reporter.ts';
import { SlowReporter } from './test/fixtures/slow-reporter.ts';

/** Only ends what hangs: a test takes longer by as much as the machine has other work. */
const TEST_TIMEOUT_MS = 120_000 * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());

export default defineConfig({
  test: {
    // In one project: each would start workers of its own, and load all modules once more.
    include: ['test/**/*.test.ts'],
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    reporters: ['default', new SkippedReporter(), new SlowReporter()],
    // Each worker loads and compiles all modules. On two cores, a third one took 30 s more processor time, and the run was
    // only 20 s shorter.
    maxWorkers: Math.max(2, availableParallelism()),
    // Files that run in one process share its modules: loading them for each file took a third of the time. A file
    // leaves nothing behind: no module keeps the state of a service, and no test replaces a module.
    isolate: false,
    // Node itself loads the files, as it does for the service. With Vite's loader, starting and transforming took a sixth
    // of the time of unit tests; it is for mocked modules and other languages, which are not here.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    runner: './test/fixtures/cached-test-runner.ts',
    // Child processes reuse what earlier ones compiled, as `npm start` does. Compiling is half of a start.
    env: { NODE_COMPILE_CACHE: path.join(import.meta.dirname, 'node_modules/.cache/compile') },
    expect: { poll: POLL },
  },
});
