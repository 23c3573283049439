/** Whether the system saw the press that a page reports. */
import { describe, expect, test } from 'vitest';
import { watchPresses } from '../../../src/main/serve/page/seen-presses.js';
import type { Point, Rect, StackedWindow } from '../../../src/native/desktop.js';

const rect = (x: number, y: number, width: number, height: number): Rect => ({ x, y, width, height });
const shown = (pid: number, title: string, frame: Rect, focused = false): StackedWindow => {
  return { pid, title, frame, areas: [frame], managed: true, focused };
};
const ON_PAGE = { x: 50, y: 50 };
const ELSEWHERE = { x: 500, y: 50 };

function scene() {
  let now = 10_000;
  const state = { stack: [shown(7, 'Chaperone – Browser', rect(0, 0, 400, 400), true), shown(8, 'Notes', rect(0, 0, 900, 900))] }; // prettier-ignore
  let tell: (at: Point | null) => void = () => undefined;
  const presses = watchPresses({
    desktop: {
      stack: async () => state.stack,
      onPersonPress: (listener) => {
        tell = listener;
        return () => (tell = () => undefined);
      },
    },
    processes: { lookup: () => null, lineage: () => [] },
    now: () => now,
  });
  return {
    state,
    presses,
    after: (ms: number) => (now += ms),
    person: (at: Point | null) => tell(at),
    began: (byPointer = true, connection = 'page-1') => presses.pressBegan(connection, null, byPointer),
    seen: (connection = 'page-1') => presses.wasSeen(connection),
  };
}

describe('[req:MW-2] a press that a page reports', () => {
  test('was seen where the person pressed on its window, whichever word comes first', async () => {
    const { began, person, seen, after } = scene();
    began();
    after(20);
    person(ON_PAGE);
    expect(await seen()).toBe(true);
    after(5_000);
    person(ON_PAGE);
    after(20);
    began();
    expect(await seen()).toBe(true);
  });

  test('was not where nobody pressed, or pressed elsewhere, or at another time', async () => {
    const { began, person, seen, after } = scene();
    began();
    expect(await seen()).toBe(false);
    person(ELSEWHERE);
    began();
    expect(await seen()).toBe(false);
    person(ON_PAGE);
    after(1_001);
    began();
    expect(await seen()).toBe(false);
    began();
    after(1_001);
    person(ON_PAGE);
    expect(await seen()).toBe(false);
  });

  test('counts once', async () => {
    const { began, person, seen } = scene();
    person(ON_PAGE);
    began();
    began(true, 'page-2');
    expect(await seen()).toBe(true);
    expect(await seen('page-2')).toBe(false);
    expect(await seen()).toBe(false);
  });

  test('by a key was seen where the page has the keyboard; a key is no press of the pointer', async () => {
    const { began, person, seen, state } = scene();
    person(null);
    began();
    expect(await seen()).toBe(false);
    began(false);
    expect(await seen()).toBe(true);
    person(null);
    began(false);
    state.stack = state.stack.map((window) => ({ ...window, focused: !window.focused }));
    expect(await seen()).toBe(false);
  });

  test('on a window that lies over the page is none on the page', async () => {
    const { began, person, seen, state } = scene();
    state.stack = [shown(9, 'Game', rect(40, 40, 20, 20)), ...state.stack];
    person(ON_PAGE);
    began();
    expect(await seen()).toBe(false);
  });

  test('needs nobody where the system does not tell of presses', async () => {
    const presses = watchPresses({
      desktop: { stack: async () => [] },
      processes: { lookup: () => null, lineage: () => [] },
      now: () => 0,
    });
    presses.pressBegan('page-1', null, true);
    expect(await presses.wasSeen('page-1')).toBe(true);
  });
});
