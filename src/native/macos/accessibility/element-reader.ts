/** Reads elements: trees, searches, single elements, what is at a point and what has the focus. */
import {
  DesktopError,
  keepNodes,
  matches,
  type Element,
  type FindResult,
  type Point,
  type Scope as ReadingScope,
  type Selector,
  type Tree,
  type TreeLimits,
} from '../../desktop.js';
import { contains } from '../../../base/rect.js';
import { message } from '../../../messages/index.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { Scope } from '../foundation/scope.js';
import type { Apps } from '../screen/apps.js';
import { listDisplays } from '../screen/displays.js';
import { elementOfProcess } from '../screen/hit-tests.js';
import type { WindowRows } from '../screen/window-rows.js';
import type { Windows } from '../screen/windows.js';
import { ancestorsOf, roleOf } from './ancestry.js';
import { nullWithoutAnswer } from './answers.js';
import { describeElement } from './describe.js';
import { ATTRIBUTE, ROLE } from './names.js';
import { elementOf, textOf } from './plain.js';
import { readScreen, surroundingsOf } from './surroundings.js';
import { walk } from './walk.js';

export interface ElementReader {
  tree(scope: ReadingScope, limits: TreeLimits): Tree;
  find(scope: ReadingScope, selector: Selector, limit: number, limits: TreeLimits): FindResult;
  element(id: string): Element;
  /** Nearest first, up to the window. */
  ancestors(id: string): Element[];
  at(point: Point): Element | null;
  focused(): Element | null;
}

export interface ReaderParts {
  core: Core;
  rows: WindowRows;
  apps: Apps;
  windows: Windows;
}

export function openElementReader(parts: ReaderParts): ElementReader {
  const { core, rows, apps, windows } = parts;
  const { scoped, elements, ax } = core;

  const tree = (given: ReadingScope, limits: TreeLimits): Tree =>
    scoped((scope) => {
      const start = startOf(parts, scope, given);
      const read = walk(core, scope, readScreen(core, rows), start, limits);
      elements.trim();
      if (limits.visibleOnly !== true) return read;
      return { ...read, nodes: keepNodes(read.nodes, ({ element }) => element.states.visible) };
    });
  const describe = (scope: Scope, ref: Ref): Element =>
    describeElement(core, scope, ref, surroundingsOf(core, scope, readScreen(core, rows), ref)).element;

  return {
    tree,
    find(given, selector, limit, limits) {
      const { nodes, truncated } = tree(given, { ...limits, brief: false });
      const found = nodes.map(({ element }) => element).filter((element) => matches(selector, element));
      return { elements: found.slice(0, limit), matched: found.length, truncated };
    },
    element: (id) =>
      scoped((scope) => {
        const ref = elements.refOf(id);
        const link = [ref, ...ancestorsOf(core, scope, ref)].find((each) => roleOf(core, scope, each) === ROLE.link);
        const leadsTo = link === undefined ? null : textOf(ax.attribute(scope, link, ATTRIBUTE.url));
        return { ...describe(scope, ref), ...(leadsTo === null ? {} : { leadsTo }) };
      }),
    ancestors: (id) =>
      scoped((scope) => {
        const line = ancestorsOf(core, scope, elements.refOf(id));
        const window = line.findIndex((ref) => roleOf(core, scope, ref) === ROLE.window);
        return line.slice(0, window < 0 ? -1 : window + 1).map((ref) => describe(scope, ref));
      }),
    at(point) {
      if (!listDisplays(core).some(({ frame }) => contains(frame, point))) return null;
      const window = windows.at(point);
      if (window === null) return null;
      return scoped((scope) => {
        const hit = hitWithin(core, scope, point, window.app.pid);
        return hit === null ? null : describe(scope, hit);
      });
    },
    focused() {
      const pid = apps.frontPid();
      return scoped((scope) => {
        const application = pid === null ? null : nullWithoutAnswer(() => ax.application(scope, pid));
        const own = application === null ? null : ax.attribute(scope, application, ATTRIBUTE.focusedElement);
        const found = elementOf(own) ?? elementOf(ax.attribute(scope, ax.systemWide, ATTRIBUTE.focusedElement));
        return found === null ? null : describe(scope, found);
      });
    },
  };
}

/** The system's hit test passes through some windows: where it names another application than the one on top, that one is asked. */
function hitWithin(core: Core, scope: Scope, point: Point, pid: number): Ref | null {
  const { ax } = core;
  const hit = ax.elementAt(scope, ax.systemWide, point);
  if (hit !== null && ax.pidOf(hit) === pid) return hit;
  return elementOfProcess(core, scope, pid, point);
}

function startOf({ core, windows }: ReaderParts, scope: Scope, { pid, windowId, elementId }: ReadingScope): Ref {
  const { ax, elements } = core;
  if (elementId !== undefined) {
    const ref = elements.refOf(elementId);
    if (ax.pidOf(ref) !== pid) throw new DesktopError('stale', message('native.element_of_other_app'));
    return ref;
  }
  return windowId === undefined ? ax.application(scope, pid) : windows.elementOf(scope, pid, windowId);
}
