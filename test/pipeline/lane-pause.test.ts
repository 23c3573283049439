import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLocks, pauseLaneForPress } from '../../src/main/pipeline/locks.js';
import type { CardEvent } from '../../src/main/approvals/index.js';
import { waitFor } from '../support/eventually.js';

const never = new AbortController().signal;

function scene() {
  const lane = createLocks();
  let press: (id: string) => void = () => undefined;
  let tell: (event: CardEvent) => void = () => undefined;
  const stop = pauseLaneForPress(lane, {
    onPressAgain: (listener) => {
      press = listener;
      return () => (press = () => undefined);
    },
    onCard: (listener) => {
      tell = listener;
      return () => (tell = () => undefined);
    },
  });
  const decided = (id: string) =>
    tell({ kind: 'resolved', id, executionId: 'x', effect: 'input', decision: 'allow', by: 'page', reason: null, message: null }); // prettier-ignore
  return { lane, press: (id: string) => press(id), decided, stop: stop.close, still: stop.untilResumed };
}

describe('an Allow that came too close to injected input [req:DS-6-30]', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('[req:PR-4] holds the lane until the request is decided, however often it was pressed', async () => {
    const { lane, press, decided } = scene();
    press('one');
    press('one');
    press('one');
    expect(lane.busy('desktop')).toBe(true);
    decided('another');
    expect(lane.busy('desktop')).toBe(true);
    decided('one');
    const leave = await lane.enter('desktop', never);
    expect(lane.busy('desktop')).toBe(true);
    leave();
    expect(lane.busy('desktop')).toBe(false);
  });

  test('[req:PR-4] lets it go after six seconds without a press', async () => {
    const { lane, press } = scene();
    press('one');
    await vi.advanceTimersByTimeAsync(5900);
    expect(lane.busy('desktop')).toBe(true);
    await vi.advanceTimersByTimeAsync(200);
    expect(lane.busy('desktop')).toBe(false);
  });

  test('takes the lane from nobody, and not at all once the request is decided', async () => {
    const { lane, press, decided } = scene();
    const leave = await lane.enter('desktop', never);
    press('one');
    decided('one');
    leave();
    expect(lane.busy('desktop')).toBe(false);
  });

  test('[req:PR-4] goes before everybody that waits for the lane already', async () => {
    const { lane, press, decided } = scene();
    const leave = await lane.enter('desktop', never);
    const acted = vi.fn();
    const next = lane.enter('desktop', never).then((leaveNext) => (acted(), leaveNext));
    press('one');
    leave();
    await vi.advanceTimersByTimeAsync(5000);
    expect(acted).not.toHaveBeenCalled();
    decided('one');
    (await next)();
    expect(acted).toHaveBeenCalledOnce();
  });

  test('[req:PR-4] keeps what runs already still, until it is decided or six seconds are over', async () => {
    const { press, decided, still } = scene();
    await still(never);
    for (const end of [() => decided('one'), () => void vi.advanceTimersByTime(6000)]) {
      press('one');
      const went = vi.fn();
      void still(never).then(went);
      await vi.advanceTimersByTimeAsync(0);
      expect(went).not.toHaveBeenCalled();
      end();
      await waitFor(() => expect(went).toHaveBeenCalledOnce());
    }
  });

  test('holds for the latest request, and lets go when the host ends', async () => {
    const { lane, press, decided, stop } = scene();
    press('one');
    press('two');
    decided('one');
    await vi.advanceTimersByTimeAsync(0);
    expect(lane.busy('desktop')).toBe(true);
    stop();
    await vi.advanceTimersByTimeAsync(0);
    expect(lane.busy('desktop')).toBe(false);
  });
});
