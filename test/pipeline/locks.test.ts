import { expect, test } from 'vitest';
import { createLocks } from '../../src/main/pipeline/locks.js';

const never = new AbortController().signal;

test('who reserved first enters first, whenever each asks to enter', async () => {
  const locks = createLocks();
  const [first, second] = [locks.reserve('agent'), locks.reserve('agent')];
  const order: string[] = [];
  const late = second.enter(never).then((release) => {
    order.push('second');
    release();
  });
  await Promise.resolve();
  const release = await first.enter(never);
  order.push('first');
  release();
  await late;
  expect(order).toEqual(['first', 'second']);
  expect(locks.busy('agent')).toBe(false);
});

test('a reservation tells whether somebody is ahead of it', async () => {
  const locks = createLocks();
  const [first, second] = [locks.reserve('agent'), locks.reserve('agent')];
  const release = await first.enter(never);
  expect([first.waiting, second.waiting]).toEqual([false, true]);
  release();
  (await second.enter(never))();
  expect(second.waiting).toBe(false);
});

test('a place that is given up, or whose wait is aborted, goes to the next', async () => {
  const locks = createLocks();
  const [first, second, third] = [locks.reserve('agent'), locks.reserve('agent'), locks.reserve('agent')];
  first.cancel();
  await expect(second.enter(AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  (await third.enter(never))();
  await expect.poll(() => locks.busy('agent')).toBe(false);
});

test('giving up after entering changes nothing', async () => {
  const locks = createLocks();
  const first = locks.reserve('agent');
  const release = await first.enter(never);
  first.cancel();
  expect(locks.busy('agent')).toBe(true);
  release();
  expect(locks.busy('agent')).toBe(false);
});

test('a full queue refuses the reservation when it is entered', async () => {
  const locks = createLocks();
  const release = await locks.enter('agent', never);
  const waiting = Array.from({ length: 64 }, () => locks.enter('agent', new AbortController().signal));
  await expect(locks.reserve('agent').enter(never)).rejects.toMatchObject({ code: 'DESKTOP_HOST_NOT_READY' });
  release();
  for (const turn of waiting) (await turn)();
});
