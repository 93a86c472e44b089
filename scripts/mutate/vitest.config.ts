import { defineConfig } from 'vitest/config';

import { POLL } from '../../test/fixtures/poll.ts';

/** Run by Stryker in a copy of the project; run.ts names the tests. */
export default defineConfig({
  test: {
    include: JSON.parse(process.env['MUTATE_TESTS'] ?? '[]') as string[],
    isolate: false,
    testTimeout: 60_000,
    expect: { poll: POLL },
  },
});
