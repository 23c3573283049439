import {
  DesktopError,
  type Element,
  type FindResult,
  keepNodes,
  matches,
  type Rect,
  type Scope,
  type Selector,
  type Tree,
  type TreeLimits,
} from '../../desktop.js';
import { idOf, nullFor, parseId, type Ref, rootOf } from './bus.js';
import { createCallLimit } from './queries.js';
import { describeObject, hasNoPlace, identifierOf, valueOf } from './describe.js';
import type { AppContext } from './app-context.js';
import { corrected, type AccessibleTree, type Start, type Line } from './accessible-tree.js';
import { drawsOwnCells } from './toolkit.js';
import {
  axRole,
  CELLS,
  LABELLED,
  nativeRole,
  ROLE,
  rolesReportedAs,
  type AccessibleObject,
  describeStates,
  has,
  STATE,
} from './accessible-object.js';
import { openPageWaiter, openDocumentContexts } from './documents.js';
import { EVERYTHING, searchFor, type Wanted } from './list-search.js';
import { type ObjectSnapshot, type SnapshotNode, withAncestors } from './object-reader.js';
import { message } from '../../../messages/index.js';

/** Reads elements: trees, searches, single elements. */
export interface ElementReader {
  tree(scope: Scope, limits: TreeLimits, signal: AbortSignal): Promise<Tree>;
  find(scope: Scope, selector: Selector, limit: number, limits: TreeLimits, signal: AbortSignal): Promise<FindResult>;
  element(id: string, signal: AbortSignal): Promise<Element>;
  ancestors(id: string, signal: AbortSignal): Promise<Element[]>;
  /** One node of a snapshot, described. `frame`: where the same reading has read it already. */
  describeNode(
    snapshot: ObjectSnapshot,
    node: SnapshotNode,
    app: AppContext,
    signal: AbortSignal,
    given?: { brief?: boolean; frame?: Rect | undefined },
  ): Promise<Element>;
}

interface Reading {
  start: Start;
  snapshot: ObjectSnapshot;
  deadline: number;
  notes: { note?: string };
}

const nullWhenGone = nullFor('stale', 'unsupported', 'failed');
const CONCURRENT_READS = { least: 24, most: 256 };

