import { describe, expect, test } from 'vitest';
import { withInjectionEvents } from '../../src/main/host/desk.js';
import { openSimulated } from '../../src/native/simulated/index.js';
import type { DesktopBackend } from '../../src/native/desktop.js';

const never = new AbortController().signal;
const free = async () => undefined;

/** What reached the desktop, and what was told meanwhile, in order. */
function scene(inner: Partial<DesktopBackend>) {
  const order: string[] = [];
  const noting = Object.fromEntries(
    Object.entries(inner).map(([name, act]) => [
      name,
      typeof act !== 'function'
        ? act
        : async (...given: never[]) => {
            order.push(name);
            return Reflect.apply(act, undefined, given);
          },
    ]),
  );
  const desktop = withInjectionEvents({ ...openSimulated(), ...noting }, () => order.push('told'));
  return { desktop, order };
}

describe('injected input is told of [req:PR-2]', () => {
  test.each([
    ['movePointer', (desktop: DesktopBackend) => desktop.movePointer({ x: 1, y: 1 }, never)],
    ['button', (desktop: DesktopBackend) => desktop.button('left', true, free, never)],
    ['key', (desktop: DesktopBackend) => desktop.key('a', true, free, never)],
    ['scroll', (desktop: DesktopBackend) => desktop.scroll({ x: 0, y: 1 }, free, never)],
    ['typeText', (desktop: DesktopBackend) => desktop.typeText('a', free, never)],
    ['paste', (desktop: DesktopBackend) => desktop.paste('a', 1, free, never)],
    ['dropFiles', (desktop: DesktopBackend) => desktop.dropFiles(['/a'], 'w', free, never)],
  ] as const)('right before and right after %s, even where it fails', async (name, act) => {
    for (const inner of [async () => undefined, () => Promise.reject(new Error('no'))]) {
      const { desktop, order } = scene({ [name]: inner });
      await act(desktop).then(free, free);
      expect(order).toEqual(['told', name, 'told']);
    }
  });

  test('after the guard of each event, as the last thing before it', async () => {
    const { desktop, order } = scene({
      async typeText(text, guard) {
        for (const one of text) {
          await guard();
          order.push(one);
        }
      },
    });
    await desktop.typeText('ab', async () => void order.push('guard'), never);
    expect(order).toEqual(['told', 'typeText', 'guard', 'told', 'a', 'guard', 'told', 'b', 'told']);
  });

  test('by letting go of what is down, and not where nothing is let go', async () => {
    const { desktop, order } = scene({ releaseAll: free, button: free, key: free });
    await desktop.releaseAll();
    expect(order).toEqual(['releaseAll']);
    await desktop.button('left', true, free, never);
    await desktop.key('shift', true, free, never);
    await desktop.key('a', true, free, never);
    await desktop.key('a', false, free, never);
    order.length = 0;
    await desktop.releaseAll({ keys: ['shift'], buttons: ['left'] });
    expect(order).toEqual(['releaseAll']);
    await desktop.releaseAll({ keys: ['shift'], buttons: [] });
    expect(order).toEqual(['releaseAll', 'told', 'releaseAll', 'told']);
    await desktop.releaseAll();
    await desktop.releaseAll();
    expect(order.slice(4)).toEqual(['told', 'releaseAll', 'told', 'releaseAll']);
  });

  test('looking is not', async () => {
    const { desktop, order } = scene({});
    await desktop.windows(never);
    await desktop.pointer(never);
    expect(order).toEqual([]);
  });
});
