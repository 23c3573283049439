/** Windows as trees, applications and launching see them: frames, stacking and focus. The X server fills it (`x11/`). */
import { DesktopError, type Display, type Point, type Rect, type StackedWindow } from '../desktop.js';
import { message } from '../../messages/index.js';

/** A top-level window as the X server and the window manager describe it. */
export interface TopLevelWindow {
  /** The application's own window. */
  id: number;
  /** The child of the root that holds it: the window manager's frame, or itself. */
  top: number;
  title: string;
  instance: string;
  className: string;
  /** 0 where it is not known. */
  pid: number;
  /** With the window manager's borders, without invisible shadows. */
  frame: Rect;
  /** The application's part, without borders. */
  client: Rect;
  borders: Borders;
  /** Where the application's places count from, on displays that do not tell it where its window is. Left out where it tells places on the screen. */
  origin?: Point;
  /** What the application draws on, with its shadows, where the display tells it. */
  surface?: Rect;
  focused: boolean;
  minimized: boolean;
  /** Not a menu, tooltip, panel or other special type; `override_redirect` counts as it was when the window was mapped. */
  normal: boolean;
  tooltip: boolean;
  /** The image of a drag: it follows the pointer, and the drop goes to the window below it. */
  dragged: boolean;
  /** Mapped by its application; the window manager's frame around it may be unmapped. */
  mapped: boolean;
  /** Mapped with all its ancestors. With some window managers also true of minimised windows and of other desktops. */
  viewable: boolean;
  /** On another virtual desktop. */
  onOtherDesktop: boolean;
  /** Visible on the screen, unless other windows cover it. */
  shown: boolean;
  /** Names of `_NET_WM_STATE`. */
  states: readonly string[];
  /** Windows of other programs in it, at any depth, topmost first: plugs, tray icons, plug-ins. */
  inside: readonly TopLevelWindow[];
  /** More windows are in it than were looked through: what else shows there is not known. */
  crowded: boolean;
}

export interface Borders {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * Each answer includes everything that the X server had done when it was asked. Where `call` is given, the signal of one call of the
 * backend, that holds of its first question; later ones are answered from memory, as of then or a later moment.
 */
export interface Windows {
  /** Topmost first; then those on other desktops, then minimised ones. */
  list(call?: AbortSignal): Promise<TopLevelWindow[]>;
  /** All windows that can show on the screen, topmost first, whether or not they take input, with the areas that each can cover. */
  stack(): Promise<StackedWindow[]>;
  /** null when there is no such window. */
  find(id: number, call?: AbortSignal): Promise<TopLevelWindow | null>;
  /** The window with the focus; null where there is none. */
  front(call?: AbortSignal): Promise<TopLevelWindow | null>;
  /** The id of that window; 0 where there is none. */
  active(): Promise<number>;
  /** The topmost window whose shape holds the point. */
  at(point: Point, call?: AbortSignal): Promise<TopLevelWindow | null>;
  /** The windows of other processes in it that a click at the point goes through, innermost first. One that takes no clicks hands them on. */
  insideAt(window: TopLevelWindow, point: Point): Promise<TopLevelWindow[]>;
  /** The windows of other processes in it that keys go through, innermost first. */
  focusInside(window: TopLevelWindow): Promise<TopLevelWindow[]>;
  pidOf(id: number): Promise<number>;
  /** All of it. Its size changes with the monitors. */
  screen(call?: AbortSignal): Promise<Rect>;
  /** Main one first. */
  displays(call?: AbortSignal): Promise<Display[]>;
  /** Called when something that an answer was made from has changed, or may have. */
  onChange(listener: () => void): () => void;
  /** Runs `probe` now and after each change of a window until it gives something other than null; null once `timeoutMs` have passed. */
  waitFor<T>(probe: () => Promise<T | null>, timeoutMs: number, signal: AbortSignal): Promise<T | null>;
}

export function windowId(id: number): string {
  return `0x${id.toString(16)}`;
}

export function parseWindowId(id: string): number {
  if (/^0x[0-9a-f]{1,8}$/.test(id)) return Number.parseInt(id, 16);
  throw new DesktopError('not_found', message('native.no_such_window', { id }));
}
