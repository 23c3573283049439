/** When lines of the log are written, by a clock of the test's own. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AuditEntry } from '../../src/main/evidence/audit-entries.js';
import { createLineQueue } from '../../src/main/evidence/audit-log.js';

const nobody = { keyId: null, link: null, askedBy: null, browser: null, decision: null, note: null };
const LINE: AuditEntry = { kind: 'pairing', at: '2026-01-01T00:00:00.000Z', event: 'reset', ...nobody };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function scene() {
  const batches: AuditEntry[][] = [];
  const queue = createLineQueue({
    path: '/log',
    async write(batch) {
      batches.push(batch.map(({ entry }) => entry));
      return batch.map((_, offset) => ({ offset, bytes: 0, hash: '' }));
    },
    onWritten: () => 1,
    onDelayed: () => undefined,
  });
  const add = (deferred: boolean) => void queue.add(LINE, { deferred });
  return { add, sizes: () => batches.map(({ length }) => length) };
}

it('[req:DS-8-12] lines that nobody waits for are written together, 50 ms after the first', async () => {
  const { add, sizes } = scene();
  add(true);
  await vi.advanceTimersByTimeAsync(30);
  add(true);
  add(true);
  await vi.advanceTimersByTimeAsync(19);
  expect(sizes()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sizes()).toEqual([3]);
});

it('[req:DS-8-12] a line that somebody waits for is written at once, with all before it', async () => {
  const { add, sizes } = scene();
  add(true);
  add(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(sizes()).toEqual([2]);
});
