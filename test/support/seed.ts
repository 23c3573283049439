/** One seed for all property tests of a run, printed at its start; `CHAPERONE_SEED` repeats a run. */
import { randomInt } from 'node:crypto';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    seed: number;
  }
}

const MAX_SEED = 2 ** 31;

export default function setup(project: TestProject): void {
  const given = process.env['CHAPERONE_SEED'];
  const seed = given === undefined ? randomInt(MAX_SEED) : Number(given);
  if (!Number.isInteger(seed)) throw new Error(`CHAPERONE_SEED must be a whole number, not “${given}”.`);
  console.log(`property tests: CHAPERONE_SEED=${seed}`);
  project.provide('seed', seed);
}
