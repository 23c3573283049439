/** Where password fields show, so that pictures are masked there. */
import { intersect } from '../../../base/rect.js';
import { DesktopError, type Rect } from '../../desktop.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { Scope } from '../foundation/scope.js';
import type { WindowRow, WindowRows } from '../screen/window-rows.js';
import type { Windows } from '../screen/windows.js';
import { isSecure } from './describe.js';
import { ATTRIBUTE, OWN_SURFACES, ROLE } from './names.js';
import { frameOf, listOf, textOf } from './plain.js';

/** The least that tells a password field: its value is never among it. */
const KIND = [ATTRIBUTE.role, ATTRIBUTE.subrole, ATTRIBUTE.children] as const;
const FRAME = [ATTRIBUTE.frame, ATTRIBUTE.position, ATTRIBUTE.size] as const;

/** For each application, and in elements: what is not searched through in time is covered whole. */
const SEARCH_MS = 1500;
const MOST_ELEMENTS = 20_000;

/** Also all of a window of which it is not known in time: of one that hangs, or has too much in it. */
export function secureAreas(core: Core, rows: WindowRows, windows: Windows): Rect[] {
  const shown = rows.onScreen().filter(({ alpha }) => alpha > 0);
  const silent = new Set<number>();
  const deadlines = new Map<number, number>();
  return shown.flatMap((row) => {
    if (silent.has(row.pid)) return [row.frame];
    const deadline = deadlines.get(row.pid) ?? Date.now() + SEARCH_MS;
    deadlines.set(row.pid, deadline);
    const found = areasIn(core, windows, row, deadline);
    if (found !== null) return found;
    silent.add(row.pid);
    return [row.frame];
  });
}

/** null where the search was not finished. A surface that accessibility does not know has no fields. */
function areasIn(core: Core, windows: Windows, row: WindowRow, deadline: number): Rect[] | null {
  return core.scoped((scope) => {
    try {
      return search(core, windows.elementOf(scope, row.pid, String(row.number)), row.frame, deadline);
    } catch (thrown) {
      if (!(thrown instanceof DesktopError) || thrown.code === 'permission') throw thrown;
      return thrown.code === 'not_found' ? [] : null;
    }
  });
}

interface Waiting {
  id: string;
  /** What cuts it; null in a sheet and the like, which may reach beyond their window. */
  within: Rect | null;
}

function search(core: Core, window: Ref, frame: Rect, deadline: number): Rect[] | null {
  const { elements, scoped } = core;
  const found: Rect[] = [];
  const first = elements.idOf(window);
  const seen = new Set([first]);
  const waiting: Waiting[] = [{ id: first, within: frame }];
  try {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (Date.now() >= deadline || seen.size > MOST_ELEMENTS) return null;
      const { id, within } = next;
      const look = scoped((scope) => lookAt(core, scope, elements.refOf(id)));
      if (look.secure) found.push(...shownPart(look.frame, within, frame));
      const below = OWN_SURFACES.has(look.role) ? null : within;
      for (const child of look.children) {
        if (seen.has(child)) continue;
        seen.add(child);
        waiting.push({ id: child, within: below });
      }
    }
    return found;
  } finally {
    elements.trim();
  }
}

/** One that does not tell where it is may be anywhere in its window. */
function shownPart(own: Rect | null, within: Rect | null, window: Rect): Rect[] {
  if (own === null) return [window];
  const shown = within === null ? own : intersect(own, within);
  return shown === null ? [] : [shown];
}

interface Look {
  role: string;
  secure: boolean;
  /** Of a password field. */
  frame: Rect | null;
  /** Ids; none of a password field, whose parts are within it. */
  children: string[];
}

function lookAt(core: Core, scope: Scope, ref: Ref): Look {
  const { ax, elements } = core;
  const [given, subrole, children] = readKind(core, scope, ref);
  const role = textOf(given) ?? ROLE.unknown;
  const secure = isSecure(role, subrole);
  if (!secure) return { role, secure, frame: null, children: listOf(children).map(elements.idOf) };
  const [frame, position, size] = ax.attributes(scope, ref, FRAME);
  return { role, secure, frame: frameOf(frame, position, size), children: [] };
}

/** One that went away meanwhile has nothing below it. */
function readKind({ ax }: Core, scope: Scope, ref: Ref): ReturnType<Core['ax']['attributes']> {
  try {
    return ax.attributes(scope, ref, KIND);
  } catch (thrown) {
    if (thrown instanceof DesktopError && thrown.code === 'stale') return GONE;
    throw thrown;
  }
}

const GONE: ReturnType<Core['ax']['attributes']> = [
  { kind: 'text', text: 'AXGroup' },
  { kind: 'text', text: '' },
  { kind: 'list', refs: [] },
];
