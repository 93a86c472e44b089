import { defineConfig } from 'vitest/config';

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
    projects: [
      project('unit', 60_000),
      project('contract', 30_000),
      project('integration', 30_000),
      project('process', 60_000),
      // The Discord double is itself tested, with real discord.js.
      { ...project('simulator', 30_000) },
    ],
  },
});
