import type { Rect } from '../../desktop.js';
import { LEVEL_KEY, WINDOW_LIST, type WINDOW_KEYS } from '../calls/libraries.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';

/** A window as the window server knows it: also of applications that show nothing through accessibility, or hang. */
export interface WindowRow {
  number: number;
  pid: number;
  level: number;
  frame: Rect;
  alpha: number;
  /** '' also where the screen may not be recorded. */
  name: string;
  onScreen: boolean;
}

export type WindowRows = ReturnType<typeof openWindowRows>;

export function openWindowRows(core: Core) {
  const { bound, scoped, reading } = core;
  const { CGWindowLevelForKey, CGWindowListCopyWindowInfo, CGRectMakeWithDictionaryRepresentation } =
    bound.coreGraphics;
  const keys = keysOf(core);
  const field = (row: Ref, key: (typeof WINDOW_KEYS)[number]): Ref | null =>
    bound.coreFoundation.CFDictionaryGetValue(row, keys[key]);

  const read = (row: Ref): WindowRow[] => {
    const [number, pid] = [
      reading.number(field(row, 'kCGWindowNumber')),
      reading.number(field(row, 'kCGWindowOwnerPID')),
    ];
    const bounds = field(row, 'kCGWindowBounds');
    const numbers = new Float64Array(4);
    if (number === null || pid === null || bounds === null) return [];
    if (!CGRectMakeWithDictionaryRepresentation(bounds, numbers)) return [];
    const [x = 0, y = 0, width = 0, height = 0] = numbers;
    const level = reading.number(field(row, 'kCGWindowLayer')) ?? 0;
    const alpha = reading.number(field(row, 'kCGWindowAlpha')) ?? 1;
    const name = reading.text(field(row, 'kCGWindowName')) ?? '';
    return [{ number, pid, level, alpha, name, frame: { x, y, width, height }, onScreen: false }];
  };
  const list = (options: number): WindowRow[] =>
    scoped((scope) => reading.list(scope.own(CGWindowListCopyWindowInfo(options, 0))).flatMap(read));
  const onScreen = (): WindowRow[] =>
    list(WINDOW_LIST.onScreenOnly | WINDOW_LIST.excludeDesktopElements).map((row) => ({ ...row, onScreen: true }));

  return {
    /** Front to back. */
    onScreen,
    /** Those on the screen front to back, then the others in no order. */
    all(): WindowRow[] {
      const existing = list(WINDOW_LIST.all | WINDOW_LIST.excludeDesktopElements);
      const shown = onScreen();
      const numbers = new Set(shown.map(({ number }) => number));
      return [...shown, ...existing.filter(({ number }) => !numbers.has(number))];
    },
    /** Levels between which windows take clicks, pop-up menus the highest; `status` of icons in the menu bar. */
    levels: {
      normal: CGWindowLevelForKey(LEVEL_KEY.normal),
      floating: CGWindowLevelForKey(LEVEL_KEY.floating),
      status: CGWindowLevelForKey(LEVEL_KEY.status),
      popUpMenu: CGWindowLevelForKey(LEVEL_KEY.popUpMenu),
    },
  };
}

function keysOf({ bound }: Core): Record<(typeof WINDOW_KEYS)[number], Ref> {
  const key = (name: (typeof WINDOW_KEYS)[number]): Ref => bound.object('coreGraphics', name);
  return {
    kCGWindowNumber: key('kCGWindowNumber'),
    kCGWindowOwnerPID: key('kCGWindowOwnerPID'),
    kCGWindowLayer: key('kCGWindowLayer'),
    kCGWindowBounds: key('kCGWindowBounds'),
    kCGWindowAlpha: key('kCGWindowAlpha'),
    kCGWindowName: key('kCGWindowName'),
  };
}
