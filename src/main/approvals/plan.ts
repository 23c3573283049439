import type { Effect, RequestedTask, Subject } from '../protocol/index.js';
import type { App, Element, Point, Rect, Window } from '../../native/desktop.js';
import type { Message } from '../../messages/index.js';

export type PlanTarget =
  /** Nothing on the desktop (a wait, a chat message). */
  | { kind: 'none' }
  | { kind: 'element'; element: Element }
  /** A point: the topmost window there, the point relative to that window, the element hit. */
  | { kind: 'point'; point: Point; offset: Point; element: Element | null }
  /** Keys or text without a target: the focused element. */
  | { kind: 'focus'; element: Element | null }
  | { kind: 'window' }
  /** Discloses the text of one application, in any of its windows; `name` as the caller gave it. */
  | { kind: 'reading'; name: string }
  /** Discloses application names and window titles, no pixels. */
  | { kind: 'titles' }
  /** Discloses a whole display; with `part`, only this region. */
  | { kind: 'screen'; rect: Rect; part?: true };

/**
 * What an act would do, as shown to the person: resolved before asking, and compared with a fresh plan right before the act.
 * A difference in process, window, document, ancestors, element, exact text or pixels is DESKTOP_TARGET_CHANGED.
 */
export interface Plan {
  subject: Subject;
  target: PlanTarget;
  /** With process id and start time; null where the target is in no window. */
  window: Window | null;
  /** The application that is called, where it has no window; grants are for it. */
  application?: Pick<App, 'id' | 'name' | 'program'> & Partial<Pick<App, 'otherIds' | 'pid' | 'startTime'>>;
  /** Origin of the page that it opens there, whatever the application shows now. */
  site?: string;
  /** Titles of the target's ancestors, nearest first. */
  ancestors: string[];
  /** Exact text or keys; null where there are none. */
  text: string | null;
  /** Notes on the card, e.g. that the text is pasted. */
  notes: Message[];
  /** What an approval allows beyond the title. */
  covers?: Message[];
  /** Set where the request says that the agent then also sees where it acts. */
  sees?: true;
  /** Part of the screen to show, and the target inside it, in points. */
  look: { area: Rect; target: Rect | null } | null;
  /** The act injects input, so window and focus are restored first. */
  needsFocus: boolean;
  /** No grant covers it: it may reach another window, or its text has newlines or control characters. */
  alwaysAsk: boolean;
  /** Why, where no note says it. */
  asksFor?: AskReason;
  /** Presses Enter, or types line breaks: text where the target is a text area, and `asksFor` it elsewhere. */
  breaksLines?: true;
  /** The one file that it takes or writes through a dialog, free of links: a grant covers it only in the folder of its agent. */
  file?: string;
  /** The files that it runs or hands over, to compare until it does. */
  files?: readonly PlannedFile[];
  /** The file in whose place it writes, to compare before it does. */
  replaces?: PlannedFile;
  /** Where a drag ends; `window` null is the bare desktop. Left out where nothing is dragged. */
  drop?: { point: Point; window: Window | null };
  /** Set where the card says that a file manager may show Chaperone's own files there. */
  ownFiles?: true;
  /** What the input does at the target; left out: it presses. */
  does?: PlannedInput;
  /** Set where the act has consequences outside this machine or cannot be undone. */
  consequence?: Consequence | null;
  /** Set where nothing identifies what is pressed, or its name says nothing on a page or window where that matters; `alwaysAsk` then holds too. */
  unclear?: true | undefined;
  /** Set where the target is out of view: this element is scrolled before the act, and the plan compared again. */
  scroller?: Element;
  /** With a held button, the act only moves the pointer, releases the button, or cancels the drag. */
  withHeld?: 'move' | 'release' | 'cancel';
  /** Keys and buttons that earlier calls hold down. */
  held?: string;
  /** Fingerprint of the target's pixels at plan time; null without a picture. */
  pixels: PixelFingerprint | null;
  /** Set for the comparison where the policy alone allows the act: no person read the titles around the target. */
  titlesUnseen?: true;
  steps?: readonly StepPlan[];
  /** The installed application that it opens. */
  opens?: Pick<App, 'id' | 'name' | 'otherIds'>;
  /** What it asks for, as the agent gave it. */
  task?: Omit<RequestedTask, 'scope'>;
  /** The agent asks for a desktop: the person chooses which. */
  desktops?: true;
  /** A command of plain words in the agent's workspace. */
  command?: PlannedCommand;
  /** Set where what runs something deserves neither red nor a held button. */
  plain?: true;
}

