/**
 * A desktop in memory: applications, windows, focus, text, clipboard and drawn pictures, without a display server.
 * Comes in: the calls of {@link DesktopBackend}, and through `world` what applications and the person do. Goes out: the same values and
 * errors as a real backend's. Called by native/open.ts, by tests and by the demo.
 */
import { createEmitter } from '../../base/emitter.js';
import {
  DesktopError,
  type ClipboardAccess,
  type DesktopBackend,
  type Display,
  type Point,
  type ChangeHint,
  type ElementActions,
} from '../desktop.js';
import { defaultApps } from './apps/index.js';
import { addApp } from './state-changes.js';
import { readingOf, setClipboard } from './keyboard.js';
import {
  createGate,
  type Gate,
  type AppSpec,
  type State,
  editable,
  focusable,
  isScrolledAway,
  record,
  showing,
  type ElementState,
} from './model.js';
import { createInput } from './input.js';
import { createWindowManager, raise } from './windows.js';
import { createScreen } from './screen.js';
import { createFindTreeObject, createReader, type FindTreeObject } from './reader.js';
import { createWorld, type World } from './world.js';
import { message, type Message } from '../../messages/index.js';
import { activate, expand, insertAtCaret, select, takeFocus, write } from './controls.js';
import { describeTreeObject } from './accessibility-tree.js';

export type { AppControls, AppSpec, ElementSpec, JournalEntry, WindowSpec } from './model.js';
export type { ElementChanges as Changes, World } from './world.js';

export interface SimulatedDesktop extends DesktopBackend {
  readonly platform: 'simulated';
  readonly world: World;
}

export interface SimulatedOptions {
  /** Running at the start, bottom first; default: Terminal, Calculator, Notes, Mail. */
  apps?: AppSpec[];
  /** Default: one of 1440 × 900 points at scale 1. */
  displays?: Display[];
  /** Milliseconds; default Date.now. Decides what a double click is. */
  now?: () => number;
}

export function openSimulated(options: SimulatedOptions = {}): SimulatedDesktop {
  const state = createState(options);
  const gate = createGate();
  const personInput = createEmitter<Point | null>();
  const syntheticInput = createEmitter<void>();
  const hints = createCallHints();
  const input = createInput(state, gate);
  const requireAccessibility = (): void => {
    if (state.permissions.accessibility !== 'missing') return;
    throw new DesktopError('permission', message('native.no_accessibility'), {
      permission: 'accessibility',
    });
  };
  const findTreeObject = createFindTreeObject(state, gate, requireAccessibility);

  return {
    platform: 'simulated',
    version: 'Simulated desktop',
    world: hints.after(createWorld(state, gate, personInput.emit, syntheticInput.emit)),
    ...createReader(state, gate, requireAccessibility, findTreeObject),
    ...createScreen(state, gate, hints.on),
    ...hints.after(createElementActions(state, findTreeObject)),
    ...hints.after(createWindowManager(state, gate)),
    ...hints.after(createPermissionsAndClipboard(state, gate)),
    ...hints.after(input),
    onPersonInput: personInput.on,
    onSyntheticInput: syntheticInput.on,
    flushInputEvents: (signal) => gate.enter(signal),
    onChange: hints.on,
    onLost: gate.onLost,
    async close() {
      await input.releaseAll();
      personInput.clear();
      syntheticInput.clear();
      state.clipboardChanges.clear();
      hints.close();
      gate.close();
    },
  };
}

function createPermissionsAndClipboard(
  state: State,
  gate: Gate,
): ClipboardAccess & Pick<DesktopBackend, 'permissions'> {
  return {
    async permissions(signal) {
      await gate.enter(signal);
      return { ...state.permissions };
    },
    async readClipboard(signal) {
      await gate.enter(signal);
      return readingOf(state.clipboard);
    },
    async writeClipboard(content, signal) {
      await gate.enter(signal);
      setClipboard(state, content, 'us');
    },
    onClipboardChange: state.clipboardChanges.on,
  };
}

function createState(options: SimulatedOptions): State {
  const main = { x: 0, y: 0, width: 1440, height: 900 };
  const state: State = {
    displays: options.displays ?? [{ id: 'display-1', name: 'Simulated display', frame: main, scale: 1, main: true }],
    apps: [],
    stack: [],
    active: null,
    installed: options.apps?.map((spec) => () => spec) ?? defaultApps(),
    pointer: { x: 0, y: 0 },
    heldKeys: new Set(),
    heldButtons: new Map(),
    lastClick: null,
    clipboard: {},
    clipboardCount: 0,
    clipboardChanges: createEmitter(),
    permissions: { accessibility: 'granted', screenRecording: 'granted' },
    journal: [],
    nextId: 1,
    now: options.now ?? Date.now,
  };
  for (const make of state.installed) addApp(state, make());
  return state;
}

