/** A private Linux session with a desktop on it, and the fixture applications that judge what reached them. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DesktopBackend, Window } from '../../src/native/desktop.js';
import { openLinux, startVirtualSession, type VirtualSession } from '../../src/native/linux/index.js';
import { createProcessTable } from '../../src/native/peer/index.js';
import { startGnome } from './gnome-session.js';
import { readJournal, type JournalLine } from './journal.js';

export interface RunningApp {
  pid: number;
  end(): Promise<void>;
}

export interface FixtureApp extends RunningApp {
  journal(): Promise<JournalLine[]>;
}

export interface FixtureOptions {
  kit?: 'gtk' | 'qt';
  title?: string;
  rows?: number;
  place?: { x: number; y: number };
  second?: boolean;
  secret?: string;
  story?: string;
  /** Pixels of the screen for one of the application's, as desktops for fine displays set it. */
  scale?: number;
}

export interface LinuxDesktop {
  session: VirtualSession;
  desktop: DesktopBackend;
  folder: string;
  /** What the backend complained of. */
  complaints: string[];
  /** Starts a program in the session. */
  run(program: string, args?: string[], env?: Record<string, string>): RunningApp;
  /** Starts a fixture application; resolves when its window is on the screen and accessible. */
  fixture(options?: FixtureOptions): Promise<FixtureApp>;
  /** Starts the application with every kind of control; resolves when it is accessible. */
  controls(kit: 'gtk' | 'qt'): Promise<FixtureApp>;
  /** Waits for a window that fits, of an application whose elements can be read. */
  window(fits: (window: Window) => boolean): Promise<Window>;
  /** Another desktop on the same session. */
  another(): Promise<DesktopBackend>;
  close(): Promise<void>;
}

const APPS = new URL('./apps/', import.meta.url).pathname;
const never = new AbortController().signal;
const LIMITS = { maxDepth: 60, maxNodes: 5_000, timeoutMs: 20_000 };
/** A title bar or a shadow, in pixels: by this much the two frames of a window differ. */
const BORDERS = 60;

interface LinuxDesktopOptions {
  /** A session of sway, or of GNOME Shell, instead of an X server. */
  wayland?: boolean | 'gnome';
  scale?: number;
  /** False: GNOME Shell without Chaperone's extension; `other`: with one of another version. */
  extension?: boolean | 'other';
}

export async function openLinuxDesktop(
  size = { width: 1280, height: 800 },
  { wayland = false, scale = 1, extension = true }: LinuxDesktopOptions = {},
): Promise<LinuxDesktop> {
  const folder = await mkdtemp(join(tmpdir(), 'chap-linux-'));
  const session =
    wayland === 'gnome'
      ? await startGnome({ ...size, extension })
      : await startVirtualSession({ ...size, runtimeDir: folder, wayland, scale });
  const complaints: string[] = [];
  const log = { info: () => {}, warn: (message: string) => void complaints.push(message) };
  const another = (): Promise<DesktopBackend> => openLinux({ env: session.env, processes: createProcessTable(), log });
  const desktop = await another().catch(async (error: unknown) => {
    await session.close();
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  let journals = 0;

  const run: LinuxDesktop['run'] = (program, args = [], env = {}) =>
    running(spawn(program, args, { env: { ...session.env, ...env }, stdio: 'ignore' }));

  const window: LinuxDesktop['window'] = (fits) =>
    eventually(async () => {
      const found = (await desktop.windows(never)).find(fits);
      if (found === undefined) throw new Error('no such window');
      const limits = { maxDepth: 3, maxNodes: 20, timeoutMs: 5000 };
      const { nodes } = await desktop.tree({ pid: found.app.pid, windowId: found.id }, limits, never);
      if (nodes.length < 2) throw new Error('its elements are not there yet');
      return found;
    });

  /** GTK tells of frames before it knows where its window was placed. */
  const placed = async (fits: (window: Window) => boolean) => {
    const { id, app } = await window(fits);
    await eventually(async () => {
      const shown = (await desktop.windows(never)).find((one) => one.id === id)?.frame;
      const { nodes } = await desktop.tree({ pid: app.pid, windowId: id }, { ...LIMITS, maxDepth: 1 }, never);
      const told = nodes[0]?.element.frame;
      if (shown === undefined || told == null) throw new Error('its window is gone');
      if (Math.abs(told.x - shown.x) > BORDERS || Math.abs(told.y - shown.y) > BORDERS)
        throw new Error(`it tells of ${JSON.stringify(told)}, and shows at ${JSON.stringify(shown)}`);
    });
  };

  const fixture: LinuxDesktop['fixture'] = async (options = {}) => {
    const {
      kit = 'gtk',
      title = 'Contract fixture',
      rows = 0,
      place,
      second = false,
      secret = '',
      story = '',
      scale = 1,
    } = options;
    journals += 1;
    const journal = join(folder, `journal-${journals}`);
    const args = ['--journal', journal, '--title', title, '--rows', String(rows), '--secret', secret];
    if (place !== undefined) args.push('--place', `${place.x},${place.y}`);
    if (second) args.push('--second');
    if (story !== '') {
      const file = `${journal}.story`;
      await writeFile(file, story);
      args.push('--story', file);
    }
    const scaled = { GDK_SCALE: `${scale}`, QT_SCALE_FACTOR: `${scale}` };
    const app = run(join(APPS, `${kit}-fixture.py`), args, scale === 1 ? {} : scaled);
    const isOurs = (one: Window): boolean => one.app.pid === app.pid && one.title === title;
    // On Wayland no application has a say in where its window is.
    if (wayland !== false && place !== undefined) await desktop.setWindowFrame((await window(isOurs)).id, place, never);
    await placed(isOurs);
    return { ...app, journal: () => readJournal(journal) };
  };

  const controls: LinuxDesktop['controls'] = async (kit) => {
    journals += 1;
    const journal = join(folder, `journal-${journals}`);
    const app = run(join(APPS, `${kit}-controls.py`), ['--journal', journal]);
    for (const title of ['Controls', 'Controls 2'])
      await window((one) => one.app.pid === app.pid && one.title === title);
    // Accessibility tells of a window’s parts later than of the window.
    await eventually(async () => {
      const { elements } = await desktop.find({ pid: app.pid }, { titleContains: 'Elsewhere' }, 1, LIMITS, never);
      if (elements[0]?.states.visible !== true) throw new Error('its second window’s button is not told of yet');
    });
    return { ...app, journal: () => readJournal(journal) };
  };

  return {
    session,
    desktop,
    folder,
    complaints,
    run,
    fixture,
    controls,
    window,
    another,
    close: async () => {
      await desktop.close();
      await session.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function running(child: ChildProcess): RunningApp {
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  return {
    pid: child.pid ?? 0,
    end: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

/** Tries again until it works; the last failure after 50 s: some applications take 20 to start on a slow machine. */
export async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + 50_000;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The process of its window manager. */
export async function windowManager(linux: Pick<LinuxDesktop, 'session'>): Promise<number> {
  const display = `DISPLAY=${linux.session.display}`;
  for (const pid of execFileSync('pgrep', ['-x', 'openbox']).toString().trim().split('\n').map(Number)) {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (environment.split('\0').includes(display)) return pid;
  }
  throw new Error('The display has no window manager.');
}
