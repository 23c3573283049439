/** While the person has a desktop of an agent's own, nothing that the agent began does or sees anything there. */
import { expect, test } from 'vitest';
import { Hand, Lease } from '../../src/main/host/own/lease.js';
import { METHODS } from '../../src/native/methods.js';
import { openSimulated } from '../../src/native/simulated/index.js';
import { formatEnglish } from '../../src/messages/index.js';
import { WireError } from '../../src/main/protocol/index.js';

const never = new AbortController().signal;
const free = async () => undefined;

async function taken() {
  const desktop = await openSimulated();
  const lease = new Lease();
  const guarded = lease.guard(desktop);
  lease.take('page');
  return { desktop, lease, guarded };
}

const OPEN = ['platform', 'version', 'permissions', 'displays', 'onClipboardChange', 'onChange'];
const CLOSED = Object.entries(METHODS)
  .filter(([name, { kind }]) => kind !== 'host' && !OPEN.includes(name))
  .map(([name]) => name);

test.each(CLOSED)('%s does nothing then', async (name) => {
  const { guarded } = await taken();
  const method: unknown = Reflect.get(guarded, name);
  if (typeof method !== 'function') throw new Error('no method');
  await expect(Promise.resolve(Reflect.apply(method, guarded, []))).rejects.toMatchObject({ by: 'person' });
});

test('a text that is being typed stops at the next character, and a look that comes late shows nothing', async () => {
  const desktop = await openSimulated();
  const lease = new Lease();
  let typed = 0;
  const slow = lease.guard({
    ...desktop,
    async typeText(text, guard, signal) {
      for (const _ of text) {
        await guard();
        typed += 1;
        if (typed === 3) lease.take('page');
        signal.throwIfAborted();
      }
    },
    async windows() {
      lease.take('page');
      return [];
    },
  });
  await expect(slow.typeText('abcdefgh', free, never)).rejects.toMatchObject({ by: 'person' });
  expect(typed).toBe(3);
  lease.handBack('');
  await expect(slow.windows(never)).rejects.toMatchObject({ by: 'person' });
});

test('handed back, it works again; the next call is told once, with the person’s words', async () => {
  const { lease, guarded } = await taken();
  lease.handBack('You are logged in.');
  expect(await guarded.windows(never)).toBeInstanceOf(Array);
  const told = (() => {
    try {
      lease.assertTold();
    } catch (thrown) {
      return thrown;
    }
    return null;
  })();
  expect(told).toBeInstanceOf(WireError);
  if (told instanceof WireError) expect(formatEnglish(told.text)).toContain('You are logged in.');
  expect(() => lease.assertTold()).not.toThrow();
});

test('what the person does waits in line, and is dropped once they have given it back', async () => {
  const desktop = await openSimulated();
  const done: string[] = [];
  let may = true;
  const hand = new Hand(
    {
      ...desktop,
      typeText: async (text) => void done.push(text),
      key: async (key, down) => void done.push(`${key} ${down ? 'down' : 'up'}`),
      button: async (button, down) => void done.push(`${button} ${down ? 'down' : 'up'}`),
      movePointer: async ({ x, y }) => void done.push(`${x},${y}`),
      displays: async () => [{ id: '0', main: true, scale: 1, frame: { x: 0, y: 0, width: 101, height: 51 } }] as never,
    },
    () => may,
  );
  void hand.do({ kind: 'button', button: 'left', down: true, x: 0.5, y: 1 });
  void hand.do({ kind: 'keys', keys: ['ctrl', 'a'] });
  await hand.do({ kind: 'text', text: 'secret' });
  expect(done).toEqual(['50,50', 'left down', 'ctrl down', 'a down', 'a up', 'ctrl up', 'secret']);
  may = false;
  await hand.do({ kind: 'text', text: 'late' });
  expect(done).not.toContain('late');
});
