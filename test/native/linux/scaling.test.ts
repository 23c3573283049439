import { describe, expect, it } from 'vitest';
import type { Rect } from '../../../src/native/desktop.js';
import { inPixels, pairScaled } from '../../../src/native/linux/atspi/window-origins.js';
import type { TopLevel } from '../../../src/native/linux/atspi/toplevels.js';
import { grow } from '../../../src/native/linux/x11/window-description.js';
import type { TopLevelWindow } from '../../../src/native/linux/windows.js';

const QT = { name: 'qt', major: 5, minor: 15 };
const GTK4 = { name: 'gtk', major: 4, minor: 8 };
const rect = (x: number, y: number, width: number, height: number): Rect => ({ x, y, width, height });

const top = (name: string, extents: Rect | null): TopLevel => ({
  item: {
    ref: { bus: ':1.1', path: `/${name}` },
    role: 23,
    name,
    description: '',
    states: [0, 0],
    interfaces: new Set(),
    childCount: 0,
  },
  extents,
});

function window(title: string, client: Rect, side = 0): TopLevelWindow {
  const borders = { left: side, right: side, top: side, bottom: side };
  const looks = {
    instance: '',
    className: '',
    focused: false,
    minimized: false,
    normal: true,
    tooltip: false,
    dragged: false,
    onOtherDesktop: false,
    states: [],
    inside: [],
    crowded: false,
  };
  const shown = { mapped: true, viewable: true, shown: true };
  return { id: client.x, top: 1, title, pid: 1, client, borders, frame: grow(client, borders), ...looks, ...shown };
}

describe('the scale of an application', () => {
  it('is one where its window is as large as it says, with or without the borders', () => {
    const given = window('A', rect(10, 20, 400, 300), 5);
    for (const extents of [given.client, given.frame])
      expect(pairScaled(QT, [top('A', extents)], [given]).scaling?.scale).toBe(1);
  });

  it('is what the window has more, also by a quarter; places go by the window they are in', () => {
    const [left, right] = [window('L', rect(100, 50, 500, 375)), window('R', rect(1950, 150, 600, 450))];
    const tops = [top('L', rect(80, 40, 400, 300)), top('R', rect(1800, 120, 480, 360))];
    const { of, scaling } = pairScaled(QT, tops, [right, left]);
    expect(scaling?.scale).toBe(1.25);
    expect(tops.map((one) => of.get(one))).toEqual([left, right]);
    expect(scaling?.toScreen(rect(88, 48, 20, 20))).toEqual(rect(110, 60, 25, 25));
    expect(scaling?.toScreen(rect(1808, 128, 21, 20))).toEqual(rect(1960, 160, 27, 25));
  });

  it('is not guessed from a window that fits in no way', () => {
    expect(pairScaled(QT, [top('A', rect(0, 0, 400, 300))], [window('A', rect(0, 0, 800, 310))]).scaling).toBeNull();
    expect(pairScaled(QT, [top('A', null)], [window('A', rect(0, 0, 800, 600))]).scaling).toBeNull();
  });

  it('of GTK 4 is a whole number, whatever its window leaves for shadows', () => {
    const given = window('A', rect(100, 100, 900, 700), -50);
    const { scaling } = pairScaled(GTK4, [top('A', rect(0, 0, 390, 290))], [given]);
    expect(scaling?.scale).toBe(2);
    expect(inPixels(given, 2)).toMatchObject({ client: rect(50, 50, 450, 350), frame: rect(75, 75, 400, 300) });
    expect(scaling?.toScreen(rect(80, 90, 10, 10))).toEqual(rect(160, 180, 20, 20));
    expect(pairScaled(GTK4, [top('A', rect(0, 0, 790, 590))], [given]).scaling?.scale).toBe(1);
  });

  it('of a browser is that of its own controls; pages count otherwise', () => {
    const kit = { name: 'chromium', major: 0, minor: 0 };
    const given = [window('A', rect(20, 20, 800, 600))];
    expect(pairScaled(kit, [top('A', rect(10, 10, 400, 300))], given).scaling?.mixed).toBe(true);
    expect(pairScaled(kit, [top('A', rect(20, 20, 800, 600))], given).scaling?.mixed).toBe(false);
  });
});
