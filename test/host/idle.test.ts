import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IDLE_MS, watchIdle } from '../../src/main/host/run.js';
import { message } from '../../src/messages/index.js';

const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('[req:DS-1-3] a host leaves once nobody has needed it for half an hour without a break', () => {
  let busy = false;
  const leave = vi.fn();
  const idle = watchIdle({ busy: () => busy, gone: () => false, idleMs: IDLE_MS, leave });
  vi.advanceTimersByTime(29 * MINUTE);
  busy = true;
  vi.advanceTimersByTime(5 * 60 * MINUTE);
  busy = false;
  vi.advanceTimersByTime(29 * MINUTE);
  expect(leave).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2 * MINUTE);
  expect(leave).toHaveBeenCalled();
  idle.close();
});

test('and no more once it is closed', () => {
  const leave = vi.fn();
  watchIdle({ busy: () => false, gone: () => false, idleMs: MINUTE, leave }).close();
  vi.advanceTimersByTime(60 * MINUTE);
  expect(leave).not.toHaveBeenCalled();
});

test('at once when its folder is taken away, however busy it is', () => {
  let gone = false;
  const leave = vi.fn();
  const idle = watchIdle({ busy: () => true, gone: () => gone, idleMs: IDLE_MS, leave });
  vi.advanceTimersByTime(60 * MINUTE);
  expect(leave).not.toHaveBeenCalled();
  gone = true;
  vi.advanceTimersByTime(MINUTE);
  expect(leave).toHaveBeenCalledWith(message('host.folder_gone'));
  idle.close();
});
