import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createThrottle } from '../../src/base/throttle.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('runs at once for the first event, and once for all that follow within the time', () => {
  const run = vi.fn();
  const throttle = createThrottle(run, 50);
  throttle.later();
  expect(run).toHaveBeenCalledTimes(1);
  for (let count = 0; count < 9; count += 1) throttle.later();
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(50);
  expect(run).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(500);
  expect(run).toHaveBeenCalledTimes(2);
  throttle.later();
  expect(run).toHaveBeenCalledTimes(3);
});

it('runs at once where that is asked for, and not again for what had waited', () => {
  const run = vi.fn();
  const throttle = createThrottle(run, 50);
  throttle.later();
  throttle.later();
  throttle.now();
  expect(run).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(500);
  expect(run).toHaveBeenCalledTimes(2);
});

it('runs no more once it is closed', () => {
  const run = vi.fn();
  const throttle = createThrottle(run, 50);
  throttle.later();
  throttle.later();
  throttle.close();
  vi.advanceTimersByTime(500);
  expect(run).toHaveBeenCalledTimes(1);
});
