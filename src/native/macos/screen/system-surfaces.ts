/** Surfaces that the system lays over a display and lets the pointer through, such as the Dock's from macOS 26.4. */
import { intersect } from '../../../base/rect.js';
import type { App, Display, Rect } from '../../desktop.js';
import { nullWithoutAnswer } from '../accessibility/answers.js';
import { ATTRIBUTE } from '../accessibility/names.js';
import { frameOf, listOf } from '../accessibility/plain.js';
import type { Core } from '../core.js';

/** Where only the system can put a program: others would lie over a page with something else to read. */
const PROGRAMS =
  /^\/System\/Library\/CoreServices\/(Dock|WindowManager|ControlCenter|NotificationCenter|SystemUIServer|screencaptureui)\.app\//;
const MOST_OF_DISPLAY = 0.8;
const FRAME = [ATTRIBUTE.frame, ATTRIBUTE.position, ATTRIBUTE.size] as const;

/** Of a surface that accessibility does not name as a window. */
export const isSystemSurface = ({ program }: Pick<App, 'program'>): boolean => PROGRAMS.test(program ?? '');

export function coversDisplay(displays: readonly Pick<Display, 'frame'>[], frame: Rect): boolean {
  return displays.some(({ frame: display }) => {
    const part = intersect(display, frame);
    return part !== null && part.width * part.height >= MOST_OF_DISPLAY * display.width * display.height;
  });
}

/** What a system program shows in its surface; null where it does not tell. */
export function areasOfProcess({ ax, scoped }: Core, pid: number): Rect[] | null {
  return scoped((scope) =>
    nullWithoutAnswer(() => {
      const children = listOf(ax.attribute(scope, ax.application(scope, pid), ATTRIBUTE.children));
      return children.flatMap((child) => {
        const [frame, position, size] = ax.attributes(scope, child, FRAME);
        return frameOf(frame, position, size) ?? [];
      });
    }),
  );
}
