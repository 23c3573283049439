import { join } from 'node:path';
import { requestFacts } from '../../src/main/approvals/request-facts.js';
import { createClock } from '../../src/main/approvals/clock.js';
import { createGrantStore } from '../../src/main/approvals/grants.js';
import { START, requestOf, tempDir } from './support.js';

export const asked = (wanted: Parameters<typeof requestOf>[0] = {}) => requestFacts(requestOf(wanted));
export const rules = { remembered: false, grants: true };

/** Grants on disk, at a clock the test moves. */
export function store(dir = tempDir()) {
  const time = { now: START };
  const failures: unknown[] = [];
  const file = join(dir, 'grants.json');
  const open = () =>
    createGrantStore({ file, clock: createClock(() => time.now, () => 0), log: (thrown) => failures.push(thrown) }); // prettier-ignore
  return { time, file, failures, open, grants: open() };
}

export function createOne() {
  return store().grants.add('always', asked());
}
