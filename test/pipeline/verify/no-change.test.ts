import { afterEach, expect, test, vi } from 'vitest';
import type { RunResult } from '../../../src/main/pipeline/dependencies.js';
import { ALLOWED, createTestPipeline } from '../../support/pipeline.js';

afterEach(() => void vi.useRealTimers());

test('[req:WE-4] that nothing changed is said only after it was looked for over 700 ms', async () => {
  const pipeline = createTestPipeline(async () => ALLOWED);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  let result: RunResult | null = null;
  const call = pipeline.run('click', { x: 100, y: 100 }).then((ended) => (result = ended));
  while (result === null) {
    await vi.advanceTimersByTimeAsync(1);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { verified, times } = await call;
  expect(verified?.effect).toBe('no_change');
  expect(times.stages.find(({ stage }) => stage === 'verify')?.ms).toBeGreaterThanOrEqual(700);
});
