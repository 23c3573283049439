/** Reads applications, windows and elements. */
import { DesktopError, type DesktopBackend, type ElementReading } from '../desktop.js';
import { type Gate, isScrolledAway, type State } from './model.js';
import {
  ancestorsOf,
  appOf,
  describeTreeObject,
  describeApp,
  describeWindow,
  findIn,
  elementAtPoint,
  ownerOf,
  treeObjectOf,
  treeOf,
  windowAt,
  type TreeObject,
} from './accessibility-tree.js';
import { message } from '../../messages/index.js';

/** Finds an object of the tree, once its application answers. */
export type FindTreeObject = (id: string, signal: AbortSignal) => Promise<TreeObject>;

export const createFindTreeObject =
  (state: State, gate: Gate, requireAccessibility: () => void): FindTreeObject =>
  async (id, signal) => {
    await gate.enter(signal);
    requireAccessibility();
    const object = treeObjectOf(state, id);
    await gate.answering(ownerOf(object), signal);
    return object;
  };

export function createReader(
  state: State,
  gate: Gate,
  requireAccessibility: () => void,
  findTreeObject: FindTreeObject,
): ElementReading {
  const tree: DesktopBackend['tree'] = async (scope, limits, signal) => {
    await gate.enter(signal);
    requireAccessibility();
    await waitUntilResponsive(state, gate, scope.pid, limits.timeoutMs, signal);
    return treeOf(state, scope, limits, state.now);
  };

  return {
    tree,
    async apps(signal) {
      await gate.enter(signal);
      return state.apps.map((app) => describeApp(state, app));
    },
    async windows(signal) {
      await gate.enter(signal);
      return state.stack.map((window) => describeWindow(state, window));
    },
    async stack(signal) {
      await gate.enter(signal);
      const shown = state.stack.map((window) => describeWindow(state, window)).filter(({ visible }) => visible);
      return shown.map(({ app, title, frame, focused, normal }) => {
        return { pid: app.pid, title, frame, areas: [frame], managed: normal, focused };
      });
    },
    async frontmost(signal) {
      await gate.enter(signal);
      const window = state.active;
      if (window === null) return { app: null, window: null };
      return { app: describeApp(state, window.app), window: describeWindow(state, window) };
    },
    find: async (scope, selector, limit, limits, signal) => findIn(await tree(scope, limits, signal), selector, limit),
    element: async (id, signal) => describeTreeObject(state, await findTreeObject(id, signal)),
    ancestors: async (id, signal) =>
      ancestorsOf(await findTreeObject(id, signal)).map((object) => describeTreeObject(state, object)),
    async elementAt(point, signal) {
      await gate.enter(signal);
      requireAccessibility();
      const window = windowAt(state, point);
      if (window === null) return null;
      await gate.answering(window.app, signal);
      const element = elementAtPoint(window, point);
      return describeTreeObject(state, element === null ? { kind: 'window', window } : { kind: 'element', element });
    },
    async windowAt(point, signal) {
      await gate.enter(signal);
      const window = windowAt(state, point);
      return window === null ? null : describeWindow(state, window);
    },
    async focusedElement(signal) {
      await gate.enter(signal);
      requireAccessibility();
      const element = state.active?.focus ?? null;
      if (element === null) return null;
      await gate.answering(element.window.app, signal);
      return describeTreeObject(state, { kind: 'element', element });
    },
    async scrollerOf(id, signal) {
      const object = await findTreeObject(id, signal);
      if (object.kind !== 'element' || !isScrolledAway(object.element)) return null;
      return describeTreeObject(state, { kind: 'window', window: object.element.window });
    },
  };
}

/** Reading a tree has its own time limit; after it an application that never answers is reported as not responding. */
async function waitUntilResponsive(
  state: State,
  gate: Gate,
  pid: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const app = appOf(state, pid);
  if (app.hang !== 'silent') return gate.answering(app, signal);
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    await gate.answering(app, AbortSignal.any([signal, limit]));
  } catch (thrown) {
    if (signal.aborted || !limit.aborted) throw thrown;
    throw new DesktopError('not_responding', message('native.app_silent'), { pid });
  }
}