/** A command that no shell reads. What a rule or the policy allows is run by these words, and by the path of its program. */
export interface PlannedCommand {
  words: readonly string[];
  folder: string;
  /** The file that is run, and what tells it from another one. */
  program: string;
  identity: string;
  /** It only reads the workspace, so that nobody is asked. */
  reads: boolean;
  /** It has no network, and can write only the workspace. */
  sandbox: boolean;
  /** null: no rule covers it. `prefix`: the first words, for a rule about all commands that start with them. */
  rule: { prefix: readonly string[] | null } | null;
}

/** The element of the target; null where it has none or none is known. */
export const targetElement = (plan: Pick<Plan, 'target'> | null): Element | null =>
  plan !== null && 'element' in plan.target ? plan.target.element : null;

/** The windows of a plan and of its steps, each once. */
export function windowsOf(plan: Plan | null): Window[] {
  const windows = [plan, ...(plan?.steps ?? []).map((step) => step.plan)].map((one) => one?.window ?? null);
  return [...new Map(windows.filter((window) => window !== null).map((window) => [window.id, window])).values()];
}

/** A plan without a target, for what does not use the desktop or only reads it. */
export const planWithoutTarget = (subject: Subject): Plan => ({
  subject,
  target: { kind: 'none' },
  window: null,
  ancestors: [],
  text: null,
  notes: [],
  look: null,
  needsFocus: false,
  alwaysAsk: false,
  pixels: null,
});

/** A file as it was when the plan was made. */
export interface PlannedFile {
  path: string;
  /** Tells another file from this one; also one that was written, where its content was not read. */
  identity: string;
  /** Digest of the content; null where that was not read. */
  sha256: string | null;
}

/** `enter`: it can send or confirm; `control`: the text has control characters; `beyond`: keys that leave the window; `file`: it may hand over any; `hidden`: the record lies in a hidden folder. */
export const ASK_REASONS = ['enter', 'control', 'beyond', 'file', 'hidden'] as const;
export type AskReason = (typeof ASK_REASONS)[number];

export type PlannedInput =
  /** Scrolls, or opens a context menu; nothing is pressed, except by a button in a menu that is open. */
  | { kind: 'nothing'; button?: true }
  /** `says`: the text read on screen where no element is known. */
  | { kind: 'press'; says?: string }
  | { kind: 'keys'; keys: readonly string[]; modifiers: readonly string[] }
  /** Typed, so that a line break is the Enter key. */
  | { kind: 'text'; text: string }
  /** Replaces the value of the target. */
  | { kind: 'write'; text: string };

/** What a control does by its name; `submit`: sends a form that holds a secret, whatever its button says. */
export type ConsequenceKind = 'pay' | 'buy' | 'delete' | 'sign' | 'send' | 'authorize' | 'submit';
/** What a chord does; `save`: over a file of whose text agents removed a large part. */
export type KeysDo = 'close' | 'overwrite' | 'delete' | 'send' | 'print' | 'run' | 'other' | 'save';

export interface Consequence {
  kind: ConsequenceKind | KeysDo;
  /** Keys may do it, by where the focus is then: less is done where they do not. */
  byKeys?: true;
  /** Besides, it may save over what agents removed; the person is told. */
  saves?: true;
  /** Recipient, amount, text, or what is deleted. Shown to the person, and compared again before the act. */
  facts: readonly Fact[];
}

export interface Fact {
  /** Id of the element it was read from. */
  id: string;
  label: string;
  value: string;
}

export interface StepPlan {
  tool: string;
  effect: Effect;
  subject: Subject;
  /** Exactly as the caller gave them. */
  arguments: unknown;
  /** null: the step does not use the desktop, or its target does not exist yet. */
  plan: Plan | null;
  late: LatePlace | null;
}

/** Where a target that does not exist yet must appear. */
export interface LatePlace {
  name: string;
  /** null: an earlier step opens it. */
  app: { pid: number; startTime: string; id: string; name: string } | null;
  /** Ids and titles of that application's windows when the person was asked; without menus and popups. */
  windows: readonly { id: string; title: string }[];
  /** Origin of its window's document when the person was asked. */
  origin: string | null;
}

/** A coarse picture of the target: detects a swapped target, ignores a blinking caret. */
export interface PixelFingerprint {
  columns: number;
  rows: number;
  /** Mean RGB of each cell, row by row. */
  cells: number[];
  /** Side of a cell, in points; left out: 2. */
  edge?: number;
}
