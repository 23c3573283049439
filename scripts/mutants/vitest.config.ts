import { defineConfig } from 'vitest/config';

/** As the suite's, without the built page: the tests that notice the faults need none. */
export default defineConfig({
  root: process.cwd(),
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/seed.ts',
    setupFiles: 'test/support/property-tests.ts',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    isolate: false,
  },
});