// Hints that the desktop may have changed: after each call that can change it, once in a burst.

const KINDS: readonly ChangeHint['kind'][] = ['windows', 'applications', 'elements'];

interface CallHints {
  on(listener: (hint: ChangeHint) => void): () => void;
  /** The same methods; listeners are called after each of them. */
  after<T extends object>(methods: T): T;
  close(): void;
}

function createCallHints(): CallHints {
  const hints = createEmitter<ChangeHint>();
  let scheduled = false;

  function emitHints(): void {
    scheduled = false;
    for (const kind of KINDS) hints.emit({ kind, pid: null });
  }

  function changed(): void {
    if (scheduled || hints.size === 0) return;
    scheduled = true;
    setImmediate(emitHints);
  }

  function after<T extends object>(methods: T): T {
    return new Proxy(methods, {
      get(target, name) {
        const found: unknown = Reflect.get(target, name);
        if (typeof found === 'object' && found !== null) return after(found);
        if (typeof found !== 'function') return found;
        return (...args: unknown[]): unknown => {
          const result: unknown = Reflect.apply(found, target, args);
          if (result instanceof Promise) void result.then(changed, changed);
          else changed();
          return result;
        };
      },
    });
  }

  return { on: hints.on, after, close: hints.clear };
}

// Actions on elements through accessibility, independent of the focus.

function createElementActions(state: State, findTreeObject: FindTreeObject): ElementActions {
  /** null for a window or an application. */
  const elementFor = async (id: string, signal: AbortSignal): Promise<ElementState | null> => {
    const object = await findTreeObject(id, signal);
    return object.kind === 'element' ? object.element : null;
  };
  const writableElement = async (id: string, signal: AbortSignal): Promise<ElementState> => {
    const element = await elementFor(id, signal);
    if (element === null || !editable(element)) throw unsupported(element, message('native.element_not_editable'));
    return element;
  };
  const elementWith = async (what: 'selected' | 'expanded', id: string, signal: AbortSignal): Promise<ElementState> => {
    const element = await elementFor(id, signal);
    if (element === null || element[what] === null) throw unsupported(element, message(NO_SUCH_STATE[what]));
    if (!element.enabled) throw new DesktopError('failed', message('native.element_disabled'));
    return element;
  };

  return {
    async performAction(id, action, signal) {
      const element = await elementFor(id, signal);
      const actions = element === null ? [] : describeTreeObject(state, { kind: 'element', element }).actions;
      if (element === null || !actions.includes(action)) {
        const has = actions.length === 0 ? 'none' : 'other';
        throw unsupported(element, message('native.no_action', { action, has, actions: actions.join(', ') }));
      }
      if (!element.enabled) throw new DesktopError('failed', message('native.element_disabled'));
      activate(state, element);
    },
    async setValue(id, value, signal) {
      write(state, await writableElement(id, signal), value);
    },
    async insertText(id, text, signal) {
      insertAtCaret(state, await writableElement(id, signal), text);
    },
    async setSelected(id, selected, signal) {
      select(state, await elementWith('selected', id, signal), selected);
    },
    async setExpanded(id, expanded, signal) {
      expand(state, await elementWith('expanded', id, signal), expanded);
    },
    async focusElement(id, signal) {
      const element = await elementFor(id, signal);
      if (element === null || !focusable(element) || !showing(element)) {
        throw new DesktopError('failed', message('native.cannot_focus'));
      }
      raise(state, element.window);
      takeFocus(state, element);
    },
    async scrollIntoView(id, signal) {
      const element = await elementFor(id, signal);
      if (element === null || !(isScrolledAway(element) || showing(element)))
        throw unsupported(element, message('native.toolkit_no_scroll'));
      if (!element.outOfView) return;
      element.outOfView = false;
      record(state, element.window, element, 'scrolled', 'into view');
    },
  };
}

const NO_SUCH_STATE = { selected: 'native.not_selectable', expanded: 'native.not_expandable' } as const;

const unsupported = (element: ElementState | null, text: Message): DesktopError =>
  new DesktopError('unsupported', text, { role: element?.spec.role ?? null });
