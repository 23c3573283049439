import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.js';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    globalSetup: ['test/support/built-page.ts', 'test/support/seed.ts', 'test/support/stand-in-addons.ts'],
    setupFiles: ['test/support/property-tests.ts', 'test/support/electron/prime.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Conditions are waited for as long as a slow machine may take; a test's own limit is above this.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    // Readings of applications are many short-lived objects: with little room for them, a tenth of the time went into collecting them.
    execArgv: ['--max-semi-space-size=64', '--min-semi-space-size=32'],
    // Nothing of the product lives in modules, so files may share them; loading them anew for each took minutes of a run.
    isolate: false,
    // One more than a small machine has cores: workers wait for applications and other processes about half of their time.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
  },
});
