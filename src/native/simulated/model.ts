/** The state of a simulated desktop. It is mutable: input, accessibility calls and controls change it. */
import { type Emitter, createEmitter } from '../../base/emitter.js';
import {
  type ClipboardContent,
  type ClipboardReading,
  type Display,
  type MouseButton,
  type Permission,
  type PermissionState,
  type Point,
  type Rect,
  DesktopError,
  type InputGuard,
} from '../desktop.js';
import { abortable } from '../../base/poll.js';
import { message, verbatim, type Message } from '../../messages/index.js';

type Role =
  | 'AXButton'
  | 'AXCheckBox'
  | 'AXRadioButton'
  | 'AXTextField'
  | 'AXTextArea'
  | 'AXStaticText'
  | 'AXHeading'
  | 'AXComboBox'
  | 'AXGroup'
  | 'AXLink'
  | 'AXList'
  | 'AXRow'
  | 'AXMenuItem'
  | 'AXDisclosureTriangle'
  | 'AXImage';

/** One editable text. `caret` and `anchor` are string indexes; what lies between them is selected. */
export interface TextState {
  value: string;
  caret: number;
  anchor: number;
}

/** What the code of a simulated application may do when its controls are used. */
export interface AppControls {
  value(identifier: string): string;
  setValue(identifier: string, value: string): void;
  setTitle(identifier: string, title: string): void;
}

export interface ElementSpec {
  role: Role;
  /** Relative to the window's content, below its title bar. */
  frame: Rect;
  title?: string;
  description?: string;
  identifier?: string;
  value?: string;
  checked?: boolean;
  /** Of a row; default false. At most one of several siblings is selected. */
  selected?: boolean;
  /** Of a disclosure triangle; default false. Its children show while it is. */
  expanded?: boolean;
  secure?: boolean;
  enabled?: boolean;
  visible?: boolean;
  /** Scrolled out of view, until it is scrolled to. */
  outOfView?: boolean;
  readOnly?: boolean;
  /** Address of the document that it and its children are in, where the window shows several; null: in none. */
  documentUrl?: string | null;
  /** Of a link. */
  leadsTo?: string;
  /** The button that enter presses from a one-line field. */
  isDefault?: boolean;
  onPress?: (app: AppControls) => void;
  /** Enter in a text; without it a text area takes a line break and a field presses the default button. */
  onEnter?: (app: AppControls) => void;
  children?: ElementSpec[];
}

export interface WindowSpec {
  title: string;
  frame: Rect;
  elements?: ElementSpec[];
  /** False for panels and menus. */
  normal?: boolean;
  /** Default true. */
  resizable?: boolean;
  /** A dialog that must be answered first. */
  modal?: boolean;
  /** Closing it asks whether to save, once a text in it has changed. */
  asksToSave?: boolean;
  documentUrl?: string;
  /** Identifier of the element that has the focus when the window opens. */
  focus?: string;
  /** Called with the typed character, else the chord, before the focused element; true where it was handled. */
  onKey?: (typed: string, app: AppControls) => boolean;
}

export interface AppSpec {
  id: string;
  name: string;
  executable: string;
  windows: WindowSpec[];
}

export interface ElementState {
  readonly id: string;
  readonly window: SimulatedWindow;
  readonly parent: ElementState | null;
  readonly children: ElementState[];
  readonly spec: ElementSpec;
  title: string;
  frame: Rect;
  enabled: boolean;
  visible: boolean;
  outOfView: boolean;
  secure: boolean;
  checked: boolean | null;
  selected: boolean | null;
  expanded: boolean | null;
  /** Held down by the pointer or a key. */
  pressed: boolean;
  /** null where there is no text. */
  text: TextState | null;
  /** First line shown, of a text area. */
  scroll: number;
}

export interface SimulatedWindow {
  readonly id: string;
  /** Id of the window as an element. */
  readonly elementId: string;
  readonly app: AppState;
  readonly spec: WindowSpec;
  readonly elements: ElementState[];
  title: string;
  frame: Rect;
  minimized: boolean;
  timesMinimized: number;
  /** The frame to come back to, while it is maximised. */
  unmaximized: Rect | null;
  documentUrl: string | null;
  focus: ElementState | null;
}

/** `refuse`: calls fail with not_responding; `silent`: calls end only by their signal. */
export type Hang = 'refuse' | 'silent' | null;

export interface AppState {
  readonly spec: AppSpec;
  readonly pid: number;
  readonly startTime: string;
  hang: Hang;
  /** Events that wait until the application answers again. */
  waiting: (() => void)[];
}

/** An event that an application received, and its result. */
export interface JournalEntry {
  seq: number;
  pid: number;
  window: string;
  /** Identifier of the element, else its title; '' for the window itself. */
  control: string;
  event:
    | 'pressed'
    | 'toggled'
    | 'selected'
    | 'expanded'
    | 'changed'
    | 'focused'
    | 'key'
    | 'keyup'
    | 'pointer'
    | 'pointerup'
    | 'scrolled'
    | 'pasted'
    | 'dropped';
  /** The new text, `true`/`false`, the chord, button and click count, or the first line shown. */
  value: string;
}

