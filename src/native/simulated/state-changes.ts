/** Adds and removes applications, windows and elements. Each gets its own id. */
import {
  everyElement,
  journalName,
  type AppSpec,
  type AppState,
  type ElementSpec,
  type ElementState,
  type State,
  type WindowSpec,
  type SimulatedWindow,
} from './model.js';

/** Above what Linux and macOS give out, so that a simulated process is never mistaken for a real one. */
const FIRST_PID = 9_000_000;

export function addApp(state: State, spec: AppSpec): AppState {
  const serial = state.nextId++;
  const app: AppState = { spec, pid: FIRST_PID + serial, startTime: `simulated-${serial}`, hang: null, waiting: [] };
  state.apps.push(app);
  for (const window of spec.windows) addWindow(state, app, window);
  return app;
}

/** The new window is on top and active. */
export function addWindow(state: State, app: AppState, spec: WindowSpec): SimulatedWindow {
  const window: SimulatedWindow = {
    id: `window-${state.nextId++}`,
    elementId: `element-${state.nextId++}`,
    app,
    spec,
    elements: [],
    title: spec.title,
    frame: { ...spec.frame },
    minimized: false,
    timesMinimized: 0,
    unmaximized: null,
    documentUrl: spec.documentUrl ?? null,
    focus: null,
  };
  for (const element of spec.elements ?? []) window.elements.push(makeElement(state, window, null, element));
  window.focus =
    everyElement(window).find((each) => spec.focus !== undefined && journalName(each) === spec.focus) ?? null;
  state.stack.unshift(window);
  state.active = window;
  return window;
}

export function addElement(
  state: State,
  window: SimulatedWindow,
  parent: ElementState | null,
  spec: ElementSpec,
): ElementState {
  const element = makeElement(state, window, parent, spec);
  (parent?.children ?? window.elements).push(element);
  return element;
}

export function removeElement(state: State, element: ElementState): void {
  const siblings = element.parent?.children ?? element.window.elements;
  const index = siblings.indexOf(element);
  if (index >= 0) siblings.splice(index, 1);
  const { window } = element;
  if (window.focus !== null && !everyElement(window).includes(window.focus)) window.focus = null;
  for (const press of state.heldButtons.values()) if (press.element === element) press.element = null;
}

export function removeWindow(state: State, window: SimulatedWindow): void {
  const index = state.stack.indexOf(window);
  if (index >= 0) state.stack.splice(index, 1);
  if (state.active === window) state.active = state.stack.find((each) => !each.minimized) ?? null;
  for (const press of state.heldButtons.values())
    if (press.window === window) {
      press.window = null;
      press.element = null;
      press.dragging = null;
    }
}

export function removeApp(state: State, app: AppState): void {
  for (const window of state.stack.filter((each) => each.app === app)) removeWindow(state, window);
  const index = state.apps.indexOf(app);
  if (index >= 0) state.apps.splice(index, 1);
  app.waiting.length = 0;
}

function makeElement(
  state: State,
  window: SimulatedWindow,
  parent: ElementState | null,
  spec: ElementSpec,
): ElementState {
  const holdsText =
    spec.role === 'AXTextField' ||
    spec.role === 'AXTextArea' ||
    (spec.role === 'AXStaticText' && spec.value !== undefined);
  const value = spec.value ?? '';
  const element: ElementState = {
    id: `element-${state.nextId++}`,
    window,
    parent,
    children: [],
    spec,
    title: spec.title ?? '',
    frame: { ...spec.frame },
    enabled: spec.enabled ?? true,
    visible: spec.visible ?? true,
    outOfView: spec.outOfView ?? false,
    secure: spec.secure ?? false,
    checked: spec.checked ?? (spec.role === 'AXCheckBox' ? false : null),
    selected: spec.selected ?? (spec.role === 'AXRow' ? false : null),
    expanded: spec.expanded ?? (spec.role === 'AXDisclosureTriangle' ? false : null),
    pressed: false,
    text: holdsText ? { value, caret: value.length, anchor: value.length } : null,
    scroll: 0,
  };
  for (const child of spec.children ?? []) element.children.push(makeElement(state, window, element, child));
  return element;
}
