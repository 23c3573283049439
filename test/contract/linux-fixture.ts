/** The GTK and Qt applications of the contract suite, in a session of an X server or of sway. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { Display, Rect, Window } from '../../src/native/desktop.js';
import { movePointerBy } from '../support/gnome-session.js';
import { eventually, openLinuxDesktop, type FixtureApp, type LinuxDesktop } from '../support/linux-desktop.js';
import { moveAsPerson } from '../support/person-device.js';
import { MAIN_TITLE, SECOND_TITLE, SECRET, STORY, toEntry, type Fixture } from './fixture.js';

/** What no compositor offers, or sway does not. */
const SWAY = { dropsFiles: false, bindsPaste: false, maximises: false, seesCovered: false, takesFocus: true } as const;

/** The second application, and how its window showed at its start. It serves on until a test has touched it. */
interface Second {
  app: FixtureApp;
  shown: object;
}

/** What tests can change of a window besides the focus and the order, which each start makes anew. */
const statesOf = ({ id, title, frame, minimized, visible }: Window): object => ({
  id,
  title,
  frame,
  minimized,
  visible,
});

/** What GNOME Shell has beyond that. Its top bar takes a part of the screen. */
const GNOME = { dropsFiles: false, bindsPaste: false, takesFocus: null, roomOf } as const;

function roomOf({ frame }: Display): Rect {
  return { ...frame, y: frame.y + TOP_BAR, height: frame.height - TOP_BAR };
}
const TOP_BAR = 32;

const SESSIONS = new Map([
  ['x11', { wayland: false, differs: {} }],
  ['sway', { wayland: true, differs: SWAY }],
  ['gnome', { wayland: 'gnome', differs: GNOME }],
] as const);

/** null where the display tells nobody of it. */
function personOf(display: 'x11' | 'sway' | 'gnome', { desktop, session }: LinuxDesktop): Fixture['personMoves'] {
  if (display === 'sway') return null;
  if (display === 'x11') return (to) => moveAsPerson(session.display, session.env, to);
  return async (to) => {
    const from = await desktop.pointer(new AbortController().signal);
    await movePointerBy(session.env, to.x - from.x, to.y - from.y);
  };
}

export async function openFixture(kit: 'gtk' | 'qt', display: 'x11' | 'sway' | 'gnome'): Promise<Fixture> {
  const { wayland, differs } = SESSIONS.get(display) ?? { wayland: false, differs: {} };
  const linux = await openLinuxDesktop(undefined, { wayland });
  const { desktop, session } = linux;
  const signal = new AbortController().signal;
  const windowOf = (pid: number): Promise<Window> => linux.window((one) => one.app.pid === pid);
  let main: FixtureApp | null = null;
  let second: Second | null = null;
  const end = async (): Promise<void> => {
    await Promise.all([main?.end(), second?.app.end()]);
    [main, second] = [null, null];
  };
  const startSecond = async (): Promise<Second> => {
    const app = await linux.fixture({ kit, title: SECOND_TITLE, second: true, place: { x: 700, y: 60 } });
    return { app, shown: statesOf(await windowOf(app.pid)) };
  };
  /** Nothing was pressed in it, and it has one window, as at its start. */
  const isUntouched = async ({ app, shown }: Second): Promise<boolean> => {
    const windows = (await desktop.windows(signal)).filter((one) => one.app.pid === app.pid);
    return (await app.journal()).length === 0 && isDeepStrictEqual(windows.map(statesOf), [shown]);
  };

  return {
    desktop,
    shortcut: 'ctrl',
    launchable: 'galculator',
    start: async () => {
      const kept = second !== null && (await isUntouched(second)) ? second : null;
      await Promise.all([main?.end(), kept === null ? second?.app.end() : null]);
      [main, second] = [null, kept];
      const [other, app] = await Promise.all([
        kept ?? startSecond(),
        linux.fixture({ kit, title: MAIN_TITLE, secret: SECRET, story: STORY, place: { x: 60, y: 60 } }),
      ]);
      [main, second] = [app, other];
      await desktop.focusWindow((await windowOf(app.pid)).id, signal);
      // The application hears of it after the window manager has said so.
      await eventually(async () => expect((await desktop.focusedElement(signal))?.title).toBe('Name'));
      return {
        pid: app.pid,
        secondPid: other.app.pid,
        journal: async () => (await app.journal()).flatMap(toEntry),
      };
    },
    controls: async () => {
      const app = await linux.controls(kit);
      const told = async (control: string, event: string) =>
        (await app.journal()).filter((one) => one.control === control && one.event === event).map((one) => one.value);
      return {
        pid: app.pid,
        selected: () => told('fruits', 'selected'),
        expanded: kit === 'gtk' ? () => told('more', 'expanded') : null,
        end: app.end,
      };
    },
    rows: () => linux.fixture({ kit, title: 'Rows', rows: 40 }),
    endLaunched: async (pid) => void process.kill(pid, 'SIGKILL'),
    personMoves: personOf(display, linux),
    ...differs,
    // It knows no input method of GNOME.
    ...(display === 'gnome' && kit === 'qt' ? { takesAllText: false } : {}),
    lose: () => session.close(),
    close: async () => {
      await end();
      await linux.close();
    },
  };
}
