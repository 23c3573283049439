/** What lies over the page as a person presses Allow, and since when. */
import { describe, expect, test } from 'vitest';
import { coverOver, createPageCover } from '../../../src/main/serve/page/page-cover.js';
import type { CardEvent } from '../../../src/main/approvals/index.js';
import type { Card } from '../../../src/main/protocol/index.js';
import type { ProcessIdentity } from '../../../src/native/peer/types.js';
import type { ChangeHint, Rect, StackedWindow } from '../../../src/native/desktop.js';

const NETWORK = 11;
const BROWSER = 10;
const OTHER = 90;
const rect = (x: number, y: number, width: number, height: number): Rect => ({ x, y, width, height });
const window = (pid: number, frame: Rect, more: Partial<StackedWindow> = {}): StackedWindow => {
  return { pid, title: 'Fine print', frame, areas: [frame], managed: false, focused: false, ...more };
};
const page = window(BROWSER, rect(0, 0, 800, 600), { managed: true, title: 'Chaperone' });
/** Pressed at 400,300 of the screen; the card shows there at 300..500 × 200..400. */
const place = { x: 200, y: 150, ratio: 2, card: rect(150, 100, 100, 100) };
const pointer = { x: 400, y: 300 };
const isOwn = ({ pid }: StackedWindow) => pid === BROWSER;
const over = (...stack: StackedWindow[]) => coverOver(stack, isOwn, { pointer, card: rect(300, 200, 200, 200) });

describe('what covers the card [req:PR-21]', () => {
  test('is another program’s window above it, over the pointer or over any part of the card', () => {
    const onTitle = window(OTHER, rect(300, 200, 200, 30));
    const onPointer = window(OTHER, rect(399, 299, 3, 3));
    expect(over(onTitle, page)).toBe(onTitle);
    expect(over(onPointer, page)).toBe(onPointer);
    const unknown = window(0, rect(300, 200, 10, 10));
    expect(over(unknown, page)).toBe(unknown);
  });
  test('is not what lies elsewhere, below, or is the browser’s own, nor the part of a window that its shape leaves out', () => {
    const all = rect(0, 0, 800, 600);
    const notice = window(OTHER, rect(600, 0, 200, 100));
    const frameOnly = window(OTHER, all, { areas: [rect(0, 0, 800, 5), rect(0, 595, 800, 5)] });
    const menu = window(BROWSER, all);
    expect(over(notice, frameOnly, menu, page, window(OTHER, all))).toBeNull();
  });
  test('is looked for over the window that was pressed, and over all of the window with the focus where a key pressed', () => {
    const second = window(BROWSER, rect(900, 0, 100, 100), { managed: true, focused: true });
    const onTitle = window(OTHER, rect(300, 200, 200, 30));
    expect(over(second, onTitle, page)).toBe(onTitle);
    const corner = window(OTHER, rect(990, 90, 50, 50));
    expect(coverOver([corner, second, page], isOwn, null)).toBe(corner);
    expect(coverOver([onTitle, second, page], isOwn, null)).toBeNull();
  });
});

function scene(scale = 1) {
  let now = 0;
  let stack = [page];
  let cards: Card[] = [{} as Card];
  let hint: ((hint: ChangeHint) => void) | null = null;
  let told: ((event: CardEvent) => void) | null = null;
  const browser = { pid: BROWSER, executable: '/usr/lib/browser' } as ProcessIdentity;
  const lines: Record<number, ProcessIdentity[]> = {
    [NETWORK]: [{ ...browser, pid: NETWORK }, browser],
    [BROWSER]: [browser],
    [OTHER]: [{ pid: OTHER, executable: '/usr/bin/cover' } as ProcessIdentity],
  };
  const cover = createPageCover({
    desktop: {
      stack: async () => stack,
      pointer: async () => pointer,
      displays: async () => [{ id: 'one', name: 'One', frame: rect(0, 0, 1600, 900), scale, main: true }],
      onChange: (listener) => {
        hint = listener;
        return () => (hint = null);
      },
    },
    processes: { lookup: (pid) => lines[pid]?.[0] ?? null, lineage: (pid) => lines[pid] ?? [] },
    approvals: {
      cards: () => cards,
      onCard: (listener) => {
        told = listener;
        return () => (told = null);
      },
    },
    now: () => now,
  });
  return {
    cover,
    show: async (at: number, ...windows: StackedWindow[]) => {
      now = at;
      stack = windows;
      hint?.({ kind: 'windows', pid: null });
      await Promise.resolve();
    },
    press: (at: number) => {
      now = at;
      cover.pressBegan('page', NETWORK, place);
    },
    at: (at: number) => (now = at),
    ask: (on: boolean) => {
      cards = on ? [{} as Card] : [];
      told?.({ kind: on ? 'requested' : 'resolved' } as CardEvent);
    },
    follows: () => hint !== null,
  };
}

describe('since when [req:PR-21]', () => {
  const fake = window(OTHER, rect(300, 200, 200, 100));

  test('what goes half a second and less before the press, or as it begins, lay over it; what has been gone for longer did not', async () => {
    const { cover, show, press, at } = scene();
    await show(1_000, fake, page);
    await show(2_000, page);
    press(2_400);
    at(3_500);
    expect(await cover.disturbanceOf('page')).toEqual({ over: '“Fine print” of cover' });
    press(4_000);
    expect(await cover.disturbanceOf('page')).toBeNull();
    await show(5_000, fake, page);
    press(6_000);
    await show(6_050, page);
    expect(await cover.disturbanceOf('page')).toEqual({ over: '“Fine print” of cover' });
  });
  test('what comes between the beginning and the end counts, too; a press of another page, or none, has nothing over it', async () => {
    const { cover, show, press } = scene();
    press(3_000);
    await show(3_500, window(OTHER, fake.frame, { title: '' }), page);
    expect(await cover.disturbanceOf('another')).toBeNull();
    expect(await cover.disturbanceOf('page')).toEqual({ over: 'a window of cover' });
    expect(await cover.disturbanceOf('page')).toBeNull();
  });
  test('[req:PR-22] a page that came under the pointer half a second and less before the press, or went as it was pressed, was not read there', async () => {
    const elsewhere = { ...page, frame: rect(900, 0, 800, 600), areas: [rect(900, 0, 800, 600)] };
    const { cover, show, press, at } = scene();
    await show(1_000, elsewhere);
    await show(2_000, page);
    press(2_400);
    at(3_500);
    expect(await cover.disturbanceOf('page')).toEqual({ moved: true });
    press(4_000);
    expect(await cover.disturbanceOf('page')).toBeNull();
    press(6_000);
    await show(6_050, elsewhere);
    expect(await cover.disturbanceOf('page')).toEqual({ moved: true });
    press(8_000);
    expect(await cover.disturbanceOf('page')).toBeNull();
  });
  test('the card is where the points of its display say, of which a pixel of the page may be half of one', async () => {
    const besideIt = window(OTHER, rect(300, 200, 40, 40));
    for (const [scale, name] of [
      [1, '“Fine print” of cover'],
      [2, null],
    ] as const) {
      const { cover, show, press } = scene(scale);
      press(3_000);
      await show(3_500, besideIt, page);
      expect(await cover.disturbanceOf('page')).toEqual(name === null ? null : { over: name });
    }
  });
  test('windows are followed only while something waits', () => {
    const { cover, ask, follows } = scene();
    expect(follows()).toBe(true);
    ask(false);
    expect(follows()).toBe(false);
    ask(true);
    expect(follows()).toBe(true);
    cover.close();
    expect(follows()).toBe(false);
  });
});
