import pLimit from 'p-limit';
import { contains } from '../../../base/rect.js';
import { DesktopError, type Element, type Point, type Rect } from '../../desktop.js';
import type { Windows, TopLevelWindow } from '../windows.js';
import { frameOf } from './describe.js';
import type { AppContext } from './app-context.js';
import { findKeyboardFocus, FocusedRow } from './keyboard-focus.js';
import type { ElementReader } from './element-reader.js';
import { axRole, PRESSED, ROLE, has, STATE } from './accessible-object.js';
import type { CountedPosition, AccessibleTree } from './accessible-tree.js';
import { nullFor, rootOf } from './bus.js';
import { UNSCALED } from './window-origins.js';
import { FOCUSED, searchFor, SHOWING, type Wanted } from './list-search.js';
import {
  mapItems,
  type ObjectSnapshot,
  type SnapshotLimits,
  type SnapshotNode,
  withAncestors,
} from './object-reader.js';

/** Finds the element at a point of the screen, and the element with the keyboard focus. */
export interface HitTesting {
  at(point: Point, signal: AbortSignal): Promise<Element | null>;
  focused(signal: AbortSignal): Promise<Element | null>;
}

const SNAPSHOT_TIMEOUT_MS = 5000;
const MAX_NODES = 100_000;
const nullWhenGone = nullFor('stale', 'unsupported', 'failed');
const HEADERS: ReadonlySet<number> = new Set([ROLE.tableColumnHeader, ROLE.tableRowHeader]);
const POPUPS: ReadonlySet<number> = new Set([ROLE.menu, ROLE.popupMenu, ROLE.window, ROLE.toolTip]);

interface WindowTree {
  snapshot: ObjectSnapshot;
  app: AppContext;
  /** As far as they were read. */
  frames: Map<SnapshotNode, Rect | null>;
}

