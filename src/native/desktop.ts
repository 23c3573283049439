/**
 * The desktop: what a backend (simulated, linux, macos) can do, and the values of its methods.
 * Comes in: calls of tools and of the pipeline. Goes out: plain values, or a {@link DesktopError}. Backends import this file only.
 *
 * Coordinates and sizes are points, global, origin at the top left of the main display. Times are milliseconds.
 * Every method takes an AbortSignal and rejects with its reason soon after it fires. What a platform cannot do
 * rejects with code `unsupported`; nothing here ever reports a success that did not happen.
 */

import type {
  App,
  AutomationGrant,
  Capture,
  CaptureTarget,
  ChangeHint,
  ClipboardContent,
  ClipboardReading,
  Display,
  Element,
  FindResult,
  HeldInput,
  InputGuard,
  InstalledApp,
  LaunchOptions,
  Launched,
  MouseButton,
  PasteResult,
  Permission,
  PermissionState,
  Platform,
  Point,
  Rect,
  Scope,
  Selector,
  StackedWindow,
  Tree,
  TreeLimits,
  Window,
  WindowPaint,
  WindowState,
} from './values.js';
import { MessageError, type Message } from '../messages/index.js';

/** The parts of a date or time field, told by `setValue` where it refuses one because it takes keys only. `untold`: the part tells no limits, from which its kind is known. */
const KINDS = [
  'year', 'month', 'week', 'day', 'hour', 'hour of 12', 'half of the day', 'minute', 'second', 'millisecond',
  'untold',
] as const; // prettier-ignore

export type DatePartKind = (typeof KINDS)[number];

export interface DatePart {
  kind: DatePartKind;
  /** Of its element. */
  id: string;
}

export function isDatePart(part: unknown): part is DatePart {
  if (typeof part !== 'object' || part === null || !('kind' in part) || !('id' in part)) return false;
  return typeof part.id === 'string' && KINDS.some((kind) => kind === part.kind);
}

export type * from './values.js';

/** The methods that only read. Plans are made with these, and reading tools have no others. */
export interface DesktopReader {
  readonly platform: Platform;
  /** OS or backend version for people, e.g. `Debian 12, X11`. */
  readonly version: string;
  permissions(signal: AbortSignal): Promise<Record<Permission, PermissionState>>;
  displays(signal: AbortSignal): Promise<Display[]>;
  apps(signal: AbortSignal): Promise<App[]>;
  /** True stacking order, topmost first. */
  windows(signal: AbortSignal): Promise<Window[]>;
  frontmost(signal: AbortSignal): Promise<{ app: App | null; window: Window | null }>;

  tree(scope: Scope, limits: TreeLimits, signal: AbortSignal): Promise<Tree>;
  find(scope: Scope, selector: Selector, limit: number, limits: TreeLimits, signal: AbortSignal): Promise<FindResult>;
  /** The element as it is now; rejects with `stale` when it is gone. */
  element(id: string, signal: AbortSignal): Promise<Element>;
  /** Ancestors, nearest first, up to the window. */
  ancestors(id: string, signal: AbortSignal): Promise<Element[]>;
  elementAt(point: Point, signal: AbortSignal): Promise<Element | null>;
  windowAt(point: Point, signal: AbortSignal): Promise<Window | null>;
  focusedElement(signal: AbortSignal): Promise<Element | null>;
  /** The container to scroll so that the element shows; null where it shows, or is hidden by something else (another tab, a closed menu). */
  scrollerOf(id: string, signal: AbortSignal): Promise<Element | null>;

