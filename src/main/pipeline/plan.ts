import type { Effect, Subject } from '../protocol/index.js';
import type { Element, Point, Rect, Window } from '../../native/desktop.js';
import type { Kind } from './consequence/words.js';
import { type Message } from '../../messages/index.js';

export type PlanTarget =
  /** Nothing on the desktop (a wait, a chat message). */
  | { kind: 'none' }
  | { kind: 'element'; element: Element }
  /** A point: the topmost window there, the point relative to that window, the element hit. */
  | { kind: 'point'; point: Point; offset: Point; element: Element | null }
  /** Keys or text without a target: whatever holds the focus. */
  | { kind: 'focus'; element: Element | null }
  | { kind: 'window' }
  /** The text of one application is disclosed, whichever of its windows shows it; `name` says which, as the caller named it. */
  | { kind: 'reading'; name: string }
  /** Names of applications and titles of windows are disclosed, no pixels. */
  | { kind: 'titles' }
  /** A whole display is disclosed; with `part`, only this region of the screen. */
  | { kind: 'screen'; rect: Rect; part?: true };

/**
 * What the person sees and what runs: resolved before asking, frozen, and compared with a fresh one right before the act.
 * Any difference that decides (process, window, document, ancestors, element, exact text, pixels) is DESKTOP_TARGET_CHANGED.
 */
export interface Plan {
  subject: Subject;
  target: PlanTarget;
  /** With process id and start time; null where the target is no window. */
  window: Window | null;
  /** Titles of the target's ancestors, nearest first. */
  ancestors: string[];
  /** Exact text or keys; null where there are none. */
  text: string | null;
  /** What the card must say, e.g. that it pastes. */
  notes: Message[];
  /** What an Allow also lets happen, beyond what the title says. */
  covers?: Message[];
  /** Part of the screen to show, and the target inside it, in points. */
  look: { area: Rect; target: Rect | null } | null;
  /** Synthetic input will follow: window and focus are restored before the act. */
  needsFocus: boolean;
  /** No grant covers this one: it reaches past the window, or its text holds newlines or control characters. */
  alwaysAsk: boolean;
  /** Where a drag lets go; `window` null is the bare desktop. Left out where nothing is dragged. */
  drop?: { point: Point; window: Window | null };
  /** What the input does where it lands; left out: it presses what is there. */
  does?: Does;
  /** Set where the act has consequences outside this machine or no way back. */
  consequence?: Consequence | null;
  /** The target is out of view: this is scrolled before the act, and what shows then is compared with what was approved. */
  scroller?: Element;
  /** With a held button, all this does is move the pointer, let go, or give the drag up. */
  withHeld?: 'move' | 'release' | 'cancel';
  /** What earlier calls hold down meanwhile. */
  held?: string;
  /** Fingerprint of the target's pixels at plan time; null where there is no picture. */
  pixels: PixelPrint | null;
  /** Of a sequence: each step with its own plan. */
  steps?: readonly StepPlan[];
}

export type Does =
  /** Scrolls, opens a menu, shows: nothing is pressed. */
  | { kind: 'nothing' }
  /** `says`: the words read there, where no element tells. */
  | { kind: 'press'; says?: string }
  | { kind: 'keys'; keys: readonly string[]; modifiers: readonly string[] }
  /** Typed, so that a line break is the Enter key. */
  | { kind: 'text'; text: string }
  /** Replaces the value of the target. */
  | { kind: 'write'; text: string };

export interface Consequence {
  kind: Kind;
  /** Recipient, amount, text, or what is deleted: as the person is shown it, and as it has to be when it is done. */
  facts: readonly Fact[];
}

export interface Fact {
  /** Of the element that tells it. */
  id: string;
  label: string;
  value: string;
}

export interface StepPlan {
  tool: string;
  effect: Effect;
  subject: Subject;
  /** Exactly as they were given. */
  arguments: unknown;
  /** null: nothing on the desktop is touched, or the target is not there yet. */
  plan: Plan | null;
  late: LatePlace | null;
}

/** Where a target that is not there yet has to be when its turn comes. */
export interface LatePlace {
  name: string;
  /** null: an earlier step opens it. */
  app: { pid: number; startTime: string; id: string; name: string } | null;
  /** What its window showed when the person was asked: {@link originOf} its document. */
  origin: string | null;
}

/** A coarse picture of the target: exact enough to notice a swap, blunt enough to ignore a blinking caret. */
export interface PixelPrint {
  columns: number;
  rows: number;
  /** Mean RGB of each cell, row by row. */
  cells: number[];
  /** Side of a cell, in points; left out: 2. */
  edge?: number;
}
