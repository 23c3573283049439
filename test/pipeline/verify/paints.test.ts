import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lookAtPaints, watchPaints } from '../../../src/main/pipeline/verify/effect.js';
import type { Window, WindowPaint } from '../../../src/native/desktop.js';
import { openSimulated } from '../../../src/native/simulated/index.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const signal = new AbortController().signal;

async function someWindow(): Promise<Window> {
  const [window] = await openSimulated().windows(signal);
  if (window === undefined) throw new Error('no window');
  return window;
}

/** `paint` paints the window; `lookMs`: how long a look takes. The eighth look has something to tell. */
async function looking({ tells, lookMs = 0 }: { tells: boolean; lookMs?: number }) {
  const window = await someWindow();
  let generation = 1;
  const waits = new Set<() => void>();
  const now = (): WindowPaint => ({ generation: `${generation}`, unpaintedMs: 0 });
  const windowPaint = async (_id: string, after: string | null): Promise<WindowPaint | null> => {
    if (!tells) return null;
    if (after === `${generation}`) await new Promise<void>((resolve) => void waits.add(resolve));
    return now();
  };
  let looks = 0;
  const look = async () => {
    looks += 1;
    if (lookMs > 0) await new Promise((resolve) => setTimeout(resolve, lookMs));
    return looks === 8 ? 'told' : null;
  };
  const paints = watchPaints({ windowPaint }, window, tells ? now() : null, signal);
  const ended = lookAtPaints(paints, look, 700, signal).finally(paints.end);
  return {
    ended,
    looks: () => looks,
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
    paint() {
      generation += 1;
      for (const resolve of waits) resolve();
      waits.clear();
    },
  };
}

test('a paint is looked at at once, the next one too', async () => {
  const at = await looking({ tells: true });
  await at.pass(5);
  for (const looks of [1, 2, 3]) {
    expect(at.looks()).toBe(looks);
    at.paint();
    await at.pass(2);
  }
  await at.pass(700);
  expect(await at.ended).toBe('told');
});

test.each([true, false])('without a paint it is looked at every 40 ms (paints are told: %s)', async (tells) => {
  const at = await looking({ tells });
  await at.pass(39);
  expect(at.looks()).toBe(1);
  await at.pass(3);
  expect(at.looks()).toBe(2);
  await at.pass(700);
  expect(await at.ended).toBe('told');
});

test('an application that paints all the time is looked at no more than half of the time', async () => {
  const at = await looking({ tells: true, lookMs: 20 });
  for (let ms = 0; ms < 100; ms += 1) {
    at.paint();
    await at.pass(1);
  }
  expect(at.looks()).toBeLessThanOrEqual(3);
  await at.pass(700);
  await at.ended;
});
