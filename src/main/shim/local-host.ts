/** Finds, checks and starts this machine's host: by bridge.json in the state folder, and the listener's identity as the kernel reports it. */
import { userInfo } from 'node:os';
import { createProcessTable } from '../../native/peer/index.js';
import { hostPaths, readBridge } from '../host/discovery.js';
import { poll } from '../../base/poll.js';
import type { HostPaths } from '../host/paths.js';
import { WireError } from '../protocol/index.js';
import { readHostMessage } from '../protocol/relayed.js';
import { ConnectError, connectUnix } from '../transport/client.js';
import type { ConnectOptions, RecordedHost } from './connect.js';
import { hostEnvironment } from './environment.js';
import { startHost } from './start.js';
import { appToStart, startApp, type AppPlace } from './start-app.js';
import { message, textOf } from '../../messages/index.js';

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
    const limits = { read: readHostMessage };
    return (await connectUnix({ path, expectPid, processes: createProcessTable(), limits })).transport;
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
