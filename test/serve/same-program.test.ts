import { describe, expect, it } from 'vitest';
import { connection } from './support.js';
import { waitFor } from '../support/eventually.js';

/** A connection whose program is replaced, or not, as the test says. */
function watched() {
  const now = { same: true, looks: 0 };
  const isSame = () => {
    now.looks += 1;
    return now.same;
  };
  return { now, ...connection({ watchCaller: () => ({ isSame, close: () => undefined }) }) };
}

describe('[req:ID-3] the program behind a connection', () => {
  it('[req:CA-1] is looked at again for a message that comes later', async () => {
    const { now, hello, ask, send, ends } = watched();
    await hello();
    await ask('session/ping', {});
    now.same = false;
    await send('session/ping', {});
    await waitFor(() => expect(ends).toEqual(['the program at the other end has ended or was replaced']));
  });

  it('[req:CA-1] is looked at once for messages that come together', async () => {
    const { now, hello, answerTo, near } = watched();
    await hello();
    now.looks = 0;
    const ids = ['a', 'b', 'c'];
    await Promise.all(ids.map((id) => near.send({ v: 'gabp/1', id, type: 'request', method: 'session/ping' })));
    await Promise.all(ids.map(answerTo));
    expect(now.looks).toBeLessThan(ids.length);
  });
});
