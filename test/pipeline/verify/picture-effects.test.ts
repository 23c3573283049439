/** What only the picture of a window tells of an act. */
import { CLICK } from '../../support/titles.js';
import { expect, test } from 'vitest';
import { createCallTiming } from '../../../src/main/pipeline/call-clock.js';
import { verifyEffect } from '../../../src/main/pipeline/verify/effect.js';
import { planElement, planPoint } from '../../../src/main/pipeline/target/plans.js';
import { delay } from '../../../src/base/poll.js';
import { NO_OWN_CHANGES } from '../../../src/main/pipeline/verify/own-changes.js';
import type { DesktopReader, Rect } from '../../../src/native/desktop.js';
import { openSimulated } from '../../../src/native/simulated/index.js';

const never = new AbortController().signal;
const words = { title: CLICK };

/** The effect of an act on the button, after which this part of the window looks different, and nothing else tells of it. */
async function effectOf(
  part: (button: Rect, window: Rect) => Rect,
  by: 'element' | 'point' = 'element',
  captureMs = 0,
) {
  const real = openSimulated();
  const button = await real.element(real.world.find('copy') ?? '', never);
  const windows = await real.windows(never);
  const window = windows.find(({ title }) => title === 'New Message');
  if (window === undefined || button.frame === null) throw new Error('no window');
  const place = part(button.frame, window.frame);
  let acted = false;
  const capture: DesktopReader['capture'] = async (target, signal) => {
    const taken = await real.capture(target, signal);
    if (acted && captureMs > 0) await delay(captureMs, signal);
    const rgb = new Uint8Array(taken.rgb.length);
    for (let at = 0; acted && at < rgb.length; at += 3) {
      const x = taken.origin.x + ((at / 3) % taken.width) / taken.scale;
      const y = taken.origin.y + Math.floor(at / 3 / taken.width) / taken.scale;
      if (x >= place.x && y >= place.y && x < place.x + place.width && y < place.y + place.height)
        rgb.fill(255, at, at + 3);
    }
    return { ...taken, rgb };
  };
  /** It rests at once: only the paint tells that something was drawn. */
  const untilApplication: DesktopReader['untilApplication'] = async () => true;
  const windowPaint: DesktopReader['windowPaint'] = async (_id, after) => {
    const generation = acted ? 'drawn' : 'before';
    if (after === generation) await delay(1000, never);
    return { generation, unpaintedMs: Infinity };
  };
  const desktop = { ...real, capture, windowPaint, untilApplication };
  const middle = { x: button.frame.x + 5, y: button.frame.y + 5 };
  const plan = await (by === 'element' ? planElement(desktop, button, words, never) : planPoint(desktop, middle, words, never)); // prettier-ignore
  const act = async () => void (acted = true);
  const { effect } = await verifyEffect(
    { desktop, plan, timing: createCallTiming(), ownChanges: NO_OWN_CHANGES, mustKnow: false },
    act,
    never,
  );
  await real.close();
  return effect;
}

test.each(['element', 'point'] as const)(
  '[req:EG-5] a picture that changed only away from the %s acted on confirms nothing: a clock may have',
  async (by) => {
    const away = (button: Rect, window: Rect): Rect => {
      const low = button.y - window.y > window.height / 2;
      return { x: window.x + 10, y: low ? window.y + 40 : window.y + window.height - 50, width: 60, height: 30 };
    };
    expect(await effectOf(away, by)).toBe('unverified');
    expect(await effectOf((button) => button, by)).toBe('confirmed');
    expect(await effectOf((_button, window) => window, by)).toBe('confirmed');
  },
);

test('a change is confirmed also where there was time for one picture only', async () => {
  expect(await effectOf((button) => button, 'element', 720)).toBe('confirmed');
});
