/** The values that cross the interfaces of a desktop. Coordinates and sizes are points, global; everything imports them from `desktop.ts`. */
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
  /** The executable, with its script where it is an interpreter, by the kernel; '' where that is not known. Absent where a backend has no processes. */
  program?: string;
  /** Every other id that this process or an installed application of its executable goes by. */
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
  /** Only explains what it lies over; left out where the platform does not tell. */
  tooltip?: boolean;
  /** The document shown, where the platform tells (a browser page's address). */
  documentUrl: string | null;
  /** All documents that show in it, in any pane. Left out for what no platform looks into: other programs than browsers. */
  documents?: ShownDocuments;
}

/** One window as it lies on the screen. */
export interface StackedWindow {
  /** 0 where nothing tells. */
  pid: number;
  title: string;
  /** What of it can show. */
  areas: Rect[];
  frame: Rect;
  /** The window manager handles it. */
  managed: boolean;
  focused: boolean;
}

export interface ShownDocuments {
  urls: string[];
  /** False where it may show others than these: accessibility is off, or the browser does not answer, or not yet. */
  complete: boolean;
}

/** null: the platform does not tell. */
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

/** What would be started. */
export interface InstalledApp {
  id: string;
  name: string;
  /** Other ids it may go by once it runs: those of its program, and of other entries for that program. */
  otherIds?: readonly string[];
  /** Program and arguments. */
  command: string[];
  /** False for a bare program that no application entry names. */
  installed: boolean;
}

export interface LaunchOptions {
  /** Leaves focus and front where they are, as far as the platform lets it. */
  background: boolean;
  /** Starts another one even where it runs already. */
  newInstance: boolean;
}

export interface Launched {
  app: App;
  /** A new process or window; one that ran was brought to the front; one that ran was left as it was. */
  how: 'started' | 'activated' | 'running';
  /** Of the window that had the focus before: it kept it throughout, lost it for a moment and has it again, or has it no longer. */
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
  /** The innermost document it is in; `url` is null where the browser does not tell. Left out: it is in none. */
  document?: { url: string | null };
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
  /** What the application keeps from this, and what helps; left out where it tells everything. */
  note?: string;
}

/** Where to look: an application, one of its windows, or below an element. */
export interface Scope {
  pid: number;
  windowId?: string;
  elementId?: string;
}

export interface TreeLimits {
  maxDepth: number;
  maxNodes: number;
  timeoutMs: number;
  /** Leaves out what does not show, but for the start; what shows below it moves up. Of trees only. */
  visibleOnly?: boolean;
  /** Documents for which it says yes are left out with all that is in them, and not counted. */
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

/** Raw pixels, so that masking never has to decode. */
export interface Capture {
  /** Pixels. */
  width: number;
  height: number;
  /** RGB, 8 bit, no padding: `width * height * 3` bytes. */
  rgb: Uint8Array;
  /** Top left, in points. */
  origin: Point;
  /** Pixels per point. */
  scale: number;
}

export type MouseButton = 'left' | 'middle' | 'right' | 'back' | 'forward';

/** What stays down from one call to the next. */
export interface HeldInput {
  /** Canonical names. */
  keys: readonly string[];
  buttons: readonly MouseButton[];
}

/** Called right before each injected event; throwing stops the input there. */
export type InputGuard = () => Promise<void>;

export type ClipboardContent = { text?: string; html?: string; png?: Uint8Array; files?: string[] };

export type ClipboardReading = ClipboardContent & {
  /** A password manager asks that nobody keeps or shows it; nothing of the content is given. */
  concealed?: true;
  /** The platform's names of what is there beside these, and was not read. */
  others?: string[];
};

export type PermissionState = 'granted' | 'missing' | 'stale' | 'unknown';
export type Permission = 'accessibility' | 'screenRecording';

/** Something of this kind may have changed; `pid` is null where nothing tells whose it is. */
export interface ChangeHint {
  kind: 'windows' | 'applications' | 'elements';
  pid: number | null;
}

export interface PasteResult {
  /** True when the target took the text and the clipboard was given back unchanged. */
  restored: boolean;
}
