import pLimit from 'p-limit';
import { contains, DesktopError, type Element, type Point, type Rect } from '../../desktop.js';
import type { Windows, XWindow } from '../x11/windows.js';
import { frameOf } from './describe.js';
import type { AppContext } from './app-context.js';
import { keyboardHolder } from './keyboard.js';
import type { Looking } from './looking.js';
import { axRole, PRESSED, ROLE } from './roles.js';
import type { Placed, Scene } from './scene.js';
import { mapItems, type Snapshot, type SnapshotLimits, type SnapshotNode } from './snapshot.js';
import { has, STATE } from './states.js';

/** From the screen to elements: what is at a point, what has the focus. */
export interface Hitting {
  at(point: Point, signal: AbortSignal): Promise<Element | null>;
  focused(signal: AbortSignal): Promise<Element | null>;
}

const PATIENCE = 5000;
const MOST_NODES = 100_000;
const POPUPS: ReadonlySet<number> = new Set([ROLE.menu, ROLE.popupMenu, ROLE.window, ROLE.toolTip]);

interface View {
  snapshot: Snapshot;
  app: AppContext;
}

export function openHitting(scene: Scene, looking: Looking, windows: Windows): Hitting {
  /** What Qt hides hides what is in it, and its tree is read object by object. */
  const showing = ({ toolkit }: AppContext): SnapshotLimits => ({
    maxDepth: 200,
    maxNodes: MOST_NODES,
    deadline: Date.now() + PATIENCE,
    prune: toolkit.name === 'qt',
  });

  const viewOf = async (window: XWindow, start: Placed, signal: AbortSignal): Promise<View> => {
    const root = { bus: start.ref.bus, path: '/org/a11y/atspi/accessible/root' };
    const app = await scene.context(root, window.pid, signal);
    const snapshot = await scene.reader.snapshot(start.ref, start.path, showing(app), signal);
    return { snapshot: mapItems(snapshot, app.seen), app };
  };

  /** The part of the tree that the window shows; for menus and the like, which have no part of their own, all of it. */
  const look = async (window: XWindow, signal: AbortSignal): Promise<View | null> => {
    if (window.pid === 0) return null;
    try {
      const top = window.normal ? await scene.topLevelOf(window, signal) : null;
      if (top !== null) return await viewOf(window, top, signal);
      const [root] = await scene.rootsOf(window.pid, signal);
      return root === undefined ? null : await viewOf(window, { ref: root, path: [] }, signal);
    } catch (error) {
      if (error instanceof DesktopError && error.code === 'not_found') return null;
      throw error;
    }
  };

  const framesOf = (nodes: SnapshotNode[], app: AppContext, signal: AbortSignal): Promise<(Rect | null)[]> => {
    const lane = pLimit(64);
    const frame = ({ item }: SnapshotNode): Promise<Rect | null> =>
      frameOf(scene.bus, app, item, signal).catch(whenGone);
    return Promise.all(nodes.map((node) => lane(() => frame(node))));
  };

  const descend = async ({ snapshot, app }: View, point: Point, signal: AbortSignal): Promise<SnapshotNode | null> => {
    const childrenOf = childIndex(snapshot);
    const into = async (node: SnapshotNode): Promise<SnapshotNode> => {
      let candidates = childrenOf(node);
      let fallback: SnapshotNode = node;
      while (candidates.length > 0) {
        const shown = candidates.filter(({ item }) => has(item.states, STATE.showing));
        const frames = await framesOf(shown, app, signal);
        const hits = shown.filter((_, index) => holds(frames[index], point));
        // Of siblings that overlap the later one lies on top, unless it is an empty container.
        for (const hit of hits.reverse()) {
          const found = await into(hit);
          if (!isContainer(found)) return found;
          if (fallback === node) fallback = found;
        }
        // GTK 3 gives a page of a notebook the place of its tab.
        const tells = (node: SnapshotNode, index: number) => frames[index] !== null && node.item.role !== ROLE.pageTab;
        candidates = shown.filter((node, index) => !tells(node, index)).flatMap(childrenOf);
      }
      // A plain box inside a text or button is only a part of how that is drawn.
      return isContainer(node) ? fallback : node;
    };
    const first = snapshot.nodes[0];
    return first === undefined ? null : into(first);
  };

  const searchAll = async (
    { snapshot, app }: View,
    point: Point,
    signal: AbortSignal,
  ): Promise<SnapshotNode | null> => {
    const shown = snapshot.nodes.filter(
      ({ item }) => has(item.states, STATE.showing) && item.role !== ROLE.application,
    );
    const frames = await framesOf(shown, app, signal);
    const hits = shown.filter((_, index) => holds(frames[index], point));
    const inPopup = hits.filter((node) => lineage(snapshot, node).some(({ item }) => POPUPS.has(item.role)));
    return (inPopup.length > 0 ? inPopup : hits).reduce<SnapshotNode | null>(
      (best, node) => (best === null || node.depth >= best.depth ? node : best),
      null,
    );
  };

  const at: Hitting['at'] = async (point, signal) => {
    const window = await windows.at(point);
    const view = window === null ? null : await look(window, signal);
    if (window === null || view === null) return null;
    const whole = view.snapshot.nodes[0]?.item.role === ROLE.application;
    const node = await (whole ? searchAll : descend)(view, point, signal);
    const hit = node === null || view.app.placing === null ? node : controlOf(view.snapshot, node);
    return hit === null ? null : looking.describeNode(view.snapshot, hit, view.app, signal);
  };

  const focused: Hitting['focused'] = async (signal) => {
    const active = await windows.active();
    const window = active === 0 ? null : await windows.find(active);
    const view = window === null ? null : await look(window, signal);
    if (view === null) return null;
    const node = keyboardHolder(view.snapshot);
    return node === null ? null : looking.describeNode(view.snapshot, node, view.app, signal);
  };

  return { at, focused };
}

function isContainer({ item, path }: SnapshotNode): boolean {
  return ['AXGroup', 'AXUnknown', 'AXWindow'].includes(axRole(item.role, false, path.length));
}

/** GTK 4 tells of the words and pictures that a control is drawn with. */
function controlOf(snapshot: Snapshot, node: SnapshotNode): SnapshotNode {
  const drawn = ['AXStaticText', 'AXImage'].includes(axRole(node.item.role, false, node.path.length));
  if (!drawn && !isContainer(node)) return node;
  return lineage(snapshot, node).find(({ item }) => PRESSED.has(item.role)) ?? node;
}

function holds(frame: Rect | null | undefined, point: Point): boolean {
  return frame !== null && frame !== undefined && contains(frame, point);
}

function childIndex(snapshot: Snapshot): (node: SnapshotNode) => SnapshotNode[] {
  const children = new Map<SnapshotNode | undefined, SnapshotNode[]>();
  for (const node of snapshot.nodes) {
    const parent = snapshot.nodes[node.parent];
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [node]);
    else siblings.push(node);
  }
  return (node) => children.get(node) ?? [];
}

function lineage(snapshot: Snapshot, node: SnapshotNode): SnapshotNode[] {
  const line: SnapshotNode[] = [];
  for (let at: SnapshotNode | undefined = node; at !== undefined; at = snapshot.nodes[at.parent]) line.push(at);
  return line;
}

function whenGone(error: unknown): null {
  if (error instanceof DesktopError && ['stale', 'unsupported', 'failed'].includes(error.code)) return null;
  throw error;
}
