/** What standard X tools say of a window and of the screen: the judge of window tools. */
import { execFileSync } from 'node:child_process';
import type { Rect } from '../../src/native/desktop.js';

export interface XJudge {
  /** With the window manager's borders. */
  frame(id: string): Rect;
  /** The application's part. */
  client(id: string): Rect;
  property(id: string, name: string): string;
  /** Window ids, topmost first. */
  stacking(): number[];
  active(): number;
  desktop(): number;
  /** wmctrl, with these words. */
  manage(...words: string[]): void;
}

export function xJudge(env: Record<string, string>): XJudge {
  const run = (program: string, args: string[]) => execFileSync(program, args, { env }).toString();
  const ids = (text: string) => [...text.matchAll(/0x[0-9a-f]+/g)].map(([id]) => Number(id));
  const root = (name: string) => run('xprop', ['-root', name]);
  const property = (id: string, name: string) => run('xprop', ['-id', id, name]);

  const client = (id: string): Rect => {
    const told = run('xwininfo', ['-id', id]);
    const number = (label: string) => Number(new RegExp(`${label}: +(-?\\d+)`).exec(told)?.[1]);
    return {
      x: number('Absolute upper-left X'),
      y: number('Absolute upper-left Y'),
      width: number('Width'),
      height: number('Height'),
    };
  };

  return {
    client,
    property,
    frame(id) {
      const [left = 0, right = 0, top = 0, bottom = 0] = [...property(id, '_NET_FRAME_EXTENTS').matchAll(/\d+/g)].map(
        Number,
      );
      const { x, y, width, height } = client(id);
      return { x: x - left, y: y - top, width: width + left + right, height: height + top + bottom };
    },
    stacking: () => ids(root('_NET_CLIENT_LIST_STACKING')).toReversed(),
    active: () => ids(root('_NET_ACTIVE_WINDOW'))[0] ?? 0,
    desktop: () => Number(/= (\d+)/.exec(root('_NET_CURRENT_DESKTOP'))?.[1]),
    manage: (...words) => void run('wmctrl', words),
  };
}
