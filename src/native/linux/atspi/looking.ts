import pLimit from 'p-limit';
import {
  DesktopError,
  type Element,
  type FindResult,
  keepNodes,
  matches,
  type Scope,
  type Selector,
  type Tree,
  type TreeLimits,
} from '../../desktop.js';
import { idOf, parseId, type Ref } from './bus.js';
import { describe, frameOf, identifierOf, valueOf } from './describe.js';
import type { AppContext } from './app-context.js';
import { axRole, LABELLED, nativeRole, ROLE } from './roles.js';
import { openPages } from './pages.js';
import { openSurroundings } from './surroundings.js';
import type { Scene, Start } from './scene.js';
import { mapItems, type Snapshot, type SnapshotNode } from './snapshot.js';
import type { Item } from './item.js';
import { describeStates, has, STATE } from './states.js';

/** Reading elements: whole trees, searches, single ones. */
export interface Looking {
  tree(scope: Scope, limits: TreeLimits, signal: AbortSignal): Promise<Tree>;
  find(scope: Scope, selector: Selector, limit: number, limits: TreeLimits, signal: AbortSignal): Promise<FindResult>;
  element(id: string, signal: AbortSignal): Promise<Element>;
  ancestors(id: string, signal: AbortSignal): Promise<Element[]>;
  /** One node of a snapshot, described. */
  describeNode(snapshot: Snapshot, node: SnapshotNode, app: AppContext, signal: AbortSignal): Promise<Element>;
}

interface Shot {
  start: Start;
  snapshot: Snapshot;
  deadline: number;
  told: { note?: string };
}

const IN_FLIGHT = 24;

export function openLooking(scene: Scene): Looking {
  const { bus, reader } = scene;
  const pages = openPages(bus);
  const surroundings = openSurroundings(scene);

  const shoot = async (scope: Scope, limits: TreeLimits, signal: AbortSignal): Promise<Shot> => {
    const deadline = Date.now() + limits.timeoutMs;
    const start = await scene.resolve(scope, signal);
    // What Qt hides hides what is in it, and its tree is read object by object.
    const prune = limits.visibleOnly === true && start.app.toolkit.name === 'qt';
    const take = () => reader.snapshot(start.ref, start.path, { ...limits, deadline, prune }, signal);
    const first = await take();
    const browser = start.app.toolkit.name === 'chromium' && scope.elementId === undefined;
    const { snapshot, note } = browser
      ? await pages.awaited(first, take, deadline, signal)
      : { snapshot: first, note: null };
    const open =
      limits.hides === undefined ? snapshot : await surroundings.without(snapshot, start.app, limits.hides, signal);
    return { start, snapshot: mapItems(open, start.app.seen), deadline, told: note === null ? {} : { note } };
  };

  const described = (snapshot: Snapshot, node: SnapshotNode, app: AppContext, signal: AbortSignal): Promise<Element> =>
    describe(bus, app, node.item, node.path, isSecure(snapshot, node), signal).catch((error: unknown) => {
      if (error instanceof DesktopError && error.code === 'stale') return bare(app, node, isSecure(snapshot, node));
      throw error;
    });

  const describeNode: Looking['describeNode'] = async (snapshot, node, app, signal) => {
    const [element, around] = await Promise.all([
      described(snapshot, node, app, signal),
      surroundings.ofNode(snapshot, node, app, signal),
    ]);
    return { ...element, ...around };
  };

  const tree: Looking['tree'] = async (scope, limits, signal) => {
    const { start, snapshot: whole, deadline, told } = await shoot(scope, limits, signal);
    const shows = ({ item }: SnapshotNode) => limits.visibleOnly !== true || has(item.states, STATE.showing);
    const snapshot = { ...whole, nodes: keepNodes(whole.nodes, shows) };
    const lane = pLimit(IN_FLIGHT);
    const truncated = { ...snapshot.truncated };
    const elements = await Promise.all(
      snapshot.nodes.map((node, index) =>
        lane(async () => {
          if (index > 0 && Date.now() >= deadline) return null;
          return describeNode(snapshot, node, start.app, signal);
        }),
      ),
    );
    const cut = elements.indexOf(null);
    if (cut >= 0) truncated.time = true;
    const kept = (cut < 0 ? elements : elements.slice(0, cut)).filter((element) => element !== null);
    const nodes = kept.map((element, index) => {
      const { depth = 0, parent = -1, item } = snapshot.nodes[index] ?? {};
      return { element, depth, parent, childCount: Math.max(0, item?.childCount ?? 0) };
    });
    // GTK 4 tells by the place only.
    const seen = limits.visibleOnly === true ? keepNodes(nodes, ({ element }) => element.states.visible) : nodes;
    return { nodes: seen, truncated, ...told };
  };

  const find: Looking['find'] = async (scope, selector, limit, limits, signal) => {
    const { start, snapshot, deadline, told } = await shoot(
      scope,
      { ...limits, visibleOnly: selector.visibleOnly === true },
      signal,
    );
    const lane = pLimit(IN_FLIGHT);
    const truncated = { ...snapshot.truncated };
    // Only what fits so far is asked for more, and only what is handed back is asked for everything.
    const likely = snapshot.nodes.filter((node) => fits(node, selector));
    const sure = await Promise.all(
      likely.map((node) =>
        lane(async () => {
          if (Date.now() >= deadline) return void (truncated.time = true);
          return (await agrees(scene, start.app, snapshot, node, selector, signal)) ? node : undefined;
        }),
      ),
    );
    const found = sure.filter((node) => node !== undefined);
    const elements = await Promise.all(
      found.slice(0, limit).map((node) => lane(() => describeNode(snapshot, node, start.app, signal))),
    );
    return { elements, matched: found.length, truncated, ...told };
  };

  const single = async (ref: Ref, signal: AbortSignal): Promise<Element> => {
    const pid = await bus.pidOf(ref.bus);
    if (pid === 0) throw new DesktopError('stale', 'The application of that element has ended. Look it up again.');
    const root = { bus: ref.bus, path: '/org/a11y/atspi/accessible/root' };
    const item = await reader.item(ref, signal);
    const [path, app, above] = await Promise.all([
      scene.pathOf(ref, signal),
      scene.context(root, pid, signal),
      scene.ancestors(ref, signal),
    ]);
    const [secure, around] = await Promise.all([
      inPassword(scene, item, above, signal),
      surroundings.ofChain([ref, ...above], app, signal),
    ]);
    return { ...(await describe(bus, app, app.seen(item, path), path, secure, signal)), ...around };
  };

  return {
    tree,
    find,
    describeNode,
    element: async (id, signal) => single(parseId(id), signal),
    ancestors: async (id, signal) => {
      const ref = parseId(id);
      await reader.item(ref, signal);
      return Promise.all((await scene.ancestors(ref, signal)).map((one) => single(one, signal)));
    },
  };
}

