/**
 * What the backend needs of a display server, whichever it is: windows, places, input, pictures, the clipboard and the person's own input.
 * `x11/` and `wayland/` each fill it. Elements, applications and launching are the same with both, and know nothing else of them.
 */
import type {
  Capture,
  CaptureTarget,
  ClipboardContent,
  ClipboardReading,
  HeldInput,
  InputGuard,
  MouseButton,
  PasteResult,
  Point,
  Provision,
  Rect,
  WindowPaint,
  WindowState,
} from '../desktop.js';
import type { BackgroundStart } from './application-start.js';
import type { Windows } from './windows.js';
import type { Message } from '../../messages/index.js';

/** Windows are named by their numbers: see `windows.ts`. */
export interface DisplayServer {
  /** For people, with its version, e.g. `sway 1.7, Wayland`. */
  readonly name: string;
  readonly provides: readonly Provision[];
  readonly windows: Windows;
  readonly acts: WindowActs;
  readonly pictures: Pictures;
  readonly pointer: Pointer;
  readonly keyboard: Keyboard;
  readonly clipboard: Clipboard;
  /** null where input cannot be noticed. */
  readonly inputEvents: InputEvents | null;
  dropFiles(
    paths: readonly string[],
    id: number,
    guard: InputGuard,
    signal: AbortSignal,
  ): Promise<{ accepted: boolean }>;
  /** Whether the window's application has read all input sent so far; null where nothing tells. */
  hasRead(id: number, signal: AbortSignal): Promise<boolean | null>;
  /** See `DesktopBackend.releaseAll`. Never rejects. */
  release(keep?: HeldInput): Promise<void>;
  /** Calls `changed` when a window has appeared, gone or changed; with true where an application may have started or ended too. */
  watchWindows(changed: (applications: boolean) => void): { stop(): Promise<void> };
  prepareBackgroundStart(): Promise<BackgroundStart>;
  onLost(listener: (reason: Message) => void): () => void;
  /** Releases what is held. */
  close(): Promise<void>;
}

/** Each method asks for something, and then reads what was done. */
export interface WindowActs {
  focus(id: number, signal: AbortSignal): Promise<void>;
  /** The frame that was granted. */
  setFrame(id: number, frame: Partial<Rect>, signal: AbortSignal): Promise<Rect>;
  setMinimized(id: number, minimized: boolean, signal: AbortSignal): Promise<void>;
  setMaximized(id: number, maximized: boolean, signal: AbortSignal): Promise<void>;
  state(id: number): Promise<WindowState>;
  close(id: number, signal: AbortSignal): Promise<void>;
  kill(id: number, signal: AbortSignal): Promise<void>;
  /** `running` is false once the process has ended, also where another one has its pid. */
  quit(pid: number, running: () => boolean, signal: AbortSignal): Promise<void>;
}

export interface Pictures {
  capture(target: CaptureTarget, signal: AbortSignal): Promise<Capture>;
  isAllowed(): Promise<boolean>;
  windowPaint(id: number, after: string | null, signal: AbortSignal): Promise<WindowPaint | null>;
  /** Of the window with this `top`; null where it cannot be told. */
  lastPaint(top: number): Promise<{ generation: string } | null>;
}

export interface Pointer {
  position(): Promise<Point>;
  move(to: Point, signal: AbortSignal): Promise<void>;
  button(button: MouseButton, down: boolean, guard: InputGuard, signal: AbortSignal): Promise<void>;
  scroll(delta: Point, guard: InputGuard, signal: AbortSignal): Promise<void>;
}

export interface Keyboard {
  key(key: string, down: boolean, guard: InputGuard, signal: AbortSignal): Promise<void>;
  /** `hold`: each key for a frame, for a program that may look at keys and at no events. */
  typeText(text: string, hold: boolean, guard: InputGuard, signal: AbortSignal): Promise<void>;
}

export interface Clipboard {
  read(signal: AbortSignal): Promise<ClipboardReading>;
  write(content: ClipboardContent): Promise<void>;
  onChange(listener: (written: ClipboardContent | null) => void): () => void;
  paste(text: string, pid: number, guard: InputGuard, signal: AbortSignal): Promise<PasteResult>;
}

export interface InputEvents {
  /** Presses and moves of real devices. */
  onPerson(listener: (at: Point | null) => void): () => void;
  /** Presses, moves and releases of synthetic devices. */
  onSynthetic(listener: () => void): () => void;
  /** Resolves when the listeners have been called for all input that the server had received by then. */
  flush(): Promise<void>;
}
