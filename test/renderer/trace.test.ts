import { expect, test } from 'vitest';
import { parseTrace } from '../../src/renderer/features/evidence/load-evidence.js';

const AT = '2026-11-22T10:00:00.000Z';
const step = { at: AT, step: 'click', method: 'pointer' };
const times = { totalMs: 12.5, stages: [{ stage: 'act', ms: 10 }], desktop: [{ method: 'button', calls: 2, ms: 4 }] };
const lines = (...entries: unknown[]) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

test('[req:TI-2] the times of a trace are its last line, and no step', () => {
  const trace = parseTrace(lines(step, { at: AT, step: 'timing', ...times }));
  expect(trace.times).toMatchObject(times);
  expect(trace.steps.map(({ name }) => name)).toEqual(['click']);
});

test('[req:TI-2] a trace without times, or with times of another shape, has none and keeps its lines', () => {
  for (const last of [
    step,
    { at: AT, step: 'timing', totalMs: 'long' },
    { at: AT, step: 'timing', ...times, stages: [{ stage: 'tea', ms: 1 }] },
  ]) {
    // prettier-ignore
    const trace = parseTrace(lines(step, last));
    expect(trace.times).toBeNull();
    expect(trace.steps).toHaveLength(2);
  }
});
