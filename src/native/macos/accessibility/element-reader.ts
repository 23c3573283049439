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
  type TreeNode,
  type Rect,
} from '../../desktop.js';
import { contains, boundingBox, intersect } from '../../../base/rect.js';
import { message } from '../../../messages/index.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { Scope } from '../foundation/scope.js';
import type { Apps } from '../screen/apps.js';
import { listDisplays } from '../screen/displays.js';
import { elementOfProcess } from '../screen/hit-tests.js';
import type { WindowRows } from '../screen/window-rows.js';
import type { Windows } from '../screen/windows.js';
import {
  ancestorsOf,
  roleOf,
  childrenOf,
  pathOf,
  describeElement,
  type Described,
  type Surroundings,
  documentOf,
  isSecure,
} from './describe.js';
import { nullWithoutAnswer, elementOf, textOf, nullWhenStale, frameOf } from './answers.js';
import { ATTRIBUTE, ROLE, OWN_SURFACES, ACTION } from './names.js';
import { becomes } from './actions.js';
import { createHash } from 'node:crypto';

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

interface Waiting extends Surroundings {
  /** The table's own reference. */
  ref: Ref;
  depth: number;
  parent: number;
}

interface Walk {
  core: Core;
  screen: Screen;
  limits: TreeLimits;
  /** Ids: an element that was met elsewhere is no child again, so circles end. */
  seen: Set<string>;
}

/** A call that is not answered ends it with `not_responding`: each further one would cost the time limit again. */
function walk(core: Core, scope: Scope, screen: Screen, start: Ref, limits: TreeLimits): Tree {
  const deadline = Date.now() + limits.timeoutMs;
  const state: Walk = { core, screen, limits, seen: new Set([core.elements.idOf(start)]) };
  const nodes: TreeNode[] = [];
  const truncated = { depth: false, nodes: false, time: false };
  const first = { ref: start, ...surroundingsOf(core, scope, screen, start), depth: 0, parent: -1 };
  const waiting: Waiting[] = [first];

  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (nodes.length >= limits.maxNodes) truncated.nodes = true;
    else if (nodes.length > 0 && Date.now() >= deadline) truncated.time = true;
    if (truncated.nodes || truncated.time) break;
    const read = readNode(state, next);
    if (read === null) continue;
    const { depth, parent } = next;
    const place = nodes.push({ element: read.element, depth, parent, childCount: read.childCount }) - 1;
    if (read.childCount > 0 && depth >= limits.maxDepth) truncated.depth = true;
    else for (const child of read.children.toReversed()) waiting.push({ ...child, depth: depth + 1, parent: place });
  }
  return { nodes, truncated };
}

interface ReadNode {
  element: Element;
  children: (Surroundings & { ref: Ref })[];
  childCount: number;
}

/** null for an element that went away meanwhile, other than the start. */
function readNode(state: Walk, waiting: Waiting): ReadNode | null {
  const { core, limits } = state;
  const read = (): ReadNode =>
    core.scoped((scope) => {
      const described = describeElement(core, scope, waiting.ref, waiting, limits.brief);
      const { element, below } = described;
      const all = childrenOf(core, scope, waiting.ref, element.role, described.children);
      const fresh = all.slice(0, limits.maxNodes + 1).flatMap((child, index) => unseen(state, child, index));
      const children = fresh.map(({ ref, index }) => ({
        ref,
        ...belowFor(state, scope, element, below, ref),
        path: [...waiting.path, index],
      }));
      return { element, children, childCount: Math.max(children.length, all.length - limits.maxNodes - 1) };
    });
  return waiting.depth === 0 ? read() : nullWhenStale(read);
}

function unseen({ core, seen }: Walk, child: Ref, index: number): { ref: Ref; index: number }[] {
  const id = core.elements.idOf(child);
  if (seen.has(id)) return [];
  seen.add(id);
  return [{ ref: core.elements.refOf(id), index }];
}