export function openHitTesting(
  accessibleTree: AccessibleTree,
  elementReader: ElementReader,
  windows: Windows,
): HitTesting {
  const { reading } = accessibleTree.bus;
  const focusedRow = new FocusedRow(accessibleTree.bus);
  /** With Qt, descendants of a hidden object are hidden too, and its tree is read object by object. */
  const snapshotLimits = ({ toolkit }: AppContext, wanted: Wanted): SnapshotLimits => ({
    maxDepth: 200,
    maxNodes: MAX_NODES,
    deadline: Date.now() + SNAPSHOT_TIMEOUT_MS,
    prune: toolkit.name === 'qt',
    search: searchFor(toolkit, wanted),
  });

  const readTree = async (
    window: TopLevelWindow,
    start: CountedPosition,
    wanted: Wanted,
    signal: AbortSignal,
    at?: Point,
  ): Promise<WindowTree> => {
    const app = await accessibleTree.context(rootOf(start.ref.bus), window.pid, signal);
    const cellOnly =
      at !== undefined && app.gtk4Layout === null && app.origins === null && app.scaling === UNSCALED ? { at } : {};
    const limits = { ...snapshotLimits(app, wanted), startCount: start.childCount, ...cellOnly };
    const snapshot = await accessibleTree.reader.snapshot(start.ref, start.path, limits, signal);
    app.gtk4Layout?.noteRead(snapshot.nodes.map(({ item }) => item));
    return { snapshot: mapItems(snapshot, app.correct), app, frames: new Map() };
  };

  /** The subtree of the window; for menus and similar windows, which have none, the whole tree of the application. */
  const readWindow = async (
    window: TopLevelWindow,
    wanted: Wanted,
    signal: AbortSignal,
    at?: Point,
  ): Promise<WindowTree | null> => {
    if (window.pid === 0) return null;
    try {
      const top = window.normal ? await accessibleTree.topLevelOf(window, signal) : null;
      if (top !== null) return await readTree(window, top, wanted, signal, at);
      const [root] = await accessibleTree.rootsOf(window.pid, signal);
      return root === undefined ? null : await readTree(window, { ref: root, path: [] }, wanted, signal, at);
    } catch (error) {
      if (error instanceof DesktopError && error.code === 'not_found') return null;
      throw error;
    }
  };

  const framesOf = (
    nodes: SnapshotNode[],
    { app, frames }: WindowTree,
    signal: AbortSignal,
  ): Promise<(Rect | null)[]> => {
    const limitReads = pLimit(64);
    const read = async (node: SnapshotNode): Promise<Rect | null> => {
      const frame = await frameOf(accessibleTree.bus, app, node.item, signal).catch(nullWhenGone);
      frames.set(node, frame);
      return frame;
    };
    return Promise.all(nodes.map((node) => limitReads(() => read(node))));
  };

  const findByDescent = async (view: WindowTree, point: Point, signal: AbortSignal): Promise<SnapshotNode | null> => {
    const { snapshot } = view;
    const childrenOf = childIndex(snapshot);
    const descendInto = async (node: SnapshotNode): Promise<SnapshotNode> => {
      let candidates = childrenOf(node);
      let fallback: SnapshotNode = node;
      while (candidates.length > 0) {
        const shown = candidates.filter(({ item }) => has(item.states, STATE.showing));
        const frames = await framesOf(shown, view, signal);
        const hits = headersLast(shown.filter((_, index) => frameContains(frames[index], point)));
        // Of overlapping siblings the later one is on top, unless it is an empty container.
        for (const hit of hits.reverse()) {
          const found = await descendInto(hit);
          if (!isContainer(found)) return found;
          if (fallback === node) fallback = found;
        }
        // GTK 3 reports the position of the tab for a page of a notebook.
        const hasOwnFrame = (node: SnapshotNode, index: number) =>
          frames[index] !== null && node.item.role !== ROLE.pageTab;
        candidates = shown.filter((node, index) => !hasOwnFrame(node, index)).flatMap(childrenOf);
      }
      // A plain box inside a text or button is only a part of its drawing.
      return isContainer(node) ? fallback : node;
    };
    const first = snapshot.nodes[0];
    return first === undefined ? null : descendInto(first);
  };

  /**
   * For a window that may lie over others of its application. Elements of the windows below are no hits; for a menu of Qt, which
   * reports no items of it, they would be the only ones.
   */
  const findInAll = async (
    view: WindowTree,
    window: TopLevelWindow,
    point: Point,
    signal: AbortSignal,
  ): Promise<SnapshotNode | null> => {
    const { snapshot, frames } = view;
    const shown = snapshot.nodes.filter(
      ({ item }) => has(item.states, STATE.showing) && item.role !== ROLE.application,
    );
    await framesOf(shown, view, signal);
    const under = shown.filter((node) => frameContains(frames.get(node), point));
    const hits = await drawnIn(view, window, under, signal);
    const chains = hits.map((node) => withAncestors(snapshot, node));
    const isOfWindow = (chain: SnapshotNode[]): boolean => {
      const top = chain.find(({ depth }) => depth === 1);
      const frame = top === undefined ? undefined : frames.get(top);
      return frame != null && (isAlmost(frame, window.client) || isAlmost(frame, window.frame));
    };
    const inPopup = chains.filter((chain) => chain.some(({ item }) => POPUPS.has(item.role)));
    const sure = view.app.gtk4Layout !== null;
    const inWindow = chains.filter((chain) => sure || isOfWindow(chain) || isInOpenList(chain));
    return (inPopup.length > 0 ? inPopup : inWindow)
      .flatMap((chain) => chain.slice(0, 1))
      .reduce<SnapshotNode | null>((best, node) => (best === null || node.depth >= best.depth ? node : best), null);
  };

  /** Most often it is the window of the last time: that one's elements are asked about while the X server says which it is. */
  const inWindow = (
    what: string,
    signal: AbortSignal,
    find: () => Promise<TopLevelWindow | null>,
    look: (window: TopLevelWindow) => Promise<Element | null>,
  ): Promise<Element | null> =>
    reading([what], signal, async () => {
      const window = await find();
      return window === null ? null : reading([`${what} of ${window.id}`], signal, () => look(window));
    });

  const atIn = async (window: TopLevelWindow, point: Point, signal: AbortSignal): Promise<Element | null> => {
    const view = await readWindow(window, SHOWING, signal, point);
    if (view === null) return null;
    const whole = view.snapshot.nodes[0]?.item.role === ROLE.application;
    const node = await (whole ? findInAll(view, window, point, signal) : findByDescent(view, point, signal));
    const hit = node === null || view.app.gtk4Layout === null ? node : controlOf(view.snapshot, node);
    if (hit === null) return null;
    const frame = view.frames.get(hit) ?? undefined;
    return elementReader.describeNode(view.snapshot, hit, view.app, signal, { frame });
  };

  const at: HitTesting['at'] = (point, signal) =>
    inWindow(
      'element at a point',
      signal,
      () => windows.at(point, signal),
      (window) => atIn(window, point, signal),
    );

  const focusedIn = async (window: TopLevelWindow, signal: AbortSignal): Promise<Element | null> => {
    const view = await readWindow(window, FOCUSED, signal);
    if (view === null) return null;
    const node = findKeyboardFocus(view.snapshot);
    if (node === null) return null;
    const [element, id] = await Promise.all([
      elementReader.describeNode(view.snapshot, node, view.app, signal),
      focusedRow.nameOf(node.item, signal),
    ]);
    return { ...element, id };
  };

  const focused: HitTesting['focused'] = (signal) =>
    inWindow(
      'focused element',
      signal,
      () => windows.front(signal),
      (window) => focusedIn(window, signal),
    );

  return { at, focused };
}