  capture(target: CaptureTarget, signal: AbortSignal): Promise<Capture>;
  /**
   * null where the system cannot tell, and for a window that does not show. With `after`, waits while the window is not painted
   * and its generation is this one.
   */
  windowPaint(id: string, after: string | null, signal: AbortSignal): Promise<WindowPaint | null>;
  /**
   * Waits until the window's application has read all input sent so far (`read`), or until it, with the processes that it started, does
   * nothing (`rest`). False where it does not answer in time, null where the system cannot tell.
   */
  untilApplication(id: string, state: 'read' | 'rest', signal: AbortSignal): Promise<boolean | null>;
  windowState(id: string, signal: AbortSignal): Promise<WindowState>;
  /** By id, name or executable path, without starting it. Rejects with `not_found`, with the known names in `details.known`. */
  findApplication(application: string, signal: AbortSignal): Promise<InstalledApp>;
  pointer(signal: AbortSignal): Promise<Point>;
  readClipboard(signal: AbortSignal): Promise<ClipboardReading>;

  /**
   * Called for each new content: with the content that `writeClipboard` wrote, or null for that of another program. Not called
   * for the text that `paste` puts there for a moment, nor when it is restored. Returns a function that stops listening.
   */
  onClipboardChange(listener: (written: ClipboardContent | null) => void): () => void;
  /** Hints that something may have changed: one for a burst, and none for some changes. Returns a function that stops listening. */
  onChange(listener: (hint: ChangeHint) => void): () => void;
}

/** The methods that change something, other than keys and buttons. */
export interface DesktopActs {
  performAction(id: string, action: string, signal: AbortSignal): Promise<void>;
  /** Through accessibility only; `unsupported` where the element has no value that can be set. Sliders take numbers, combo boxes the name of an option. */
  setValue(id: string, value: string, signal: AbortSignal): Promise<void>;
  /** At the caret, through accessibility only; `unsupported` where the element cannot. */
  insertText(id: string, text: string, signal: AbortSignal): Promise<void>;
  /** `unsupported` where accessibility has no way; `failed` where the element did not change. Does nothing where it already has the state. */
  setSelected(id: string, selected: boolean, signal: AbortSignal): Promise<void>;
  /** As `setSelected`. */
  setExpanded(id: string, expanded: boolean, signal: AbortSignal): Promise<void>;
  /** Rejects with `failed` when the element did not take the focus. */
  focusElement(id: string, signal: AbortSignal): Promise<void>;
  /** Through accessibility only; `unsupported` where the application cannot, `failed` where the element still does not show afterwards. */
  scrollIntoView(id: string, signal: AbortSignal): Promise<void>;

  focusWindow(id: string, signal: AbortSignal): Promise<void>;
  /** Position and size as the window manager granted them. */
  setWindowFrame(id: string, frame: Partial<Rect>, signal: AbortSignal): Promise<Rect>;
  setWindowMinimized(id: string, minimized: boolean, signal: AbortSignal): Promise<void>;
  /** `unsupported` where that window cannot be maximised. */
  setWindowMaximized(id: string, maximized: boolean, signal: AbortSignal): Promise<void>;
  /** Asks the application to close it. Rejects with `failed` when it is still there, immediately where the application opens a new window. */
  closeWindow(id: string, signal: AbortSignal): Promise<void>;
  /** Ends the connection of the application that owns the window: without a question or saving, together with its other windows. */
  killWindow(id: string, signal: AbortSignal): Promise<void>;
  /** Asks every window of the process to close and resolves once the process has ended; rejects as `closeWindow` does. */
  quitApp(pid: number, signal: AbortSignal): Promise<void>;
  /** By id, name or executable path; resolves when the application is usable. */
  launch(application: string, options: LaunchOptions, signal: AbortSignal): Promise<Launched>;

  /** Replaces the content; `{}` empties it. Of several concurrent calls the last one wins. */
  writeClipboard(content: ClipboardContent, signal: AbortSignal): Promise<void>;
  movePointer(to: Point, signal: AbortSignal): Promise<void>;
}

