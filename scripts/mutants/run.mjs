/** Runs the test of each fault, all in one run of vitest: a fault is a project whose sources are changed while they are loaded. */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { createVitest } from 'vitest/node';
import { root } from '../lib/run.mjs';

/** Settings of the suite, without the built page: the tests that notice the faults need none. */
const SETTINGS = {
  include: ['test/**/*.test.ts'],
  setupFiles: ['test/support/property-tests.ts', 'test/support/electron/prime.ts'],
  testTimeout: 60_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
  pool: 'forks',
  isolate: false,
  maxWorkers: 2,
};

/**
 * Resolves with the full names of the tests that failed, that passed and that this machine skips, for each fault. `change` gives the
 * source with the fault in it; only tests whose full name has `fails` in it run.
 */
export async function runFaults(mutants, change) {
  const seed = randomInt(2 ** 31);
  const options = { config: false, root, watch: false, cache: false, reporters: [{}], projects: [] };
  const vitest = await createVitest('test', {
    ...options,
    projects: mutants.map((mutant) => projectOf(mutant, change, seed)),
  });
  try {
    await vitest.standalone();
    const { testModules } = await vitest.runTestSpecifications(
      mutants.map((mutant) => specificationOf(vitest, mutant)),
    );
    return mutants.map((mutant) =>
      resultsOf(
        testModules.find(({ project }) => project.name === mutant.name),
        mutant,
      ),
    );
  } finally {
    await vitest.close();
  }
}

function projectOf(mutant, change, seed) {
  const path = join(root, mutant.file);
  const transform = (source, id) => (id.split('?')[0] === path ? change(mutant, source) : null);
  return {
    root,
    plugins: [{ name: 'fault', enforce: 'pre', transform }],
    test: { ...SETTINGS, name: mutant.name, provide: { seed } },
  };
}

function specificationOf(vitest, { name, test, fails }) {
  const project = vitest.projects.find((each) => each.name === name);
  return project.createSpecification(join(root, test), { testNamePattern: new RegExp(escaped(fails)) });
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function resultsOf(module, { fails }) {
  const tests = [...(module?.children.allTests() ?? [])];
  const named = (state) => tests.filter((test) => test.result().state === state).map(({ fullName }) => fullName);
  // A test whose hook threw counts as skipped too; its mode tells that it was to run.
  const skips = (test) => test.options.mode === 'skip' && test.fullName.replaceAll(' > ', ' ').includes(fails);
  const thrown = tests.flatMap((test) => test.result().errors ?? []);
  return {
    failed: named('failed'),
    passed: named('passed'),
    skipped: tests.filter(skips).map(({ fullName }) => fullName),
    errors: [...(module?.errors() ?? []), ...thrown].map(({ message }) => message),
  };
}
