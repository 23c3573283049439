import { boundingBox, intersect } from '../../../base/rect.js';
import type { Rect } from '../../desktop.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { Scope } from '../foundation/scope.js';
import { listDisplays } from '../screen/displays.js';
import type { WindowRows } from '../screen/window-rows.js';
import { nullWhenStale } from './answers.js';
import { ancestorsOf, pathOf, roleOf } from './ancestry.js';
import { documentOf, type Surroundings } from './describe.js';
import { ATTRIBUTE, OWN_SURFACES, ROLE } from './names.js';
import { frameOf } from './plain.js';

export interface Screen {
  /** All displays. */
  area: Rect;
  /** Frames of the windows on the screen, by number. */
  windows: ReadonlyMap<number, Rect>;
}

/** Once for each reading: the windows do not move while it runs, or what it says is old anyway. */
export function readScreen(core: Core, rows: WindowRows): Screen {
  return {
    area: boundingBox(listDisplays(core).map(({ frame }) => frame)),
    windows: new Map(rows.onScreen().map(({ number, frame }) => [number, frame])),
  };
}

/** Where a child of the application can show: within its window, or anywhere for a menu bar. */
export function clipOfTopLevel({ ax }: Core, screen: Screen, ref: Ref, role: string): Rect | null {
  if (role !== ROLE.window) return screen.area;
  const number = nullWhenStale(() => ax.windowNumber(ref));
  const frame = number === null ? undefined : screen.windows.get(number);
  return frame === undefined ? null : intersect(frame, screen.area);
}

/** Of an element in the middle of a tree: by all that is above it, from the application down. */
export function surroundingsOf(core: Core, scope: Scope, screen: Screen, ref: Ref): Surroundings {
  const ancestors = ancestorsOf(core, scope, ref);
  const path = pathOf(core, scope, ref, ancestors);
  const inner: Surroundings = { path, area: screen.area, clip: screen.area, document: null };
  const topLevel = [ref, ...ancestors].at(-2);
  if (topLevel === undefined) return inner;
  const start = { ...inner, clip: clipOfTopLevel(core, screen, topLevel, roleOf(core, scope, topLevel)) };
  const above = ancestors.slice(0, -1).toReversed();
  return above.reduce((around, each) => within(core, scope, each, around), start);
}

function within(core: Core, scope: Scope, ref: Ref, around: Surroundings): Surroundings {
  const role = roleOf(core, scope, ref);
  if (role === ROLE.webArea) return { ...around, document: documentOf(core.ax, scope, ref) };
  if (around.clip === null) return around;
  if (OWN_SURFACES.has(role)) return { ...around, clip: around.area };
  if (role !== ROLE.scrollArea) return around;
  const values = core.ax.attributes(scope, ref, FRAME);
  const frame = frameOf(values[0], values[1], values[2]);
  return { ...around, clip: frame === null ? null : intersect(frame, around.clip) };
}

const FRAME = [ATTRIBUTE.frame, ATTRIBUTE.position, ATTRIBUTE.size] as const;
