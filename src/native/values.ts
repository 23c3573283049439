/** The values of the desktop interfaces. Coordinates and sizes are points, global; everything imports them from `desktop.ts`. */
import type { Message } from '../messages/index.js';

export type Platform = 'linux' | 'macos' | 'simulated';

export interface Point {
  x: number;
  y: number;
}

export interface Rect extends Point {
  width: number;
  height: number;
}

export interface Display {
  id: string;
  name: string;
  frame: Rect;
  /** Pixels per point. */
  scale: number;
  main: boolean;
}

export interface App {
  /** Bundle id on macOS; desktop-file id or WM class on Linux, which any program and any desktop file can choose. */
  id: string;
  name: string;
  /** The executable, and the script of an interpreter, as the kernel reports them; '' where not known. Absent where a backend has no processes. */
  program?: string;
  /** All other ids of this process and of installed applications with its executable. */
  otherIds?: readonly string[];
  pid: number;
  /** Opaque; with pid it tells a process from a later one that got the same pid. */
  startTime: string;
  frontmost: boolean;
}

export interface Window {
  id: string;
  title: string;
  app: App;
  frame: Rect;
  focused: boolean;
  minimized: boolean;
  /** On screen now, perhaps covered: not minimised, not hidden with its application, not on another virtual desktop. */
  visible: boolean;
  /** False for panels, tooltips, override-redirect menus. */
  normal: boolean;
  /** A tooltip; left out where the platform does not report it. */
  tooltip?: boolean;
  /** The document shown, where the platform reports it (the address of a page in a browser). */
  documentUrl: string | null;
  /** All documents that show in it, in any pane. Left out for programs that are not browsers. */
  documents?: ShownDocuments;
  /** Windows of other applications that show in it, topmost first: plugs, tray icons, plug-ins. Left out where there are none. */
  inside?: readonly Window[];
  /** More windows are in it than were looked through, or those at the point are of several applications: another may show there and take input. */
  crowded?: true;
}

/** One window in stacking order. */
export interface StackedWindow {
  /** 0 where not known. */
  pid: number;
  title: string;
  /** The areas in which it can show. */
  areas: Rect[];
  frame: Rect;
  /** The window manager handles it. */
  managed: boolean;
  focused: boolean;
  /** Whose it is, where the list of windows may lack it. */
  app?: Pick<App, 'id' | 'otherIds'>;
}

export interface ShownDocuments {
  urls: string[];
  /** False where it may show more documents: accessibility is off, or the browser does not answer, or not yet. */
  complete: boolean;
}

/** null where the platform does not report it. */
export interface WindowState {
  resizable: boolean | null;
  minimizable: boolean | null;
  closable: boolean | null;
  modal: boolean | null;
  /** Kept above the others. */
  floating: boolean | null;
  /** Not on screen although it is not minimised: on another virtual desktop, or hidden with its application. */
  hidden: boolean | null;
  minimized: boolean;
  maximized: boolean | null;
  fullscreen: boolean | null;
  focused: boolean;
}

/** An application that can be started. */
export interface InstalledApp {
  id: string;
  name: string;
  /** Other ids it may have once it runs: those of its program, and of other entries for that program. */
  otherIds?: readonly string[];
  /** Program and arguments. */
  command: string[];
  /** False for a program without an application entry. */
  installed: boolean;
  /** The file that this is read from, where there is one. */
  entry?: string;
}

export interface LaunchOptions {
  /** Keeps the focused window focused and in front, as far as the platform allows. */
  background: boolean;
  /** Starts another one even where it runs already. */
  newInstance: boolean;
  /** Of a page that it opens, where it runs already also there: for browsers. */
  address?: string;
}

export interface Launched {
  app: App;
  /** A new process or window; a running one was brought to the front; a running one was left as it was. */
  how: 'started' | 'activated' | 'running';
  /** The window that had the focus before kept it, got it back after a moment, or has lost it. */
  focus: 'kept' | 'given_back' | 'moved';
}

export interface ElementStates {
  enabled: boolean;
  /** Showing on screen now (not merely mapped). */
  visible: boolean;
  focused: boolean;
  editable: boolean;
  /** A password field: its value is never read, its frame is masked. */
  secure: boolean;
  /** null: the element has no such state. */
  checked: boolean | null;
  selected: boolean | null;
  expanded: boolean | null;
}

export interface Element {
  /** Lives as long as the backend's object does; re-resolve by app, path, role and title afterwards. */
  id: string;
  pid: number;
  /** AX role name on every platform, e.g. `AXButton`. */
  role: string;
  /** The platform's own role name, e.g. `push button`. */
  nativeRole: string;
  title: string;
  description: string;
  /** null where there is none, or where the element is secure. */
  value: string | null;
  frame: Rect | null;
  states: ElementStates;
  /** AX action names, e.g. `AXPress`; empty where there is none. */
  actions: string[];
  /** Child indexes from the application root. */
  path: number[];
  /** Author-given identifier (AXIdentifier, accessible-id), '' where none. */
  identifier: string;
  /** The innermost document it is in; `url` is null where the browser does not report it. Left out where it is in none. */
  document?: { url: string | null };
  /** Of an editable text that has the focus: the selection, in characters of its value; both are equal where only the caret shows. Read in brief trees, where the system tells it. */
  selection?: { from: number; to: number };
  /** Address of the link that it is, or is in. Not read in trees and searches. */
  leadsTo?: string;
}

