import { getEventListeners, once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { withFirstOf } from '../../src/base/poll.js';

const FIRST = new Error('first');

describe('the first of several signals', () => {
  test('ends the work with its reason, also where it was there before', async () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const reason = () => withFirstOf([one.signal, other.signal], new AbortController(), async (signal) => {
      if (!signal.aborted) await once(signal, 'abort');
      return signal.reason as unknown;
    }); // prettier-ignore
    const waiting = reason();
    other.abort(FIRST);
    one.abort('second');
    expect(await waiting).toBe(FIRST);
    expect(await reason()).toBe('second');
  });

  test('has nothing of the work once that is over, however it ended', async () => {
    const { signal } = new AbortController();
    const own = new AbortController();
    const during: number[] = [];
    const listeners = () => getEventListeners(signal, 'abort').length;
    const work = async () => during.push(listeners());
    await withFirstOf([signal], own, work);
    const failed = withFirstOf([signal], own, () => work().then(() => Promise.reject(FIRST)));
    await expect(failed).rejects.toBe(FIRST);
    expect([during, listeners()]).toEqual([[1, 1], 0]);
  });
});
