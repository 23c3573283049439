/** What accessibility tells: elements, trees, searches, hit tests. Never the text of a secure field. */
import { DesktopError, contains, keepNodes, matches } from '../desktop.js';
import type {
  App,
  Element,
  FindResult,
  Point,
  Scope,
  Selector,
  ShownDocuments,
  Tree,
  TreeLimits,
  TreeNode,
  Window,
} from '../desktop.js';
import type { AppState, ElementState, State, WindowState } from './model.js';
import { TITLE_BAR, editable, everyElement, focusable, frameOf, showing, windowsOf } from './model.js';
import { pressable } from './controls.js';

/** Anything the tree can hold. */
export type Thing =
  { kind: 'app'; app: AppState } | { kind: 'window'; window: WindowState } | { kind: 'element'; element: ElementState };

const NATIVE_ROLES: Readonly<Record<string, string>> = {
  AXButton: 'push button',
  AXCheckBox: 'check box',
  AXTextField: 'entry',
  AXTextArea: 'text',
  AXStaticText: 'label',
  AXGroup: 'panel',
  AXLink: 'link',
  AXList: 'list',
  AXRow: 'list item',
  AXDisclosureTriangle: 'toggle button',
  AXImage: 'image',
};

export function appOf(state: State, pid: number): AppState {
  const app = state.apps.find((each) => each.pid === pid);
  if (app === undefined)
    throw new DesktopError('not_found', `No application has process id ${pid}. List the applications again.`, { pid });
  return app;
}

export function windowOf(state: State, id: string): WindowState {
  const window = state.stack.find((each) => each.id === id);
  if (window === undefined)
    throw new DesktopError('not_found', `Window ${id} is gone. List the windows again.`, { windowId: id });
  return window;
}

export function thingOf(state: State, id: string): Thing {
  for (const window of state.stack) {
    if (window.elementId === id) return { kind: 'window', window };
    const element = everyElement(window).find((each) => each.id === id);
    if (element !== undefined) return { kind: 'element', element };
  }
  const app = state.apps.find((each) => appElementId(each) === id);
  if (app !== undefined) return { kind: 'app', app };
  throw new DesktopError('stale', `Element ${id} is gone. Look for it again.`, { elementId: id });
}

export function ownerOf(thing: Thing): AppState {
  if (thing.kind === 'app') return thing.app;
  return thing.kind === 'window' ? thing.window.app : thing.element.window.app;
}

export function describeApp(state: State, app: AppState): App {
  const { id, name } = app.spec;
  return { id, name, pid: app.pid, startTime: app.startTime, frontmost: state.active?.app === app };
}

export function describeWindow(state: State, window: WindowState): Window {
  const documents = documentsOf(window);
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
    ...(documents.urls.length === 0 && documents.complete ? {} : { documents }),
  };
}

function documentsOf({ documentUrl, beside }: WindowState): ShownDocuments {
  return { urls: [...(documentUrl === null ? [] : [documentUrl]), ...beside.urls], complete: beside.complete };
}

export function describe(state: State, thing: Thing): Element {
  if (thing.kind === 'element') return describeElement(state, thing.element);
  const plain = { enabled: true, editable: false, secure: false, checked: null, selected: null, expanded: null };
  const rest = { description: '', value: null, actions: [], identifier: '' };
  if (thing.kind === 'app') {
    const { app } = thing;
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
  const { window } = thing;
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
    path: pathOf(state, thing),
  };
}

export function ancestorsOf(thing: Thing): Thing[] {
  if (thing.kind !== 'element') return [];
  const { parent, window } = thing.element;
  const above: Thing = parent === null ? { kind: 'window', window } : { kind: 'element', element: parent };
  return [above, ...ancestorsOf(above)];
}

/** `clock` is asked before each node, so that a slow reading shows in `truncated.time`. */
export function treeOf(state: State, scope: Scope, limits: TreeLimits, clock: () => number): Tree {
  const truncated = { depth: false, nodes: false, time: false };
  const nodes: TreeNode[] = [];
  const deadline = clock() + limits.timeoutMs;
  const visit = (thing: Thing, depth: number, parent: number): void => {
    if (nodes.length >= limits.maxNodes) truncated.nodes = true;
    if (clock() > deadline) truncated.time = true;
    if (truncated.nodes || truncated.time) return;
    const { document } = describe(state, thing);
    if (document !== undefined && limits.hides?.(document.url) === true) return;
    const children = childrenOf(state, thing);
    const index = nodes.push({ element: describe(state, thing), depth, parent, childCount: children.length }) - 1;
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

export function windowAt(state: State, point: Point): WindowState | null {
  return state.stack.find((window) => !window.minimized && contains(window.frame, point)) ?? null;
}

/** The deepest element at the point, or null when only the window itself is there. */
export function hit(window: WindowState, point: Point): ElementState | null {
  if (point.y < window.frame.y + TITLE_BAR) return null;
  return everyElement(window).findLast((each) => showing(each) && contains(frameOf(each), point)) ?? null;
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
    frame: frameOf(element),
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
    actions: pressable(element) ? ['AXPress'] : [],
    path: pathOf(state, { kind: 'element', element }),
    identifier: spec.identifier ?? '',
    ...surroundings(element),
  };
}

/** As its nearest container with an address has it, else as its window. */
function surroundings({ spec, parent, window }: ElementState): Pick<Element, 'document' | 'leadsTo'> {
  const leadsTo = spec.leadsTo === undefined ? {} : { leadsTo: spec.leadsTo };
  if (spec.documentUrl === null) return leadsTo;
  if (spec.documentUrl !== undefined) return { document: { url: spec.documentUrl }, ...leadsTo };
  if (parent !== null) return { ...surroundings(parent), ...leadsTo };
  return window.documentUrl === null ? leadsTo : { document: { url: window.documentUrl }, ...leadsTo };
}

function appElementId(app: AppState): string {
  return `application-${app.pid}`;
}

function rootOf(state: State, scope: Scope): Thing {
  const app = appOf(state, scope.pid);
  const root: Thing =
    scope.elementId !== undefined
      ? thingOf(state, scope.elementId)
      : scope.windowId !== undefined
        ? { kind: 'window', window: windowOf(state, scope.windowId) }
        : { kind: 'app', app };
  if (ownerOf(root) !== app)
    throw new DesktopError('not_found', `That window or element is not in ${app.spec.name}.`, { ...scope });
  return root;
}

function childrenOf(state: State, thing: Thing): Thing[] {
  if (thing.kind === 'app') return windowsInOrder(state, thing.app).map((window) => ({ kind: 'window', window }));
  const elements = thing.kind === 'window' ? thing.window.elements : thing.element.children;
  return elements.map((element) => ({ kind: 'element', element }));
}

/** By age, so that raising a window changes no path. */
function windowsInOrder(state: State, app: AppState): WindowState[] {
  return windowsOf(state, app).sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
}

function pathOf(state: State, thing: Thing): number[] {
  if (thing.kind === 'app') return [];
  if (thing.kind === 'window') return [windowsInOrder(state, thing.window.app).indexOf(thing.window)];
  const { element } = thing;
  const siblings = element.parent?.children ?? element.window.elements;
  const above: Thing =
    element.parent === null ? { kind: 'window', window: element.window } : { kind: 'element', element: element.parent };
  return [...pathOf(state, above), siblings.indexOf(element)];
}
