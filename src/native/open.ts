/**
 * Chooses and opens a desktop. Comes in: the requested backend, and the environment. Goes out: a {@link DesktopBackend}, a function
 * to close it and, where another backend than expected was opened, a note for the person. Called by host/ and cli/.
 */
import { tmpdir } from 'node:os';
import { DesktopError, type DesktopBackend } from './desktop.js';
import { allOf } from './methods.js';
import { launchEnvironment } from './linux/launch-environment.js';
import { COMMAND_MARK } from './peer/command-mark.js';
import type { HelperProcess } from './macos/helper/process.js';
import { appOf, type Grantee } from './peer/macos-calls.js';
import type { ProcessTable } from './peer/types.js';
import { message, textOf, type Message } from '../messages/index.js';
import type { LinuxDesktop } from './linux/index.js';
import type { Platform, Provision } from './values.js';

interface OpenLog {
  info(message: string): void;
  warn(message: string): void;
}

type Environment = Record<string, string | undefined>;

export type { HelperProcess };
/** Starts a helper of the macOS backend from its script. */
export type StartHelper = (entry: string) => HelperProcess;

export interface OpenOptions {
  backend: 'auto' | 'macos' | 'linux' | 'simulated';
  /** `virtual` starts a private session. With `auto`, `current` falls back to one where no display can be used. */
  display: 'current' | 'virtual';
  /** The private session is of a Wayland compositor. */
  wayland?: boolean;
  env: Environment;
  log: OpenLog;
  processes: ProcessTable;
  /** Where a private session may keep its files; default XDG_RUNTIME_DIR, else the temporary folder. */
  runtimeDir?: string;
  /** Pixels of a private session; default 1920 × 1080. */
  size?: { width: number; height: number };
  /** Of the app, to which macOS gives permissions of its own. Absent on plain Node, where the terminal has them. */
  startHelper?: StartHelper | undefined;
  /** What macOS lists for what this process is allowed; null where it does not tell. */
  grantee?: Grantee | null;
  /** Called once other programs are started and waited for: the time to read code that is needed after them. */
  onIdle?: () => void;
  /** Default process.platform. */
  platform?: string;
  /** Default: the real ones, loaded when they are needed. */
  backends?: Backends;
}

export interface OpenedDesktop {
  desktop: DesktopBackend;
  /** `macos`, `linux`, `linux (virtual)` or `simulated`. */
  name: string;
  /** X or Wayland display, the Mac’s, or `in memory`. */
  display: string;
  /** For the person: which desktop is used instead of which, or who else may use it; why, and what to do about it. */
  note: Message | null;
  /** The note is not about a problem: a machine without a display has a virtual one. */
  harmless?: boolean;
  /** How the display server gives each ability; absent where there is no such server. */
  provides?: readonly Provision[];
  /** For programs that are to show on this desktop; null where no program can. */
  env: Record<string, string> | null;
  /** Closes the desktop, then the session it ran in. */
  close(): Promise<void>;
}

export interface Backends {
  /** By default its helpers are processes of Node. */
  macos(startHelper: StartHelper | undefined): Promise<DesktopBackend>;
  linux(options: { display: string; env: Environment; processes: ProcessTable; log: OpenLog }): Promise<LinuxDesktop>;
  session(options: {
    width: number;
    height: number;
    wayland: boolean;
    runtimeDir: string;
    onIdle: () => void;
  }): Promise<{ env: Record<string, string>; display: string; close(): Promise<void> }>;
  simulated(): Promise<DesktopBackend>;
}

/** Rejects with DesktopError: `unsupported` where the platform or a package is missing, `failed` where something did not start. */
export async function openDesktop(options: OpenOptions): Promise<OpenedDesktop> {
  const backends = options.backends ?? realBackends;
  const { backend, display, platform = process.platform } = options;
  if (backend === 'simulated') return simulated(backends, null);
  if (platform === 'darwin' && backend !== 'linux') return onMac(options, backends);
  if (backend === 'macos') throw new DesktopError('unsupported', message('display.macos_elsewhere', { platform }));
  if (platform !== 'linux') {
    if (backend === 'auto') return simulated(backends, message('display.no_backend', { platform }));
    throw new DesktopError('unsupported', message('display.linux_elsewhere', { platform }));
  }
  if (backend === 'linux') return display === 'virtual' ? virtual(options, backends, null) : current(options, backends);
  return automatic(options, backends);
}

/**
 * On plain Node the terminal would be granted what Chaperone needs, so there the person has to name the backend. The app goes on
 * without a desktop where none can be opened: people and agents can still talk, and are told why.
 */