export interface TreeNode {
  element: Element;
  depth: number;
  /** Index of the parent in the node list; -1 for the root. */
  parent: number;
  childCount: number;
}

export interface Tree {
  /** Preorder. */
  nodes: TreeNode[];
  /** Which limit cut the tree short; all false means that it is whole. */
  truncated: { depth: boolean; nodes: boolean; time: boolean };
  /** What is missing because the application does not report it, and what to do; left out where nothing is. */
  note?: string;
}

/** Where to read: an application, one of its windows, or below an element. */
export interface Scope {
  pid: number;
  windowId?: string;
  elementId?: string;
}

export interface TreeLimits {
  maxDepth: number;
  maxNodes: number;
  timeoutMs: number;
  /** Leaves out hidden elements, except the start; their visible descendants move up. For trees only. */
  visibleOnly?: boolean;
  /** Actions, identifiers and the headers of large tables are not needed: they may be left out. For trees only. */
  brief?: boolean;
  /** Documents for which it returns true are left out with their content, and not counted. */
  hides?: (url: string | null) => boolean;
}

/** All given fields must match. `role` exactly; the others as case-sensitive substrings, `identifier` exactly. */
export interface Selector {
  role?: string;
  /** Any of these, each exactly an AX role or a platform's own. */
  roles?: readonly string[];
  titleContains?: string;
  valueContains?: string;
  identifier?: string;
  visibleOnly?: boolean;
}

export interface FindResult {
  /** At most `limit`, in tree order. */
  elements: Element[];
  /** All matches found. */
  matched: number;
  truncated: Tree['truncated'];
  note?: string;
}

export type CaptureTarget =
  { kind: 'display'; displayId?: string } | { kind: 'region'; rect: Rect } | { kind: 'window'; windowId: string };

export interface Pixels extends Uint8Array {
  /** Gives the memory to the next picture: these pixels are gone then, copies of them are not. For who alone has the picture, once nothing reads it any more. */
  release?(): void;
}

/** Raw pixels, so that masking needs no decoding. */
export interface Capture {
  /** Pixels. */
  width: number;
  height: number;
  /** RGB, 8 bit, no padding: `width * height * 3` bytes. */
  rgb: Pixels;
  /** Top left, in points. */
  origin: Point;
  /** Pixels per point. */
  scale: number;
}

export type MouseButton = 'left' | 'middle' | 'right' | 'back' | 'forward';

/** Keys and buttons that stay pressed between calls. */
export interface HeldInput {
  /** Canonical names. */
  keys: readonly string[];
  buttons: readonly MouseButton[];
}

/** Called right before each injected event; throwing stops the input there. */
export type InputGuard = () => Promise<void>;

export type ClipboardContent = { text?: string; html?: string; png?: Uint8Array; files?: string[] };

export type ClipboardReading = ClipboardContent & {
  /** Marked by a password manager as not to be kept or shown; the content is left out. */
  concealed?: true;
  /** The platform's names of other contents that were not read. */
  others?: string[];
};

export type PermissionState = 'granted' | 'missing' | 'stale' | 'unknown';
export type Permission = 'accessibility' | 'screenRecording';

/** Whether the person lets scripts control this application. */
export interface AutomationGrant {
  application: string;
  state: Extract<PermissionState, 'granted' | 'missing'>;
}

/** How the display server gives an ability, as it was when it was opened. */
export interface Provision {
  ability: 'windows' | 'screenshots' | 'pointer' | 'keys' | 'clipboard' | 'person' | 'elements';
  /** Protocols, extensions and programs, by their own names; null where nothing gives it. */
  by: string | null;
  /** What is missing of it; null where nothing is. */
  lacks: Message | null;
  /** It brings what is missing; null where nothing can. */
  command: string | null;
}

/** Something of this kind may have changed; `pid` is null where the process is not known. */
export interface ChangeHint {
  kind: 'windows' | 'applications' | 'elements';
  pid: number | null;
  /** What changed has its place already: it can be read at once. */
  isLaidOut?: boolean;
}

/** How long a window has looked as it does. */
export interface WindowPaint {
  /** Another one after each paint, move or new size: where two readings agree, every picture taken in between is the same. */
  generation: string;
  /** At least this long; Infinity where the system never shows a window half painted. */
  unpaintedMs: number;
}

export interface PasteResult {
  /** True when the previous content of the clipboard was restored completely. */
  restored: boolean;
}
