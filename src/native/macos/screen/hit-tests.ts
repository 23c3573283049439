/** Which window accessibility names at a point. Sheets, popovers and menus have no window in `AXWindows`, but say where they belong. */
import { contains, intersect } from '../../../base/rect.js';
import type { Point, App, Display, Rect } from '../../desktop.js';
import { nullWhenStale, nullWithoutAnswer, elementOf, frameOf, textOf, listOf } from '../accessibility/answers.js';
import { ATTRIBUTE, ROLE } from '../accessibility/names.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { Scope } from '../foundation/scope.js';

export interface Hit {
  pid: number;
  /** `menu`: a window of its own, wherever it hangs. `menuBar`: above all windows, as its icons are. */
  place: 'menu' | 'menuBar' | 'window';
  /** The number of the outermost window that it is part of; null where it is part of none. */
  window: number | null;
  /** A window itself, and nothing in it. */
  bare: boolean;
}

export type HitTests = ReturnType<typeof openHitTests>;

/** More than any interface has; a tree whose parents form a circle ends here. */
const MOST_ANCESTORS = 200;
const STEP = [ATTRIBUTE.role, ATTRIBUTE.parent] as const;
const PLACE = [ATTRIBUTE.role, ATTRIBUTE.frame, ATTRIBUTE.position, ATTRIBUTE.size] as const;

export function openHitTests(core: Core) {
  const { ax, scoped } = core;
  return {
    /** null where the system names nothing. */
    ofSystem: (point: Point): Hit | null =>
      scoped((scope) =>
        nullWithoutAnswer(() => {
          const ref = ax.elementAt(scope, ax.systemWide, point);
          return ref === null ? null : hitOf(core, scope, ref);
        }),
      ),
    /** What a process itself has there; null where it has nothing, or does not answer. */
    ofProcess: (pid: number, point: Point): Hit | null =>
      scoped((scope) =>
        nullWithoutAnswer(() => {
          const ref = elementOfProcess(core, scope, pid, point);
          return ref === null ? null : hitOf(core, scope, ref);
        }),
      ),
  };
}

/** An application names itself, or something elsewhere, where it has nothing. */
export function elementOfProcess({ ax }: Core, scope: Scope, pid: number, point: Point): Ref | null {
  const ref = ax.elementAt(scope, ax.application(scope, pid), point);
  if (ref === null) return null;
  const [role, frame, position, size] = ax.attributes(scope, ref, PLACE);
  const place = frameOf(frame, position, size);
  return textOf(role) === ROLE.application || (place !== null && !contains(place, point)) ? null : ref;
}

function hitOf({ ax }: Core, scope: Scope, ref: Ref): Hit {
  const hit: Hit = { pid: ax.pidOf(ref), place: 'window', window: null, bare: false };
  let at: Ref | null = ref;
  for (let steps = 0; at !== null && steps < MOST_ANCESTORS; steps++) {
    const here: Ref = at;
    const [given, parent] = ax.attributes(scope, here, STEP);
    const role = textOf(given) ?? '';
    if (role === ROLE.menu) hit.place = 'menu';
    else if (role === ROLE.menuBar && hit.place !== 'menu') hit.place = 'menuBar';
    if (steps === 0) hit.bare = role === ROLE.window;
    if (role === ROLE.window) hit.window = nullWhenStale(() => ax.windowNumber(here));
    at = elementOf(parent);
  }
  return hit;
}

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
