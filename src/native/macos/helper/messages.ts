/** What crosses between the host and the helper process, in which everything that can hang runs. */
import type {
  AutomationGrant,
  CaptureTarget,
  ChangeHint,
  ClipboardContent,
  DesktopBackend,
  DesktopErrorCode,
  Point,
  Rect,
} from '../../desktop.js';
import type { HelperServed } from '../../methods.js';
import type { Message } from '../../../messages/index.js';
import type { WokenApp } from '../accessibility/woken-apps.js';
import type { LibraryPaths } from '../calls/libraries.js';
import type { InputServed } from '../input/events.js';
import type { PictureHelper } from '../pictures/capture.js';

/** What the helper serves of the desktop's interface, as the host calls it. */
export type Served = Pick<DesktopBackend, HelperServed | 'permissions' | 'readClipboard'>;
/** With what the host puts its own members together from. */
export interface HelperMembers extends Omit<Served, 'secureAreas'>, InputServed, PictureHelper {
  automation(signal: AbortSignal): Promise<AutomationGrant[]>;
  /** In what a picture of the target can show; null: in all that shows. */
  secureAreasOf(target: CaptureTarget | null, signal: AbortSignal): Promise<Rect[]>;
  /** The count of the change. */
  putOnClipboard(content: ClipboardContent, signal: AbortSignal): Promise<number>;
  clipboardCount(signal: AbortSignal): Promise<number>;
  /** The count of the change. */
  lendText(text: string, signal: AbortSignal): Promise<number>;
  giveBackClipboard(signal: AbortSignal): Promise<{ restored: boolean; count: number | null }>;
  frontPid(signal: AbortSignal): Promise<number | null>;
  focusedText(pid: number, signal: AbortSignal): Promise<string | null>;
  /** As before they were asked for their pages, by whichever helper. */
  letSleep(apps: readonly WokenApp[], signal: AbortSignal): Promise<void>;
  systemVersion(signal: AbortSignal): Promise<string>;
  /** The frame it had; null where it is maximised already. */
  maximize(id: string, signal: AbortSignal): Promise<Rect | null>;
  /** Tells of changes from then on. */
  watchChanges(signal: AbortSignal): Promise<void>;
  /** Tells of pointer and keys from then on; false where this process may not see them. */
  watchInput(signal: AbortSignal): Promise<boolean>;
  /** Resolves when all input that the system had received by then has been told. */
  flushInput(signal: AbortSignal): Promise<void>;
}

/** One event of pointer or keys. */
export interface SeenInput {
  from: 'person' | 'program';
  /** null for keys. */
  at: Point | null;
  /** A key or button went down. */
  pressed: boolean;
}

/** What a helper tells without being asked. */
export type Told =
  { kind: 'change'; hint: ChangeHint } | ({ kind: 'input' } & SeenInput) | { kind: 'woken'; app: WokenApp };

export type ServedName = keyof HelperMembers;

export type Given<Name extends ServedName> = HelperMembers[Name] extends (
  ...given: [...infer Arguments, AbortSignal]
) => Promise<unknown>
  ? Arguments
  : never;
export type Result<Name extends ServedName> = Awaited<ReturnType<HelperMembers[Name]>>;

export interface OpenMessage {
  type: 'open';
  /** Of this process among its predecessors. */
  generation: number;
  /** Of stand-ins, in tests. */
  libraries?: LibraryPaths;
}

/** Sent with whatever the member takes (unknown), received as what the member wants (never): only its name ties the two. */
export type ToHelper<Argument = unknown> =
  | OpenMessage
  | { type: 'call'; id: number; member: ServedName; given: Argument[] }
  | { type: 'abort'; id: number }
  | { type: 'ping' };

export interface ErrorMessage {
  type: 'error';
  id: number;
  /** null for an error that is a fault of ours; `text` then only says which. */
  code: DesktopErrorCode | null;
  text: Message;
  details: Record<string, unknown>;
}

/** As for {@link ToHelper}: the value is what the member that was called gives. */
export type FromHelper<Value = unknown> =
  | { type: 'ready' }
  /** To each `ping`. */
  | { type: 'alive' }
  | { type: 'told'; told: Told }
  /** It cannot work in this process: a library or function is missing. */
  | { type: 'unusable'; why: string }
  | ErrorMessage
  | { type: 'result'; id: number; value: Value };
