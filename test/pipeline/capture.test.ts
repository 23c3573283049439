/** How long a plan waits for its window to be painted whole. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fingerprintSettledPlan } from '../../src/main/pipeline/capture.js';
import { planWithoutTarget, type Plan } from '../../src/main/approvals/plan.js';
import { title } from '../../src/main/protocol/index.js';
import type { DesktopReader, WindowPaint } from '../../src/native/desktop.js';
import { openSimulated } from '../../src/native/simulated/index.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const signal = new AbortController().signal;
const TAKING_MS = 20;

/** Plans a point in a window painted last at each of these times; a picture takes TAKING_MS. Tells when the plan was ready. */
async function settling(paintedAt: number[], tells = true) {
  const real = openSimulated();
  const [window] = await real.windows(signal);
  if (window === undefined) throw new Error('no window');
  const taken = await real.capture({ kind: 'window', windowId: window.id }, signal);
  const started = performance.now();
  let pictures = 0;
  const paint = (): WindowPaint => {
    const past = paintedAt.filter((at) => at <= performance.now() - started);
    return { generation: `${past.length}`, unpaintedMs: performance.now() - started - (past.at(-1) ?? -Infinity) };
  };
  const desktop: DesktopReader = {
    ...real,
    windowPaint: async () => (tells ? paint() : null),
    async capture() {
      pictures += 1;
      await new Promise((resolve) => setTimeout(resolve, TAKING_MS));
      // No two pictures are the same.
      return { ...taken, rgb: taken.rgb.fill((pictures * 40) % 256) };
    },
  };
  const { x, y } = window.frame;
  const plan: Plan = {
    ...planWithoutTarget({ title: title('title.ask_person'), target: null, app: null, place: null }),
    target: { kind: 'point', point: { x, y }, offset: { x: 0, y: 0 }, element: null },
    window,
    look: { area: window.frame, target: { x, y, width: 40, height: 40 } },
  };
  const ready = fingerprintSettledPlan(desktop, plan, signal).then(() => performance.now() - started);
  await vi.runAllTimersAsync();
  return { readyMs: Math.round(await ready), pictures };
}

test('[req:WE-1] a window that has not been painted for two frames is not waited for', async () => {
  expect(await settling([-33])).toEqual({ readyMs: TAKING_MS, pictures: 1 });
  expect(await settling([])).toEqual({ readyMs: TAKING_MS, pictures: 1 });
});

test('[req:WE-1] the two frames begin with the last paint, and the picture is taken meanwhile', async () => {
  expect(await settling([0])).toEqual({ readyMs: 33, pictures: 1 });
  expect(await settling([-30])).toEqual({ readyMs: TAKING_MS, pictures: 1 });
});

test('a window that was painted while its picture was taken gets another one', async () => {
  expect(await settling([0, 10])).toEqual({ readyMs: 33 + TAKING_MS, pictures: 2 });
});

test('a window that is painted without an end is waited for no longer than 600 ms and a picture', async () => {
  const frames = Array.from({ length: 200 }, (_, frame) => frame * 16);
  expect((await settling(frames)).readyMs).toBeLessThanOrEqual(600 + 33 + TAKING_MS);
  expect((await settling([], false)).readyMs).toBeLessThanOrEqual(600 + 50 + TAKING_MS);
});