interface ButtonPress {
  at: Point;
  window: SimulatedWindow | null;
  element: ElementState | null;
  /** The position of the window when its title bar was pressed; null for other presses. */
  dragging: Point | null;
}

export interface State {
  displays: Display[];
  /** In order of launch. */
  apps: AppState[];
  /** Topmost first. */
  stack: SimulatedWindow[];
  active: SimulatedWindow | null;
  /** What can be launched; each call makes a fresh one. */
  installed: (() => AppSpec)[];
  pointer: Point;
  heldKeys: Set<string>;
  heldButtons: Map<MouseButton, ButtonPress>;
  lastClick: { at: Point; button: MouseButton; time: number; count: number } | null;
  clipboard: ClipboardReading;
  /** Goes up with every change of the clipboard. */
  clipboardCount: number;
  clipboardChanges: Emitter<ClipboardContent | null>;
  permissions: Record<Permission, PermissionState>;
  journal: JournalEntry[];
  nextId: number;
  now: () => number;
}

export const TITLE_BAR = 28;

export function isText(element: ElementState): boolean {
  return element.text !== null && element.spec.role !== 'AXStaticText';
}

export function editable(element: ElementState): boolean {
  return isText(element) && element.enabled && element.spec.readOnly !== true;
}

export function focusable(element: ElementState): boolean {
  return element.enabled && element.visible && !['AXStaticText', 'AXGroup', 'AXList'].includes(element.spec.role);
}

export function journalName(element: ElementState): string {
  return element.spec.identifier ?? element.title;
}

/** Preorder. */
export function everyElement(window: SimulatedWindow): ElementState[] {
  const walk = (elements: ElementState[]): ElementState[] => elements.flatMap((each) => [each, ...walk(each.children)]);
  return walk(window.elements);
}

export function windowsOf(state: State, app: AppState): SimulatedWindow[] {
  return state.stack.filter((window) => window.app === app);
}

/** In points, global. */
export function frameOnScreen(element: ElementState): Rect {
  const { x, y } = element.window.frame;
  return { ...element.frame, x: element.frame.x + x, y: element.frame.y + y + TITLE_BAR };
}

/** The element and all its containers are visible, in a window that is not minimised. */
export function showing(element: ElementState): boolean {
  if (!element.visible || element.outOfView || element.window.minimized) return false;
  if (element.parent?.expanded === false) return false;
  return element.parent === null || showing(element.parent);
}

/** Hidden only because it is scrolled out of view. */
export function isScrolledAway(element: ElementState): boolean {
  const { outOfView, parent } = element;
  return outOfView && element.visible && !element.window.minimized && (parent === null || showing(parent));
}

export function record(
  state: State,
  window: SimulatedWindow,
  element: ElementState | null,
  event: JournalEntry['event'],
  value: string,
): void {
  const control = element === null ? '' : journalName(element);
  state.journal.push({
    seq: state.journal.length === 0 ? 1 : (state.journal.at(-1)?.seq ?? 0) + 1,
    pid: window.app.pid,
    window: window.title,
    control,
    event,
    value,
  });
}

/** The checks of every call: whether the desktop has ended, the signal has fired or the application does not answer. */
export type Gate = ReturnType<typeof createGate>;

export function createGate() {
  const lossEmitter = createEmitter<Message>();
  let ended: Message | null = null;

  const enter = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    await new Promise<void>((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    if (ended !== null) throw new DesktopError('lost', ended);
  };

  return {
    /** Rejects with the signal's reason, or with `lost` once the desktop has ended. Always lets other work go first. */
    enter,
    /** Rejects, or waits for the signal, when the application hangs. */
    async answering(app: AppState, signal: AbortSignal): Promise<void> {
      if (app.hang === 'silent') await abortable(new Promise<never>(() => undefined), signal);
      if (app.hang === 'refuse') {
        throw new DesktopError('not_responding', message('native.app_silent'), { pid: app.pid });
      }
    },
    /** Awaits the caller's guard, then checks the signal: nothing may be injected after either rejects. */
    async guarded(guard: InputGuard, signal: AbortSignal): Promise<void> {
      await enter(signal);
      await abortable(guard(), signal);
      signal.throwIfAborted();
      if (ended !== null) throw new DesktopError('lost', ended);
    },
    lose(reason: string): void {
      if (ended !== null) return;
      ended = message('display.simulated_gone', { why: reason });
      lossEmitter.emit(verbatim(reason));
    },
    close(): void {
      ended ??= message('display.simulated_closed');
      lossEmitter.clear();
    },
    onLost: lossEmitter.on,
  };
}