export function openElementReader(accessibleTree: AccessibleTree): ElementReader {
  const { bus, reader } = accessibleTree;
  const pages = openPageWaiter(bus);
  const documentContexts = openDocumentContexts(bus, accessibleTree);

  const read = async (scope: Scope, limits: TreeLimits, selector: Selector, signal: AbortSignal): Promise<Reading> => {
    const deadline = Date.now() + limits.timeoutMs;
    const start = await accessibleTree.resolve(scope, signal);
    const wanted = wantedBy(selector);
    const search = searchFor(start.app.toolkit, wanted);
    // With Qt, descendants of a hidden object are hidden too, and its tree is read object by object.
    const isQt = start.app.toolkit.name === 'qt';
    const prune = limits.visibleOnly === true && isQt;
    const withoutCells = findsNoCells(start.app, wanted);
    const all = { ...limits, deadline, prune, search, wanted, withoutCells, keepsHidden: isQt && !prune };
    const take = () => reader.snapshot(start.ref, start.path, all, signal);
    const first = await take();
    const browser = start.app.toolkit.name === 'chromium' && scope.elementId === undefined;
    const { snapshot, note } = browser
      ? await pages.waitForPages(first, take, deadline, signal)
      : { snapshot: first, note: null };
    const open =
      limits.hides === undefined ? snapshot : await documentContexts.without(snapshot, start.app, limits.hides, signal);
    start.app.gtk4Layout?.noteRead(open.nodes.map(({ item }) => item));
    const shown = await corrected(bus, start.app, open, signal);
    return { start, snapshot: shown, deadline, notes: note === null ? {} : { note } };
  };

  const described = (
    snapshot: ObjectSnapshot,
    node: SnapshotNode,
    app: AppContext,
    signal: AbortSignal,
    given: { brief?: boolean; frame?: Rect | undefined },
  ): Promise<Element> =>
    describeObject(bus, app, node.item, node.path, { secure: isSecure(snapshot, node), ...given }, signal).catch(
      (error: unknown) => {
        if (error instanceof DesktopError && error.code === 'stale')
          return describeWithoutReading(app, node, isSecure(snapshot, node));
        throw error;
      },
    );

  const describeNode: ElementReader['describeNode'] = async (snapshot, node, app, signal, given = {}) => {
    const [element, context] = await Promise.all([
      described(snapshot, node, app, signal, given),
      documentContexts.ofNode(snapshot, node, app, signal),
    ]);
    return { ...element, ...context };
  };

  /** With GTK 4 a position tells it: most rows of a long list have none, and are not read any further. */
  const shownIn = async (
    nodes: readonly SnapshotNode[],
    app: AppContext,
    deadline: number,
    signal: AbortSignal,
  ): Promise<ReadonlySet<AccessibleObject>> => {
    const limitReads = createCallLimit(CONCURRENT_READS.least, CONCURRENT_READS.most);
    const isHidden = (item: AccessibleObject) =>
      Date.now() < deadline && hasNoPlace(bus, app, item, signal).catch(nullWhenGone);
    const showing = nodes.map(({ item }) => item).filter(({ states }) => has(states, STATE.showing));
    const hidden = await Promise.all(showing.map((item) => limitReads(async () => isHidden(item))));
    return new Set(showing.filter((_, index) => hidden[index] === false));
  };

  const tree: ElementReader['tree'] = async (scope, limits, signal) => {
    const {
      start,
      snapshot: whole,
      deadline,
      notes,
    } = await read(scope, limits, { visibleOnly: limits.visibleOnly === true }, signal);
    const shown = limits.visibleOnly === true ? await shownIn(whole.nodes, start.app, deadline, signal) : null;
    const snapshot = { ...whole, nodes: keepNodes(whole.nodes, ({ item }) => shown?.has(item) !== false) };
    const limitReads = createCallLimit(CONCURRENT_READS.least, CONCURRENT_READS.most);
    const truncated = { ...snapshot.truncated };
    const elements = await Promise.all(
      snapshot.nodes.map((node, index) =>
        limitReads(async () => {
          if (index > 0 && Date.now() >= deadline) return null;
          return describeNode(snapshot, node, start.app, signal, { brief: limits.brief === true });
        }),
      ),
    );
    const firstSkipped = elements.indexOf(null);
    if (firstSkipped >= 0) truncated.time = true;
    const kept = (firstSkipped < 0 ? elements : elements.slice(0, firstSkipped)).filter((element) => element !== null);
    const nodes = kept.map((element, index) => {
      const { depth = 0, parent = -1, item } = snapshot.nodes[index] ?? {};
      return { element, depth, parent, childCount: Math.max(0, item?.childCount ?? 0) };
    });
    const seen = limits.visibleOnly === true ? keepNodes(nodes, ({ element }) => element.states.visible) : nodes;
    return { nodes: seen, truncated, ...notes };
  };

  const find: ElementReader['find'] = async (scope, selector, limit, limits, signal) => {
    const { start, snapshot, deadline, notes } = await read(
      scope,
      { ...limits, visibleOnly: selector.visibleOnly === true },
      selector,
      signal,
    );
    const limitReads = createCallLimit(CONCURRENT_READS.least, CONCURRENT_READS.most);
    const truncated = { ...snapshot.truncated };
    // Only nodes that match so far are read further, and only those that are returned are read completely.
    const candidates = snapshot.nodes.filter((node) => mayFit(node, selector));
    const confirmed = await Promise.all(
      candidates.map((node) =>
        limitReads(async () => {
          if (Date.now() >= deadline) return void (truncated.time = true);
          return (await fitsWhenRead(accessibleTree, start.app, snapshot, node, selector, signal)) ? node : undefined;
        }),
      ),
    );
    const found = confirmed.filter((node) => node !== undefined);
    const elements = await Promise.all(
      found.slice(0, limit).map((node) => limitReads(() => describeNode(snapshot, node, start.app, signal))),
    );
    return { elements, matched: found.length, truncated, ...notes };
  };

  const processOf = async (ref: Ref): Promise<number> => {
    const pid = await bus.pidOf(ref.bus);
    if (pid === 0) throw new DesktopError('stale', message('error.app_ended_look'));
    return pid;
  };

  const describeIn = async (
    { ancestors, path }: Line,
    item: AccessibleObject,
    app: AppContext,
    signal: AbortSignal,
  ): Promise<Element> => {
    const secure = [item, ...ancestors.slice(0, 1)].some(({ role }) => role === ROLE.passwordText);
    const [element, context] = await Promise.all([
      describeObject(bus, app, app.correct(item, path), path, { secure }, signal),
      documentContexts.ofChain([item, ...ancestors], app, signal),
    ]);
    return { ...element, ...context };
  };

  const element = async (ref: Ref, signal: AbortSignal): Promise<Element> => {
    const pid = await processOf(ref);
    const item = await reader.item(ref, signal);
    const [line, app] = await Promise.all([
      accessibleTree.lineOf(item, signal),
      accessibleTree.context(rootOf(ref.bus), pid, signal),
    ]);
    return describeIn(line, item, app, signal);
  };

  const ancestorsOf = async (ref: Ref, signal: AbortSignal): Promise<Element[]> => {
    const pid = await processOf(ref);
    await reader.states(ref, signal);
    const [{ ancestors, path }, app] = await Promise.all([
      accessibleTree.lineAbove(ref, signal),
      accessibleTree.context(rootOf(ref.bus), pid, signal),
    ]);
    const lineFrom = (place: number): Line => ({
      ancestors: ancestors.slice(place + 1),
      path: path.slice(0, path.length - place),
    });
    return Promise.all(
      ancestors.map(async (one, at) => describeIn(lineFrom(at), await reader.item(one.ref, signal, true), app, signal)),
    );
  };

  return {
    // Not for more than the window itself: sent all at once, requests would overtake input that the application has not handled yet.
    tree: (scope, limits, signal) =>
      scope.windowId === undefined || limits.maxNodes > 1
        ? tree(scope, limits, signal)
        : bus.reading([`window ${scope.windowId}`], signal, () => tree(scope, limits, signal)),
    find,
    describeNode,
    element: async (id, signal) => element(parseId(id), signal),
    ancestors: async (id, signal) => {
      const ref = parseId(id);
      return bus.reading([`ancestors ${id}`, `ancestors in ${ref.bus}`], signal, () => ancestorsOf(ref, signal));
    },
  };
}