/** Injected events. */
export interface DesktopInput {
  button(button: MouseButton, down: boolean, signal: AbortSignal): Promise<void>;
  /** Lines; positive y scrolls the content up (wheel towards the person). */
  scroll(delta: Point, signal: AbortSignal): Promise<void>;
  /** `key` is a canonical name from {@link KEY_NAMES} or one character. */
  key(key: string, down: boolean, signal: AbortSignal): Promise<void>;
  /** Any Unicode text on any layout. */
  typeText(text: string, signal: AbortSignal): Promise<void>;
  /** Pastes `text` to process `pid` only, then restores the clipboard unless another program has changed it. */
  paste(text: string, pid: number, signal: AbortSignal): Promise<PasteResult>;
  /** Drops files at the pointer, on this window only. `accepted` is the answer of the application. */
  dropFiles(paths: readonly string[], windowId: string, signal: AbortSignal): Promise<{ accepted: boolean }>;
}

/** Reads and acts. Only a running call has one. */
export interface DesktopActor extends DesktopReader, DesktopActs, DesktopInput {}

/** The same methods with a guard, which runs right before every single event (every character of a text): none is sent once it rejects. */
export type GuardedInput = { [Name in keyof DesktopInput]: Guarded<DesktopInput[Name]> };

type Guarded<Method> = Method extends (...given: [...infer Given, AbortSignal]) => infer Result
  ? (...given: [...Given, guard: InputGuard, signal: AbortSignal]) => Result
  : never;

/** What a backend implements: all of the above, and methods for the host only. */
export interface DesktopBackend extends DesktopReader, DesktopActs, GuardedInput {
  /** Applications about which the person has decided, as far as they run. Raises no question; absent where the platform has none. */
  automation?(signal: AbortSignal): Promise<AutomationGrant[]>;
  /** Frames of secure fields that show on screen now, in any application; with a target at least those that its picture can show. */
  secureAreas(signal: AbortSignal, target?: CaptureTarget): Promise<Rect[]>;
  /**
   * All visible windows, topmost first: also those that take no input or have no known owner. Windows of other programs inside
   * a window come right before it. Without the window manager's own windows.
   */
  stack(signal: AbortSignal): Promise<StackedWindow[]>;
  /**
   * Releases all keys and buttons that this backend holds down, except those of `keep`. Buttons are released without a drop or
   * a click: after Escape, outside the window that was pressed. Never rejects; runs even after abort.
   */
  releaseAll(keep?: HeldInput): Promise<void>;
  /** Real (not injected) pointer or key input by the person. Returns a function that stops listening. */
  onPersonInput(listener: (at: Point | null) => void): () => void;
  /**
   * Keys and buttons that the person pressed on a real device, with the place of a button. Absent where the system does not tell of
   * every press that can reach a page of ours. Returns a function that stops listening.
   */
  onPersonPress?(listener: (at: Point | null) => void): () => void;
  /** Input of synthetic devices, injected by this backend or by another program. Returns a function that stops listening. */
  onSyntheticInput(listener: () => void): () => void;
  /** Resolves when the listeners have been called for all input that the system had received by then. */
  flushInputEvents(signal: AbortSignal): Promise<void>;
  /** The backend is lost for good (display gone, helper dead). */
  onLost(listener: (reason: Message) => void): () => void;
  close(): Promise<void>;
}

/** A backend's methods in the groups in which each backend implements them. */
export type ElementReading = Pick<
  DesktopBackend,
  | 'apps'
  | 'windows'
  | 'stack'
  | 'frontmost'
  | 'tree'
  | 'find'
  | 'element'
  | 'ancestors'
  | 'elementAt'
  | 'windowAt'
  | 'focusedElement'
  | 'scrollerOf'
>;
export type ElementActions = Pick<
  DesktopBackend,
  'performAction' | 'setValue' | 'insertText' | 'setSelected' | 'setExpanded' | 'focusElement' | 'scrollIntoView'
>;
export type WindowActions = Pick<
  DesktopBackend,
  | 'focusWindow'
  | 'setWindowFrame'
  | 'setWindowMinimized'
  | 'setWindowMaximized'
  | 'windowState'
  | 'closeWindow'
  | 'killWindow'
  | 'quitApp'
  | 'findApplication'
  | 'launch'