/** A password field, or a part of one: GTK 4 puts the text into a child. */
export function isSecure(snapshot: Snapshot, node: SnapshotNode): boolean {
  for (let at: SnapshotNode | undefined = node; at !== undefined; at = snapshot.nodes[at.parent]) {
    if (at.item.role === ROLE.passwordText) return true;
  }
  return false;
}

async function inPassword(scene: Scene, item: Item, [parent]: readonly Ref[], signal: AbortSignal): Promise<boolean> {
  if (item.role === ROLE.passwordText) return true;
  if (parent === undefined) return false;
  const [role] = await scene.bus.call(parent, 'Accessible.GetRole', { signal });
  return role === ROLE.passwordText;
}

/** As far as the snapshot tells. */
function fits({ item, path }: SnapshotNode, selector: Selector): boolean {
  const role = axRole(item.role, has(item.states, STATE.multiLine), path.length);
  if (selector.role !== undefined && selector.role !== role) return false;
  if (selector.roles?.some((one) => one === role || one === nativeRole(item.role)) === false) return false;
  if (selector.visibleOnly === true && !has(item.states, STATE.showing)) return false;
  const nameLater = item.name === '' && LABELLED.has(item.role);
  return selector.titleContains === undefined || nameLater || item.name.includes(selector.titleContains);
}

async function agrees(
  { bus }: Scene,
  app: AppContext,
  snapshot: Snapshot,
  node: SnapshotNode,
  selector: Selector,
  signal: AbortSignal,
): Promise<boolean> {
  const { item, path } = node;
  const { titleContains, valueContains, identifier } = selector;
  try {
    if (titleContains !== undefined && item.name === '') {
      return matches(selector, await describe(bus, app, item, path, isSecure(snapshot, node), signal));
    }
    if (selector.visibleOnly === true && app.placing !== null && (await frameOf(bus, app, item, signal)) === null) {
      return false;
    }
    if (identifier !== undefined && (await identifierOf(bus, app, item.ref, signal)) !== identifier) return false;
    if (valueContains === undefined) return true;
    if (isSecure(snapshot, node)) return valueContains === '';
    return ((await valueOf(bus, item, signal)) ?? '').includes(valueContains);
  } catch (error) {
    const gone = error instanceof DesktopError && ['stale', 'unsupported', 'failed'].includes(error.code);
    if (gone) return false;
    throw error;
  }
}

/** What is left to say of an element that went away while it was read. */
function bare(app: AppContext, { item, path }: SnapshotNode, secure: boolean): Element {
  return {
    id: idOf(item.ref),
    pid: app.pid,
    role: axRole(item.role, has(item.states, STATE.multiLine), path.length),
    nativeRole: nativeRole(item.role),
    title: item.name,
    description: item.description,
    value: null,
    frame: null,
    states: { ...describeStates(item.role, item.states, secure), visible: false },
    actions: [],
    path,
    identifier: '',
  };
}