/** A password field, or a part of one: with GTK 4 the text is in a child. */
export function isSecure(snapshot: ObjectSnapshot, node: SnapshotNode): boolean {
  return withAncestors(snapshot, node).some(({ item }) => item.role === ROLE.passwordText);
}

function wantedBy({ role, roles, titleContains, visibleOnly }: Selector): Wanted {
  const asked = role === undefined ? roles : [role];
  const known = asked?.map(rolesReportedAs) ?? [null];
  const fitting = known.includes(null) ? null : new Set(known.flatMap((numbers) => numbers ?? []));
  if (visibleOnly !== true && titleContains === undefined && fitting === null) return EVERYTHING;
  return {
    state: visibleOnly === true ? STATE.showing : null,
    roles: fitting,
    named: titleContains === undefined ? null : (name) => name.includes(titleContains),
    unnamed: fitting === null ? LABELLED : new Set([...fitting].filter((one) => LABELLED.has(one))),
  };
}

/** Then a table is no part of the search, however large it is. */
const findsNoCells = ({ toolkit }: AppContext, { roles }: Wanted): boolean =>
  roles !== null && drawsOwnCells(toolkit) && ![...roles].some((role) => CELLS.has(role));

/** Whether the node can match, as far as the snapshot shows. */
function mayFit({ item, path }: SnapshotNode, selector: Selector): boolean {
  const role = axRole(item.role, has(item.states, STATE.multiLine), path.length);
  if (selector.role !== undefined && selector.role !== role) return false;
  if (selector.roles?.some((one) => one === role || one === nativeRole(item.role)) === false) return false;
  if (selector.visibleOnly === true && !has(item.states, STATE.showing)) return false;
  const nameLater = item.name === '' && LABELLED.has(item.role);
  return selector.titleContains === undefined || nameLater || item.name.includes(selector.titleContains);
}

async function fitsWhenRead(
  { bus }: AccessibleTree,
  app: AppContext,
  snapshot: ObjectSnapshot,
  node: SnapshotNode,
  selector: Selector,
  signal: AbortSignal,
): Promise<boolean> {
  const { item, path } = node;
  const { titleContains, valueContains, identifier } = selector;
  try {
    if (titleContains !== undefined && item.name === '') {
      return matches(
        selector,
        await describeObject(bus, app, item, path, { secure: isSecure(snapshot, node) }, signal),
      );
    }
    if (selector.visibleOnly === true && (await hasNoPlace(bus, app, item, signal))) return false;
    if (identifier !== undefined && (await identifierOf(bus, app, item, signal)) !== identifier) return false;
    if (valueContains === undefined) return true;
    if (isSecure(snapshot, node)) return valueContains === '';
    return ((await valueOf(bus, app, item, signal)) ?? '').includes(valueContains);
  } catch (error) {
    const gone = error instanceof DesktopError && ['stale', 'unsupported', 'failed'].includes(error.code);
    if (gone) return false;
    throw error;
  }
}

/** An element that was removed while it was read. */
function describeWithoutReading(app: AppContext, { item, path }: SnapshotNode, secure: boolean): Element {
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
