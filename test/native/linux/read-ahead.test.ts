/** What the last reading asked for one after another, the next one asks for at once; every answer is of that reading. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Invoke, createReadAhead } from '../../../src/native/linux/atspi/bus-calls.js';

const APP = { bus: ':1.7', path: '/app' };
const GET = 'org.a11y.atspi.Accessible.';

/** An application whose answers tell how often it was asked, and how many requests waited with this one. */
function application() {
  const asked: string[] = [];
  let waiting = 0;
  let most = 0;
  let fails = false;
  const invoke: Invoke = async (_ref, member, { body = [] } = {}) => {
    asked.push([member.slice(member.lastIndexOf('.') + 1), ...body].join(' '));
    const answer = asked.length;
    most = Math.max(most, (waiting += 1));
    await setImmediate();
    waiting -= 1;
    if (fails) throw new Error('gone');
    return [answer];
  };
  const ahead = createReadAhead(invoke);
  /** Asks for each member, one after another. */
  const read = (members: readonly string[], names = ['window']) => {
    const { signal } = new AbortController();
    return ahead.reading(names, signal, async () => {
      const answers: unknown[] = [];
      for (const member of members) answers.push((await ahead.invoke(APP, GET + member, { signal }))[0]);
      return answers;
    });
  };
  const taken = () => ({ asked: asked.splice(0), most: [most, (most = 0)][0] });
  return { ahead, read, taken, fail: (on: boolean) => void (fails = on) };
}

test('[req:AR-1] the requests of the last reading are sent at once, and answered anew', async () => {
  const { read, taken } = application();
  expect(await read(['GetRole', 'GetState', 'GetChildren'])).toEqual([1, 2, 3]);
  expect(taken()).toEqual({ asked: ['GetRole', 'GetState', 'GetChildren'], most: 1 });
  expect(await read(['GetRole', 'GetState', 'GetChildren'])).toEqual([1, 2, 3]);
  expect(taken()).toEqual({ asked: ['GetRole', 'GetState', 'GetChildren'], most: 3 });
});

test('what another reading would ask for is asked for, and what this one did not need is not sent again', async () => {
  const { read, taken } = application();
  await read(['GetRole', 'GetState']);
  await read(['GetRole', 'GetName']);
  taken();
  await read(['GetRole', 'GetName']);
  expect(taken().asked).toEqual(['GetRole', 'GetName']);
});

test('a request that is made again within a reading gets another answer: it may be there to see a change', async () => {
  const { read, taken } = application();
  await read(['GetState', 'GetState']);
  taken();
  const [first, again] = await read(['GetState', 'GetState']);
  expect(first).not.toBe(again);
  expect(taken().asked).toHaveLength(2);
});

test('[req:AR-1] nothing that changes an application is ever sent ahead', async () => {
  const { read, taken } = application();
  const acts = ['DoAction', 'GrabFocus', 'ScrollTo', 'SetTextContents'];
  await read(['GetRole', ...acts]);
  taken();
  await read(['GetRole']);
  expect(taken().asked).toEqual(['GetRole']);
});

test('a reading that fails is no pattern for the next, and answers that nobody takes trouble nobody', async () => {
  const { read, taken, fail } = application();
  await read(['GetRole', 'GetState']);
  fail(true);
  await expect(read(['GetRole', 'GetState'])).rejects.toThrow('gone');
  await setImmediate();
  fail(false);
  taken();
  await read(['GetState', 'GetRole']);
  expect(taken().most).toBe(1);
});

test('the first name that is known counts, and the reading is known by all of its names', async () => {
  const { read, taken } = application();
  await read(['GetRole', 'GetState'], ['one', 'any']);
  taken();
  await read(['GetRole', 'GetState'], ['other', 'any']);
  expect(taken().most).toBe(2);
});

test('calls of another signal belong to no reading', async () => {
  const { ahead, read, taken } = application();
  await read(['GetRole', 'GetState']);
  taken();
  await ahead.invoke(APP, `${GET}GetRole`, { signal: new AbortController().signal });
  expect(taken().asked).toEqual(['GetRole']);
});

test('a reading within another, once it is known what is read, sends what is new in its own list', async () => {
  const { ahead, taken } = application();
  /** The last one was of a window; which one this is of becomes known by asking. */
  const read = (window: string, members: readonly string[]) => {
    const { signal } = new AbortController();
    const within = async () => {
      const answers: unknown[] = [];
      for (const member of members)
        answers.push((await ahead.invoke({ ...APP, path: `/${window}` }, GET + member, { signal }))[0]);
      return answers;
    };
    return ahead.reading(['any'], signal, async () => {
      await setImmediate();
      return ahead.reading([window], signal, within);
    });
  };
  await read('one', ['GetRole', 'GetState']);
  await read('other', ['GetRole', 'GetName', 'GetState']);
  taken();
  expect(await read('other', ['GetRole', 'GetName', 'GetState'])).toEqual([1, 2, 3]);
  expect(taken()).toEqual({ asked: ['GetRole', 'GetName', 'GetState'], most: 3 });
  // It is not of the window that the last one was of: only what was sent for that one was sent in vain.
  expect(await read('one', ['GetRole', 'GetState'])).toEqual([4, 5]);
  expect(taken()).toEqual({ asked: ['GetRole', 'GetName', 'GetState', 'GetRole', 'GetState'], most: 3 });
});
