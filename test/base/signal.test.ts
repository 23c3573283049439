import { getEventListeners, once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createAbort, withFirstOf, type Abort } from '../../src/base/signal.js';

const KINDS: readonly (readonly [string, () => Abort])[] = [
  ['AbortController', () => new AbortController()],
  ['createAbort', createAbort],
];

const FIRST = new Error('first');

describe.each(KINDS)('what waits use of %s', (_name, make) => {
  test('the first reason counts, and is told to each listener once', () => {
    const { signal, abort } = bound(make());
    const heard: string[] = [];
    signal.addEventListener('abort', () => heard.push('one'), { once: true });
    signal.addEventListener('abort', () => heard.push('two'), { once: true });
    expect(signal.aborted).toBe(false);
    signal.throwIfAborted();
    abort(FIRST);
    abort('second');
    expect([signal.aborted, signal.reason, heard]).toEqual([true, FIRST, ['one', 'two']]);
    expect(() => signal.throwIfAborted()).toThrow(FIRST);
  });

  test('a listener that was removed is not called, also by one before it', () => {
    const { signal, abort } = bound(make());
    const heard: string[] = [];
    const last = () => heard.push('last');
    const gone = () => heard.push('gone');
    signal.addEventListener('abort', () => signal.removeEventListener('abort', last), { once: true });
    signal.addEventListener('abort', last, { once: true });
    signal.addEventListener('abort', gone, { once: true });
    signal.removeEventListener('abort', gone);
    abort('over');
    expect(heard).toEqual([]);
  });

  test('a listener that comes after the end is not called', () => {
    const { signal, abort } = bound(make());
    const heard: string[] = [];
    abort('over');
    signal.addEventListener('abort', () => heard.push('late'), { once: true });
    abort('again');
    expect(heard).toEqual([]);
  });
});

const bound = (one: Abort) => ({ signal: one.signal, abort: (reason: unknown) => one.abort(reason) });

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