async function onMac(options: OpenOptions, backends: Backends): Promise<OpenedDesktop> {
  const { backend, display, env, startHelper } = options;
  const note = startHelper === undefined ? terminalGranted(env) : grantedToAnother(options.grantee ?? null);
  if (note !== null && startHelper === undefined && backend === 'auto') {
    return simulated(backends, message('display.simulated_in_terminal', { reason: note }));
  }
  if (display === 'virtual') throw new DesktopError('unsupported', message('display.no_virtual_mac'));
  const opened = { name: 'macos', display: 'Quartz', env: {} };
  try {
    const desktop = await backends.macos(startHelper);
    return { ...opened, desktop, note, close: () => desktop.close() };
  } catch (thrown) {
    if (startHelper === undefined) throw thrown;
    options.log.warn(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
    const desktop = unavailableDesktop('macos', message('display.unavailable', { why: textOf(thrown) }));
    return { ...opened, desktop, note, close: () => desktop.close() };
  }
}

function terminalGranted({ TERM_PROGRAM: terminal = '' }: Environment): Message {
  return message('display.terminal_granted', { known: terminal === '' ? 'other' : 'yes', terminal });
}

/** The app, started so that another program answers for it, as a terminal does for what is started in it. */
const grantedToAnother = (grantee: Grantee | null): Message | null =>
  grantee === null || grantee.path === appOf(process.execPath)
    ? null
    : message('display.terminal_granted', { known: 'yes', terminal: grantee.name });

/** The current display, else a private one, else a simulated desktop; the note says which. */
async function automatic(options: OpenOptions, backends: Backends): Promise<OpenedDesktop> {
  const reason = options.display === 'virtual' ? null : await openCurrentOrReason(options, backends);
  if (reason !== null && 'desktop' in reason) return reason;
  const note = reason === null ? null : message('display.virtual_stands_in', { reason });
  try {
    const opened = await virtual(options, backends, note);
    return note !== null && displayOf(options.env) === null ? { ...opened, harmless: true } : opened;
  } catch (thrown) {
    if (!(thrown instanceof DesktopError) || thrown.code !== 'unsupported') throw thrown;
    options.log.warn(thrown.message);
    const both = reason === null ? thrown.text : message('display.two_reasons', { first: reason, second: thrown.text });
    return simulated(backends, message('display.simulated_until', { reason: both }));
  }
}

/** The current desktop, or the reason why there is none. */
async function openCurrentOrReason(options: OpenOptions, backends: Backends): Promise<OpenedDesktop | Message> {
  const display = displayOf(options.env);
  if (display === null) return message('display.none');
  try {
    return await current(options, backends);
  } catch (thrown) {
    if (!(thrown instanceof DesktopError)) throw thrown;
    options.log.warn(thrown.message);
    return message('display.unusable', { display, why: thrown.text });
  }
}

async function current(options: OpenOptions, backends: Backends): Promise<OpenedDesktop> {
  const display = displayOf(options.env);
  if (display === null) throw new DesktopError('unsupported', message('display.not_set'));
  const { env, processes, log } = options;
  const desktop = await backends.linux({ display, env, processes, log });
  const { provides } = desktop;
  const opened = {
    desktop,
    provides,
    name: 'linux',
    display,
    env: launchEnvironment(env),
    close: () => desktop.close(),
  };
  return display === env['WAYLAND_DISPLAY']
    ? { ...opened, note: message('display.wayland_limits'), harmless: true }
    : { ...opened, note: null };
}

async function virtual(options: OpenOptions, backends: Backends, note: Message | null): Promise<OpenedDesktop> {
  const { env, processes, log, size = { width: 1920, height: 1080 }, wayland = false } = options;
  const runtimeDir = options.runtimeDir ?? env['XDG_RUNTIME_DIR'] ?? tmpdir();
  const session = await backends.session({ ...size, wayland, runtimeDir, onIdle: options.onIdle ?? (() => undefined) });
  try {
    const desktop = await backends.linux({ display: session.display, env: session.env, processes, log });
    const close = async (): Promise<void> => {
      try {
        await desktop.close();
      } finally {
        await session.close();
      }
    };
    const { provides } = desktop;
    return { desktop, provides, name: 'linux (virtual)', display: session.display, note, env: session.env, close };
  } catch (thrown) {
    await session.close();
    throw thrown;
  }
}

async function simulated(backends: Backends, note: Message | null): Promise<OpenedDesktop> {
  const desktop = await backends.simulated();
  return { desktop, name: 'simulated', display: 'in memory', note, env: null, close: () => desktop.close() };
}

function displayOf(env: Environment): string | null {
  const set = [env['WAYLAND_DISPLAY'], env['DISPLAY']];
  return set.find((display) => display !== undefined && display !== '') ?? null;
}

const loadLinux = () => import('./linux/index.js');

const realBackends: Backends = {
  macos: async (start) => (await import('./macos/index.js')).openMacos(start === undefined ? {} : { start }),
  linux: async (options) => (await loadLinux()).openLinux({ ...options, mark: { [COMMAND_MARK]: 'open_application' } }),
  session: async ({ onIdle, ...options }) => {
    const { startVirtualSession } = await import('./linux/session.js');
    return startVirtualSession({
      ...options,
      onIdle() {
        loadLinux().catch(() => undefined);
        onIdle();
      },
    });
  },
  simulated: async () => (await import('./simulated/index.js')).openSimulated(),
};

/** Stands in for a backend that could not be opened, so that everything else is still served: each call rejects with `reason`. */
function unavailableDesktop(platform: Platform, reason: Message): DesktopBackend {
  const refuse = (): Promise<never> => Promise.reject(new DesktopError('lost', reason));
  const silent = () => () => undefined;
  return {
    ...allOf(refuse, 'reader', 'act', 'input'),
    ...{ platform, version: 'unavailable', stack: refuse, secureAreas: refuse },
    ...{ onChange: silent, onClipboardChange: silent, onPersonInput: silent, onSyntheticInput: silent, onLost: silent },
    releaseAll: async () => undefined,
    flushInputEvents: async () => undefined,
    close: async () => undefined,
  };
}