/** Of cells, Qt tells also what lies below the headers of their table. */
const headersLast = (hits: readonly SnapshotNode[]): SnapshotNode[] =>
  hits.toSorted((one, other) => Number(HEADERS.has(one.item.role)) - Number(HEADERS.has(other.item.role)));

/** GTK 4 tells which window an element is drawn in; popovers have windows of their own. */
async function drawnIn(
  { app: { gtk4Layout: layout } }: WindowTree,
  { id }: TopLevelWindow,
  nodes: SnapshotNode[],
  signal: AbortSignal,
): Promise<SnapshotNode[]> {
  if (layout === null) return nodes;
  const places = await Promise.all(nodes.map(({ item }) => layout.placeOf(item.ref, signal)));
  return nodes.filter((_, index) => places[index]?.id === id);
}

function isContainer({ item, path }: SnapshotNode): boolean {
  return ['AXGroup', 'AXUnknown', 'AXWindow'].includes(axRole(item.role, false, path.length));
}

/** GTK 4 reports the labels and images inside a control as elements; the hit is the control. */
function controlOf(snapshot: ObjectSnapshot, node: SnapshotNode): SnapshotNode {
  const drawn = ['AXStaticText', 'AXImage'].includes(axRole(node.item.role, false, node.path.length));
  if (!drawn && !isContainer(node)) return node;
  const chain = withAncestors(snapshot, node);
  const control = chain.findIndex(({ item }) => PRESSED.has(item.role));
  // An item of an open list is none of the drop-down's own parts: it is chosen by a click of its own.
  const item = chain.findIndex(({ item }) => item.role === ROLE.listItem || item.role === ROLE.list);
  return (item >= 0 && item < control ? undefined : chain[control]) ?? node;
}

/** In the open list of a combo box, which Qt reports inside the window below. */
function isInOpenList(chain: readonly SnapshotNode[]): boolean {
  const list = chain.findIndex(({ item }) => item.role === ROLE.list);
  return list >= 0 && chain.slice(list).some(({ item }) => item.role === ROLE.comboBox);
}

const isAlmost = (one: Rect, other: Rect): boolean =>
  (['x', 'y', 'width', 'height'] as const).every((side) => Math.abs(one[side] - other[side]) <= 2);

function frameContains(frame: Rect | null | undefined, point: Point): boolean {
  return frame !== null && frame !== undefined && contains(frame, point);
}

function childIndex(snapshot: ObjectSnapshot): (node: SnapshotNode) => SnapshotNode[] {
  const children = new Map<SnapshotNode | undefined, SnapshotNode[]>();
  for (const node of snapshot.nodes) {
    const parent = snapshot.nodes[node.parent];
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [node]);
    else siblings.push(node);
  }
  return (node) => children.get(node) ?? [];
}
