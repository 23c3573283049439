import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createReadSchedule, type ReadSchedule } from '../../../src/main/desktop/watch/watch.js';

let looks: number[];
let took: { ms: number; found: boolean; again: boolean };
let active: number;
let pace: ReadSchedule;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  looks = [];
  took = { ms: 1, found: false, again: false };
  active = 1;
  pace = createReadSchedule(
    async () => {
      looks.push(performance.now());
      pace.completed(took);
    },
    { intervalMs: 10_000, active: () => active },
  );
});
afterEach(() => {
  pace.stop();
  vi.useRealTimers();
});

const pass = async (ms: number): Promise<number> => {
  const before = looks.length;
  await vi.advanceTimersByTimeAsync(ms);
  return looks.length - before;
};
/** Past the looks of the beginning. */
const settled = async () => {
  pace.start();
  await pass(30_000);
};

describe('when it is looked', () => {
  test('without a hint: twice at the beginning, then once an interval', async () => {
    pace.start();
    expect(await pass(2000)).toBe(2);
    expect(await pass(100_000)).toBe(10);
  });

  test('soon after a hint, and once for a burst of them', async () => {
    await settled();
    for (let hint = 0; hint < 500; hint += 1) pace.hint();
    expect(await pass(100)).toBe(1);
    expect(await pass(5000)).toBe(0);
  });

  test('a frame after a hint; at once where what changed is laid out already, even if that is told later', async () => {
    await settled();
    pace.hint();
    expect(await pass(10)).toBe(0);
    pace.hint(true);
    expect(await pass(1)).toBe(1);
    expect(await pass(5000)).toBe(0);
  });

  test('[req:WE-2] a frame after each hint for a few costly looks, before they have to be rested from', async () => {
    await settled();
    took = { ms: 100, found: true, again: false };
    for (let hint = 0; hint < 3; hint += 1) {
      pace.hint();
      expect(await pass(17)).toBe(1);
    }
    for (let hint = 0; hint < 3; hint += 1) {
      pace.hint();
      await pass(17);
    }
    pace.hint();
    expect(await pass(100)).toBe(0);
  });

  test('less and less often where hints lead nowhere, but never less than every interval, and at once again after quiet', async () => {
    await settled();
    const busy = async (ms: number) => {
      let count = 0;
      for (let at = 0; at < ms; at += 10) {
        pace.hint();
        count += await pass(10);
      }
      return count;
    };
    expect(await busy(60_000)).toBeLessThan(20);
    expect(await busy(60_000)).toBeGreaterThanOrEqual(6);
    await pass(21_000);
    pace.hint();
    expect(await pass(100)).toBe(1);
  });

  test('as often as hints come where they lead somewhere, with a rest in proportion to what a look costs', async () => {
    await settled();
    took = { ms: 100, found: true, again: false };
    const during = async (ms: number) => {
      let count = 0;
      for (let at = 0; at < ms; at += 10) {
        pace.hint();
        count += await pass(10);
      }
      return count;
    };
    await during(1000);
    expect(await during(30_000)).toBeLessThanOrEqual(100);
    active = 10;
    await during(5000);
    expect(await during(30_000)).toBeLessThanOrEqual(10);
  });

  test('the interval grows with what looks cost, and is told', async () => {
    await settled();
    expect(pace.interval()).toBe(10_000);
    took = { ms: 5000, found: false, again: false };
    await pass(10_000);
    expect(pace.interval()).toBe(15_000);
    expect(await pass(60_000)).toBeLessThanOrEqual(4);
  });

  test('again soon, and then less and less, where a look failed', async () => {
    await settled();
    took = { ms: 1, found: false, again: true };
    expect(await pass(10_000)).toBeGreaterThanOrEqual(4);
    await pass(20_000);
    expect(await pass(40_000)).toBeLessThanOrEqual(5);
  });

  test('never again once it has stopped', async () => {
    await settled();
    pace.hint();
    pace.stop();
    pace.hint();
    expect(await pass(100_000)).toBe(0);
  });
});