>;
export type InputInjection = Pick<DesktopBackend, keyof DesktopInput | 'pointer' | 'movePointer' | 'releaseAll'>;
export type ClipboardAccess = Pick<DesktopBackend, 'readClipboard' | 'writeClipboard' | 'onClipboardChange'>;

export type DesktopErrorCode =
  'unsupported' | 'not_found' | 'stale' | 'permission' | 'timeout' | 'not_responding' | 'lost' | 'failed';

/** The only error a backend throws on purpose. `message` is for people and agents: what happened, then what to do. */
export class DesktopError extends MessageError {
  constructor(
    readonly code: DesktopErrorCode,
    text: Message,
    readonly details: Record<string, unknown> = {},
  ) {
    super(text);
    this.name = 'DesktopError';
  }
}

/** It told that there is no such process any more. */
export const hasEnded = (thrown: unknown): thrown is DesktopError =>
  thrown instanceof DesktopError && thrown.details['reason'] === 'ended';

/** Canonical key names that every backend accepts, besides single characters. */
export const KEY_NAMES = [
  'cmd', 'super', 'ctrl', 'alt', 'altgr', 'shift', 'fn', 'capslock', 'enter', 'tab', 'space', 'backspace', 'delete', 'escape',
  'up', 'down', 'left', 'right', 'home', 'end', 'pageup', 'pagedown', 'insert', 'printscreen', 'menu', 'numlock', 'scrolllock', 'pause', 'help', 'clear',
  'f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7', 'f8', 'f9', 'f10', 'f11', 'f12', 'f13', 'f14', 'f15', 'f16', 'f17', 'f18', 'f19', 'f20', 'f21', 'f22', 'f23', 'f24',
  'kp0', 'kp1', 'kp2', 'kp3', 'kp4', 'kp5', 'kp6', 'kp7', 'kp8', 'kp9', 'kpadd', 'kpsubtract', 'kpmultiply', 'kpdivide', 'kpdecimal', 'kpequal', 'kpenter',
  'volumeup', 'volumedown', 'mute', 'playpause', 'nexttrack', 'previoustrack', 'mediastop',
] as const; // prettier-ignore

/** Drops nodes of a preorder list, except the first; children of dropped nodes move up. */
export function keepNodes<T extends { depth: number; parent: number }>(
  nodes: readonly T[],
  keep: (node: T) => boolean,
): T[] {
  const kept: T[] = [];
  const places: number[] = [];
  nodes.forEach((node, index) => {
    const parent = node.parent < 0 ? -1 : (places[node.parent] ?? -1);
    if (index > 0 && !keep(node)) places[index] = parent;
    else places[index] = kept.push({ ...node, parent, depth: (kept[parent]?.depth ?? -1) + 1 }) - 1;
  });
  return kept;
}

export function matches(selector: Selector, element: Element): boolean {
  if (selector.role !== undefined && element.role !== selector.role) return false;
  const { roles } = selector;
  if (roles?.some((role) => role === element.role || role === element.nativeRole) === false) return false;
  if (selector.titleContains !== undefined && !element.title.includes(selector.titleContains)) return false;
  if (selector.valueContains !== undefined && !(element.value ?? '').includes(selector.valueContains)) return false;
  if (selector.identifier !== undefined && element.identifier !== selector.identifier) return false;
  return selector.visibleOnly !== true || element.states.visible;
}

/** A pid alone may have been given to another process by now. */
export function isSameProcess(a: Pick<App, 'pid' | 'startTime'>, b: Pick<App, 'pid' | 'startTime'>): boolean {
  return a.pid === b.pid && a.startTime === b.startTime;
}

export function isSameWindow(a: Window, b: Window): boolean {
  return a.id === b.id && isSameProcess(a.app, b.app);
}
