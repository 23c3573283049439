import { expect, it, vi } from 'vitest';
import { abortable, delay, poll, withTimeout } from '../../src/base/poll.js';

const never = new AbortController().signal;

it('probes until there is something, and once more at the end of the time', async () => {
  const probe = vi.fn<() => Promise<string | null>>().mockResolvedValue('late').mockResolvedValueOnce(null);
  expect(await poll(probe, 60_000, never, 1)).toBe('late');
  expect(probe).toHaveBeenCalledTimes(2);
  const nothing = vi.fn(() => Promise.resolve(null));
  expect(await poll(nothing, 0, never)).toBeNull();
  expect(nothing).toHaveBeenCalledOnce();
  expect(await poll(nothing, 5, never, 60_000)).toBeNull();
  expect(nothing.mock.calls.length).toBeGreaterThan(2);
});

it('ends each wait with the reason of the signal', async () => {
  const controller = new AbortController();
  const nothing = () => Promise.resolve(null);
  const waits = [
    poll(nothing, 60_000, controller.signal, 60_000),
    delay(60_000, controller.signal),
    abortable(new Promise(() => {}), controller.signal),
  ];
  const ended = Promise.allSettled(waits);
  const reason = new Error('stopped');
  controller.abort(reason);
  for (const outcome of await ended) expect(outcome).toEqual({ status: 'rejected', reason });
  await expect(poll(nothing, 0, controller.signal)).rejects.toBe(reason);
  await expect(delay(0, controller.signal)).rejects.toBe(reason);
  await expect(abortable(Promise.resolve(), controller.signal)).rejects.toBe(reason);
});

it('gives the outcome of a promise that settles first', async () => {
  expect(await abortable(Promise.resolve(7), never)).toBe(7);
  await expect(abortable(Promise.reject(new Error('no')), never)).rejects.toThrow('no');
});

it('gives up waiting for work when time is up or the signal fires', async () => {
  const endless = new Promise<string>(() => undefined);
  const abort = new AbortController();
  expect(await withTimeout(Promise.resolve('done'), 60_000)).toBe('done');
  await expect(withTimeout(Promise.reject(new Error('no')), 60_000)).rejects.toThrow('no');
  expect(await withTimeout(endless, 1)).toBeNull();
  const waiting = withTimeout(endless, 60_000, abort.signal);
  abort.abort();
  expect(await waiting).toBeNull();
  expect(await withTimeout(endless, 60_000, abort.signal)).toBeNull();
});
