import type { DesktopBackend, Point, Rect } from '../desktop.js';

/** Asks the system by another way than the backend does. */
export interface Witness {
  /** Has the system ask the person for what the witness itself needs, and waits for the answer. Rejects where something is not allowed. */
  prepare(): Promise<void>;
  platform(): Promise<string>;
  systemVersion(): Promise<string>;
  /** null where nothing else tells them. */
  permissions(): Promise<SeenPermissions | null>;
  /** Points. */
  mainDisplay(): Promise<{ width: number; height: number }>;
  /** Of a picture of the main display. */
  screenPixels(): Promise<{ width: number; height: number }>;
  frontPid(): Promise<number>;
  isRunning(pid: number): Promise<boolean>;
  exists(path: string): Promise<boolean>;
  /** null where there is no such window. */
  window(pid: number, title: string): Promise<{ frame: Rect; minimized: boolean } | null>;
  titles(pid: number): Promise<string[]>;
  pointer(): Promise<Point>;
  clipboard(): Promise<string>;
  copy(text: string): Promise<void>;
  /** The whole text of the document in front. */
  document(): Promise<string>;
  /** How far the document is scrolled, in any unit. */
  scrolled(): Promise<number>;
  /** Whether the empty document took a file that was dropped on it. */
  tookFile(): Promise<boolean>;
  /** What the calculator shows. */
  result(): Promise<string>;
  /** A window with rows, a name each; `last` is out of view. */
  openRows(): Promise<RowsScene>;
  /** Names of the selected rows. */
  selectedRows(): Promise<string[]>;
  /** Whether what folds is open. */
  isUnfolded(): Promise<boolean>;
  /** How far the rows are scrolled, in any unit. */
  scrolledRows(): Promise<number>;
  /** The frame of a password field that shows until `closePassword`. */
  openPassword(): Promise<Rect>;
  closePassword(): Promise<void>;
  /** Asks the person to move the pointer, and waits for nothing. */
  askPerson(): Promise<void>;
  /** Ends the processes of the backend that run now; it may start others. */
  endBackend(): Promise<void>;
  backendRuns(): Promise<boolean>;
  /** A text document in an application of its own, in front and ready. */
  openDocument(text: string): Promise<{ pid: number; title: string }>;
  /** Ends what was opened, without saving. */
  cleanUp(): Promise<void>;
}

export interface RowsScene {
  pid: number;
  title: string;
  row: string;
  folding: string;
  last: string;
}

/** The applications that take part. */
export interface Actors {
  text: { role: string };
  calculator: { application: string; button: string };
}

export interface Stage {
  desktop: DesktopBackend;
  witness: Witness;
  actors: Actors;
  readonly document: { pid: number; title: string };
  /** The same desktop, opened once more. */
  another(): Promise<DesktopBackend>;
  /** Opened when it is first wanted. */
  rows(): Promise<RowsScene>;
  /** Another document, in the place of this one. */
  reopen(document: { pid: number; title: string }): void;
  /** Pid of the calculator, once `launch` has started it. */
  calculator(): number;
  setCalculator(pid: number): void;
  /** How long the person has who is asked for input. */
  personMs?: number | undefined;
  signal: AbortSignal;
}

export interface Seen {
  /** What the witness saw. */
  seen: unknown;
  agrees: boolean;
}

/** One member: what is done with it, and how the witness judges what it said. */
export interface Steps<Told> {
  steps(stage: Stage): Promise<Told>;
  /** Asked again for a moment, until it agrees. */
  witness(stage: Stage, told: Told): Promise<Seen>;
  /** A backend may say that the system cannot do this. */
  mayBeUnsupported?: true;
}

export interface Check {
  /** Resolves with what it said, and the judgement that is to be asked for. */
  start(stage: Stage): Promise<{ told: unknown; judge(): Promise<Seen> }>;
  mayBeUnsupported: boolean;
}

export interface Row {
  member: keyof DesktopBackend;
  result: 'right' | 'wrong' | 'error' | 'unsupported' | 'not_run';
  told: string;
  witness: string;
}

export function check<Told>({ steps, witness, mayBeUnsupported = undefined }: Steps<Told>): Check {
  return {
    async start(stage) {
      const told = await steps(stage);
      return { told, judge: () => witness(stage, told) };
    },
    mayBeUnsupported: mayBeUnsupported === true,
  };
}

/** Thrown by steps that found out that what they need is not there. */
export class NotRun extends Error {}

/** As another library reads them, of the process that answers for this one. `listening`: Input Monitoring. */
export interface SeenPermissions {
  accessibility: string;
  screen: string;
  listening: string;
}

interface Told {
  accessibility: string;
  screenRecording: string;
}

/** Whether what the backend says fits it. A stale entry counts as allowed for the system; what is unknown fits anything. */
export function permissionsAgree(seen: SeenPermissions, told: Told): boolean {
  const fits = (status: string, state: string): boolean =>
    state === 'unknown' || (status === 'authorized') === (state !== 'missing');
  return fits(seen.accessibility, told.accessibility) && fits(seen.screen, told.screenRecording);
}
