/**
 * What a backend must bring to be judged by the contract suite: a DesktopBackend, and two real applications on it that tell what
 * reached them. Linux brings GTK and Qt applications (test/support/apps), the simulated desktop its own.
 *
 * The main application has one window, titled {@link MAIN_TITLE}, wholly on the screen, with these controls. Accessible names are exact:
 *
 * | control  | role, name                 | at the start                                             |
 * | -------- | -------------------------- | -------------------------------------------------------- |
 * | send     | button `Send`              | each press adds to the journal                           |
 * | toggle   | check box `Remind me`      | not checked                                              |
 * | entry    | one-line text `Name`       | empty, has the focus                                     |
 * | password | password text `Secret`     | {@link SECRET}                                           |
 * | area     | multi-line text `Story`    | {@link STORY}, more lines than it shows, scrolled to its top |
 * | disabled | button `Locked`            | not enabled                                              |
 * | removed  | button `Temporary`         | leaves the window for good when it is pressed            |
 *
 * The second application is another process with a window titled {@link SECOND_TITLE} that holds one button, `Other`.
 */
import type { DesktopBackend, Display, Point, Rect } from '../../src/native/desktop.js';

export const MAIN_TITLE = 'Contract fixture';
export const SECOND_TITLE = 'Second fixture';
export const SECRET = 'hunter2-is-not-shown';
export const STORY = Array.from({ length: 60 }, (_, index) => `Line ${index + 1} of the story`).join('\n');

export type Control = 'send' | 'toggle' | 'entry' | 'password' | 'area' | 'disabled' | 'removed';

/** One thing that reached the main application, told by itself. */
export interface Entry {
  control: Control;
  /**
   * `pressed`: a button was activated. `toggled`: value is `true` or `false`. `changed`: value is the whole new text.
   * `scrolled`: value is the new offset as a number, bigger further down. `pointer`: a mouse button went down on `send`;
   * value is `left`, `middle` or `right`.
   */
  event: 'pressed' | 'toggled' | 'changed' | 'scrolled' | 'pointer';
  value: string;
}

const CONTROLS: readonly Control[] = ['send', 'toggle', 'entry', 'password', 'area', 'disabled', 'removed'];
const EVENTS: readonly Entry['event'][] = ['pressed', 'toggled', 'changed', 'scrolled', 'pointer'];

/** What a fixture application beyond the suite writes is left out. */
export function toEntry({ control, event, value }: { control: string; event: string; value: string }): Entry[] {
  const [known, what] = [CONTROLS.find((one) => one === control), EVENTS.find((one) => one === event)];
  return known === undefined || what === undefined ? [] : [{ control: known, event: what, value }];
}

export interface Apps {
  /** Of the main application. */
  pid: number;
  /** Of the second application. */
  secondPid: number;
  /** Everything since these applications started, oldest first. */
  journal(): Promise<Entry[]>;
}

/** One more application: a list `Fruits` with `Apple`, `Banana`, `Cherry`, none selected, and `More`, which can be expanded where the kit has such a thing. */
export interface Controls {
  pid: number;
  /** The fruits selected, the last one last; '' for none. */
  selected(): Promise<string[]>;
  /** `true` or `false` for each time that `More` was expanded or folded; null where the kit has no such thing. */
  expanded: (() => Promise<string[]>) | null;
  end(): Promise<void>;
}

export interface Fixture {
  /** Starts it; resolves when it is accessible. */
  controls(): Promise<Controls>;
  /** One more application: 40 rows `Row 1`, `Row 2` …, of which the first show and the last do not. */
  rows(): Promise<{ pid: number; end(): Promise<void> }>;
  desktop: DesktopBackend;
  /** The modifier of select all, copy and paste. */
  shortcut: 'ctrl' | 'cmd';
  /**
   * Ends earlier applications and starts both anew, the second only where something was done to it; resolves when both are
   * accessible, the main one on top and active.
   */
  start(): Promise<Apps>;
  /** Something that `launch` can start and that does not run; it opens a window. */
  launchable: string;
  /** Ends what `launch` started. */
  endLaunched(pid: number): Promise<void>;
  /** What a maximised window has of a display; all of it where this is left out. */
  roomOf?(display: Display): Rect;
  /** False where the platform cannot drop files, which is then said. Default true. */
  dropsFiles?: boolean;
  /** False where a text cannot be pasted to one process only, which is then said. Default true. */
  bindsPaste?: boolean;
  /** False where the platform maximises no windows, which is then said. Default true. */
  maximises?: boolean;
  /** True where each new window has the focus first; null where the desktop decides it case by case. Default false. */
  takesFocus?: boolean | null;
  /** False where the application takes only what the keyboard layout has, which is then said. Default true. */
  takesAllText?: boolean;
  /** False where a window that another covers has no picture, which is then said. Default true. */
  seesCovered?: boolean;
  /** Real (not injected) pointer movement, or null where a test cannot make any. */
  personMoves: ((to: Point) => Promise<void>) | null;
  /** Takes the display away, or null where a test cannot. Only `close` follows. */
  lose: (() => Promise<void>) | null;
  /** Closes the desktop (again, if a test did) and everything below it. */
  close(): Promise<void>;
}
