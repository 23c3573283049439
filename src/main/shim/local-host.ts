/** Finds, checks and starts this machine's host: by bridge.json in the state folder, and the listener's identity as the kernel reports it. */
import { userInfo } from 'node:os';
import { createProcessTable } from '../../native/peer/index.js';
import { hostPaths, readBridge } from '../host/discovery.js';
import { poll } from '../../base/poll.js';
import type { HostPaths } from '../host/paths.js';
import { WireError } from '../protocol/index.js';
import { ConnectError, connectUnix } from '../transport/client.js';
import type { ConnectOptions, RecordedHost } from './connect.js';
import { hostEnvironment, settingsRelocated } from './environment.js';
import { startHost, type StartedHost } from './start.js';
import { message, textOf } from '../../messages/index.js';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

interface LocalOptions {
  /** Name of this program in the session's hello. */
  name: string;
  version: string;
  /** Absolute path of the command line's entry script. */
  entry: string;
  env: Readonly<Record<string, string | undefined>>;
  /** What a person types on this machine to call the command line. */
  command?: string;
  /** Replaces this machine's, for tests. */
  machine?: Omit<AppPlace, 'env'>;
}

/** A cold start on a slow machine, with a virtual desktop. */
const START_TIMEOUT_MS = 45_000;
/** From the start of listening until bridge.json is written. */
const REPLACED_MS = 3_000;
const REPLACED_STEP_MS = 50;

export function localHost(options: LocalOptions): ConnectOptions {
  const { name, version, entry, env, command } = options;
  const paths = hostPaths(env);
  const place: AppPlace = { ...(options.machine ?? thisMachine()), env };
  return {
    name,
    version,
    command,
    startTimeoutMs: START_TIMEOUT_MS,
    find: async () => findHost(paths),
    start() {
      const app = appToStart(place);
      if (app !== null) return startApp(app, place);
      return startHost({ entry, env: hostEnvironment(env, place.home), state: paths.state });
    },
  };
}

function thisMachine(): Omit<AppPlace, 'env'> {
  return { platform: process.platform, home: userInfo().homedir, execPath: process.execPath };
}

function findHost(paths: ReturnType<typeof hostPaths>): RecordedHost | null {
  try {
    const bridge = readBridge(paths);
    if (bridge === null) return null;
    const { token, socket: path, metadata } = bridge;
    return { token, open: () => open(paths, path, metadata.pid) };
  } catch (error) {
    throw untrustedError(error);
  }
}

async function open(paths: HostPaths, path: string, expectPid: number) {
  try {
    return (await connectUnix({ path, expectPid, processes: createProcessTable() })).transport;
  } catch (error) {
    // The next host listens at the same path a moment before the file names it: it is found at the next attempt.
    if (error instanceof ConnectError && error.reason === 'impostor' && (await isReplaced(paths, expectPid)))
      throw error;
    if (error instanceof ConnectError && (error.reason === 'unsafe' || error.reason === 'impostor'))
      throw untrustedError(error);
    throw error;
  }
}

async function isReplaced(paths: HostPaths, pid: number): Promise<boolean> {
  const look = () => Promise.resolve(readBridge(paths)?.metadata.pid === pid ? null : true);
  return (await poll(look, REPLACED_MS, new AbortController().signal, REPLACED_STEP_MS)) === true;
}

/** A folder, file or process of somebody else is in the host's place: it is never connected to. */
function untrustedError(error: unknown): WireError {
  return new WireError(
    'DESKTOP_HOST_NOT_READY',
    textOf(error),
    { reason: 'host_untrusted', next: message('next.tell_person') },
    false,
  );
}

// On a Mac the app is what is started where it is installed: permissions are then its own, and not those of the agent's terminal.

export interface AppPlace {
  platform: string;
  env: Readonly<Record<string, string | undefined>>;
  /** From the system's user database. */
  home: string;
  execPath: string;
  /** Holds the applications of all users; default `/Applications`. */
  applications?: string;
  /** The system's program that starts applications. */
  opener?: string;
}

const NAME = 'Chaperone.app';
const BUNDLE = /^(.*\/Chaperone\.app)\/Contents\//;
/** The app is the person's: an agent sets neither its port nor its workspace. */
const NOT_FOR_THE_APP: ReadonlySet<string> = new Set(['PORT', 'WORKSPACE_ROOT']);

/** Path of the bundle; null where a host in the background is to be started. */
export function appToStart({ platform, env, home, execPath, applications = '/Applications' }: AppPlace): string | null {
  // The app reads the person's own settings, and shows the real desktop.
  if (platform !== 'darwin' || env['CHAPERONE_BACKEND'] === 'simulated' || settingsRelocated(env, home)) return null;
  const own = BUNDLE.exec(execPath)?.[1];
  const places = [join(applications, NAME), join(home, 'Applications', NAME)];
  return own ?? places.find((place) => existsSync(place)) ?? null;
}

/** By the system, as from the Finder and without coming to the front; what a shim starts itself would answer for the agent's terminal. */
function startApp(bundle: string, { platform, env, home, opener = '/usr/bin/open' }: AppPlace): StartedHost {
  const given = Object.entries(hostEnvironment(env, home, platform)).filter(([name]) => !NOT_FOR_THE_APP.has(name));
  const options = { cwd: '/', env: Object.fromEntries(given) };
  const ended = new Promise<Awaited<StartedHost['ended']>>((resolve) => {
    execFile(opener, ['-g', '-a', bundle], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ code, output: `${stdout}${stderr}`.trim() || (error?.message ?? '') });
    });
  });
  return { ended };
}
