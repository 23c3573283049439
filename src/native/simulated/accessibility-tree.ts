/** What accessibility reports: elements, trees, searches, hit tests. Never the text of a secure field. */
import { contains } from '../../base/rect.js';
import {
  DesktopError,
  keepNodes,
  matches,
  type App,
  type Element,
  type FindResult,
  type Point,
  type Scope,
  type Selector,
  type Tree,
  type TreeLimits,
  type TreeNode,
  type Window,
} from '../desktop.js';
import {
  TITLE_BAR,
  editable,
  everyElement,
  focusable,
  frameOnScreen,
  showing,
  windowsOf,
  type AppState,
  type ElementState,
  type State,
  type SimulatedWindow,
} from './model.js';
import { isPressable } from './controls.js';
import { message } from '../../messages/index.js';

/** An application, a window or an element of the tree. */
export type TreeObject =
  | { kind: 'app'; app: AppState }
  | { kind: 'window'; window: SimulatedWindow }
  | { kind: 'element'; element: ElementState };

const NATIVE_ROLES: Readonly<Record<string, string>> = {
  AXButton: 'push button',
  AXCheckBox: 'check box',
  AXTextField: 'entry',
  AXTextArea: 'text',
  AXStaticText: 'label',
  AXHeading: 'heading',
  AXComboBox: 'combo box',
  AXGroup: 'panel',
  AXLink: 'link',
  AXList: 'list',
  AXRow: 'list item',
  AXDisclosureTriangle: 'toggle button',
  AXImage: 'image',
};

export function appOf(state: State, pid: number): AppState {
  const app = state.apps.find((each) => each.pid === pid);
  if (app === undefined) throw new DesktopError('not_found', message('native.no_such_process', { pid }), { pid });
  return app;
}

export function windowById(state: State, id: string): SimulatedWindow {
  const window = state.stack.find((each) => each.id === id);
  if (window === undefined)
    throw new DesktopError('not_found', message('native.no_such_window', { id }), { windowId: id });
  return window;
}

export function treeObjectOf(state: State, id: string): TreeObject {
  for (const window of state.stack) {
    if (window.elementId === id) return { kind: 'window', window };
    const element = everyElement(window).find((each) => each.id === id);
    if (element !== undefined) return { kind: 'element', element };
  }
  const app = state.apps.find((each) => appElementId(each) === id);
  if (app !== undefined) return { kind: 'app', app };
  throw new DesktopError('stale', message('native.element_gone'), { elementId: id });
}

export function ownerOf(object: TreeObject): AppState {
  if (object.kind === 'app') return object.app;
  return object.kind === 'window' ? object.window.app : object.element.window.app;
}

export function describeApp(state: State, app: AppState): App {
  const { id, name } = app.spec;
  return { id, name, pid: app.pid, startTime: app.startTime, frontmost: state.active?.app === app };
}

export function describeWindow(state: State, window: SimulatedWindow): Window {
  return {
    id: window.id,
    title: window.title,
    app: describeApp(state, window.app),
    frame: { ...window.frame },
    focused: state.active === window,
    minimized: window.minimized,
    visible: !window.minimized,
    normal: window.spec.normal ?? true,
    documentUrl: window.documentUrl,
    ...(window.documentUrl === null ? {} : { documents: { urls: [window.documentUrl], complete: true } }),
  };
}

export function describeTreeObject(state: State, object: TreeObject): Element {
  if (object.kind === 'element') return describeElement(state, object.element);
  const plain = { enabled: true, editable: false, secure: false, checked: null, selected: null, expanded: null };
  const rest = { description: '', value: null, actions: [], identifier: '' };
  if (object.kind === 'app') {
    const { app } = object;
    const states = { ...plain, visible: true, focused: state.active?.app === app };
    return {
      ...rest,
      id: appElementId(app),
      pid: app.pid,
      role: 'AXApplication',
      nativeRole: 'application',
      title: app.spec.name,
      frame: null,
      states,
      path: [],
    };
  }
  const { window } = object;
  const states = { ...plain, visible: !window.minimized, focused: state.active === window && window.focus === null };
  return {
    ...rest,
    id: window.elementId,
    pid: window.app.pid,
    role: 'AXWindow',
    nativeRole: 'frame',
    title: window.title,
    frame: { ...window.frame },
    states,
    path: pathOf(state, object),
  };
}

export function ancestorsOf(object: TreeObject): TreeObject[] {
  if (object.kind !== 'element') return [];
  const { parent, window } = object.element;
  const above: TreeObject = parent === null ? { kind: 'window', window } : { kind: 'element', element: parent };
  return [above, ...ancestorsOf(above)];
}