function belowFor(
  { core, screen }: Walk,
  scope: Scope,
  parent: Element,
  below: Described['below'],
  ref: Ref,
): Described['below'] {
  if (parent.role !== ROLE.application) return below;
  const clip = nullWhenStale(() => clipOfTopLevel(core, screen, ref, roleOf(core, scope, ref)));
  return { ...below, clip };
}

interface Screen {
  /** All displays. */
  area: Rect;
  /** Frames of the windows on the screen, by number. */
  windows: ReadonlyMap<number, Rect>;
}

/** Once for each reading: the windows do not move while it runs, or what it says is old anyway. */
function readScreen(core: Core, rows: WindowRows): Screen {
  return {
    area: boundingBox(listDisplays(core).map(({ frame }) => frame)),
    windows: new Map(rows.onScreen().map(({ number, frame }) => [number, frame])),
  };
}

/** Where a child of the application can show: within its window, or anywhere for a menu bar. */
function clipOfTopLevel({ ax }: Core, screen: Screen, ref: Ref, role: string): Rect | null {
  if (role !== ROLE.window) return screen.area;
  const number = nullWhenStale(() => ax.windowNumber(ref));
  const frame = number === null ? undefined : screen.windows.get(number);
  return frame === undefined ? null : intersect(frame, screen.area);
}

/** Of an element in the middle of a tree: by all that is above it, from the application down. */
function surroundingsOf(core: Core, scope: Scope, screen: Screen, ref: Ref): Surroundings {
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

/** Their content is hidden because they are closed, not because of scrolling. */
const CLOSABLE: ReadonlySet<string> = new Set(['AXMenu', 'AXMenuItem', 'AXMenuBarItem', 'AXTabGroup']);

/** Elements that are scrolled out of view: what scrolls them, and scrolling to them. */
export function scrollerOf(reader: ElementReader, id: string): Element | null {
  const element = reader.element(id);
  const { frame } = element;
  if (element.states.visible || frame === null) return null;
  for (const above of reader.ancestors(id)) {
    if (CLOSABLE.has(above.role)) return null;
    if (above.role !== ROLE.scrollArea || above.frame === null || intersect(frame, above.frame) !== null) continue;
    return above.states.visible ? above : null;
  }
  return null;
}

export async function scrollIntoView(
  core: Core,
  reader: ElementReader,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const ref = core.elements.refOf(id);
  const shows = (): boolean => reader.element(id).states.visible;
  if (shows()) return;
  const offered = core.ax.actions(ref).includes(ACTION.scrollToVisible);
  if (!offered || core.ax.perform(ref, ACTION.scrollToVisible) === 'unsupported') {
    throw new DesktopError('unsupported', message('native.toolkit_no_scroll'));
  }
  if (!(await becomes(shows, signal))) throw new DesktopError('failed', message('native.scrolled_not_showing'));
}

const LOOK = [ATTRIBUTE.role, ATTRIBUTE.subrole, ATTRIBUTE.characterCount] as const;

/**
 * What tells one text of the focused element of a process from another; null where it has none. Of a password field only how long
 * it is.
 */
export function focusedText({ ax, scoped }: Core, pid: number): string | null {
  return scoped((scope) =>
    nullWithoutAnswer(() => {
      const focused = elementOf(ax.attribute(scope, ax.application(scope, pid), ATTRIBUTE.focusedElement));
      if (focused === null) return null;
      const [role, subrole, characters] = ax.attributes(scope, focused, LOOK);
      const count = characters?.kind === 'number' ? String(characters.number) : null;
      if (isSecure(textOf(role) ?? 'AXUnknown', subrole)) return count;
      const text = textOf(ax.attribute(scope, focused, ATTRIBUTE.value));
      if (text === null) return count;
      return `${count} ${createHash('sha256').update(text).digest('base64')}`;
    }),
  );
}
