import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { openLifetime } from '../../../src/native/linux/lifetime.js';
import { createAbortListeners } from '../../../src/native/linux/atspi/bus-calls.js';

const listenersOf = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

it('listen to a signal once, for as long as a call waits with it', () => {
  const { signal } = new AbortController();
  const { add } = createAbortListeners();
  const stops = [add(signal, () => undefined), add(signal, () => undefined)];
  expect(listenersOf(signal)).toBe(1);
  for (const stop of stops) stop();
  expect(listenersOf(signal)).toBe(0);
  add(signal, () => undefined)();
  expect(listenersOf(signal)).toBe(0);
});

it('tell each call that still waits, also after others had come and gone', () => {
  const control = new AbortController();
  const { add } = createAbortListeners();
  const told: string[] = [];
  add(control.signal, () => told.push('gone'))();
  add(control.signal, () => told.push('one'));
  add(control.signal, () => told.push('other'));
  control.abort();
  expect(told).toEqual(['one', 'other']);
});

it('are left with no signal by a call of the backend', async () => {
  const lifetime = openLifetime({ onLost: () => () => undefined });
  const { signal } = new AbortController();
  const during = await lifetime.run(signal, async () => listenersOf(signal));
  expect([during, listenersOf(signal)]).toEqual([1, 0]);
  await lifetime.close(async () => undefined);
  await expect(lifetime.run(signal, async () => 'too late')).rejects.toMatchObject({ code: 'lost' });
  expect(listenersOf(signal)).toBe(0);
});