/** `clock` is asked before each node, so that a slow reading shows in `truncated.time`. */
export function treeOf(state: State, scope: Scope, limits: TreeLimits, clock: () => number): Tree {
  const truncated = { depth: false, nodes: false, time: false };
  const nodes: TreeNode[] = [];
  const deadline = clock() + limits.timeoutMs;
  const visit = (object: TreeObject, depth: number, parent: number): void => {
    if (nodes.length >= limits.maxNodes) truncated.nodes = true;
    if (clock() > deadline) truncated.time = true;
    if (truncated.nodes || truncated.time) return;
    const { document } = describeTreeObject(state, object);
    if (document !== undefined && limits.hides?.(document.url) === true) return;
    const children = childrenOf(state, object);
    const index =
      nodes.push({ element: describeTreeObject(state, object), depth, parent, childCount: children.length }) - 1;
    if (depth >= limits.maxDepth) truncated.depth ||= children.length > 0;
    else for (const child of children) visit(child, depth + 1, index);
  };
  visit(rootOf(state, scope), 0, -1);
  if (limits.visibleOnly !== true) return { nodes, truncated };
  return { nodes: keepNodes(nodes, ({ element }) => element.states.visible), truncated };
}

export function findIn(tree: Tree, selector: Selector, limit: number): FindResult {
  const found = tree.nodes.map((node) => node.element).filter((element) => matches(selector, element));
  return { elements: found.slice(0, limit), matched: found.length, truncated: tree.truncated };
}

export function windowAt(state: State, point: Point): SimulatedWindow | null {
  return state.stack.find((window) => !window.minimized && contains(window.frame, point)) ?? null;
}

/** The deepest element at the point, or null when only the window itself is there. */
export function elementAtPoint(window: SimulatedWindow, point: Point): ElementState | null {
  if (point.y < window.frame.y + TITLE_BAR) return null;
  return everyElement(window).findLast((each) => showing(each) && contains(frameOnScreen(each), point)) ?? null;
}

function describeElement(state: State, element: ElementState): Element {
  const { spec, window, secure } = element;
  const active = state.active === window;
  return {
    id: element.id,
    pid: window.app.pid,
    role: spec.role,
    nativeRole: secure ? 'password text' : (NATIVE_ROLES[spec.role] ?? 'unknown'),
    title: element.title,
    description: spec.description ?? '',
    value: secure ? null : (element.text?.value ?? null),
    frame: frameOnScreen(element),
    states: {
      enabled: element.enabled,
      visible: showing(element),
      focused: active && window.focus === element && focusable(element),
      editable: editable(element),
      secure,
      checked: element.checked,
      selected: element.selected,
      expanded: element.expanded,
    },
    actions: isPressable(element) ? ['AXPress'] : [],
    path: pathOf(state, { kind: 'element', element }),
    identifier: spec.identifier ?? '',
    ...documentContextOf(element),
  };
}

/** The document of the nearest container that has an address, else of the window. */
function documentContextOf({ spec, parent, window }: ElementState): Pick<Element, 'document' | 'leadsTo'> {
  const leadsTo = spec.leadsTo === undefined ? {} : { leadsTo: spec.leadsTo };
  if (spec.documentUrl === null) return leadsTo;
  if (spec.documentUrl !== undefined) return { document: { url: spec.documentUrl }, ...leadsTo };
  if (parent !== null) return { ...documentContextOf(parent), ...leadsTo };
  return window.documentUrl === null ? leadsTo : { document: { url: window.documentUrl }, ...leadsTo };
}

function appElementId(app: AppState): string {
  return `application-${app.pid}`;
}

function rootOf(state: State, scope: Scope): TreeObject {
  const app = appOf(state, scope.pid);
  const root: TreeObject =
    scope.elementId !== undefined
      ? treeObjectOf(state, scope.elementId)
      : scope.windowId !== undefined
        ? { kind: 'window', window: windowById(state, scope.windowId) }
        : { kind: 'app', app };
  if (ownerOf(root) !== app)
    throw new DesktopError('not_found', message('native.not_in_app', { app: app.spec.name }), { ...scope });
  return root;
}

function childrenOf(state: State, object: TreeObject): TreeObject[] {
  if (object.kind === 'app') return windowsInOrder(state, object.app).map((window) => ({ kind: 'window', window }));
  const elements = object.kind === 'window' ? object.window.elements : object.element.children;
  return elements.map((element) => ({ kind: 'element', element }));
}

/** By age, so that raising a window changes no path. */
function windowsInOrder(state: State, app: AppState): SimulatedWindow[] {
  return windowsOf(state, app).sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
}

function pathOf(state: State, object: TreeObject): number[] {
  if (object.kind === 'app') return [];
  if (object.kind === 'window') return [windowsInOrder(state, object.window.app).indexOf(object.window)];
  const { element } = object;
  const siblings = element.parent?.children ?? element.window.elements;
  const above: TreeObject =
    element.parent === null ? { kind: 'window', window: element.window } : { kind: 'element', element: element.parent };
  return [...pathOf(state, above), siblings.indexOf(element)];
}
