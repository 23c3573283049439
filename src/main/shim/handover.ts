import { backOff } from 'exponential-backoff';
import { HostRunningError, readBridge } from '../host/discovery.js';
import type { HostPaths } from '../host/paths.js';
import { WireError } from '../protocol/index.js';
import { VERSION } from '../protocol/version.js';
import { connectHost } from './connect.js';
import { localHost } from './local-host.js';
import { ConnectionLost } from './session.js';

interface Place {
  /** Of this program, in the session's hello. */
  name: string;
  env: Readonly<Record<string, string | undefined>>;
  paths: HostPaths;
}

/** How long a host that leaves may take to close everything. */
const HANDOVER_RETRIES = { numOfAttempts: 100, startingDelay: 50, timeMultiple: 1 };

/** Makes the host, in place of one that a shim started in the background. Rejects with HostRunningError where that stays. */
export async function createInPlace<T>(create: () => Promise<T>, place: Place): Promise<T> {
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof HostRunningError) || !(await requestHandover(place))) throw error;
  }
  return backOff(create, { ...HANDOVER_RETRIES, retry: (error) => error instanceof HostRunningError });
}

/** Asks a background host to end; the next host keeps its cards and calls. Returns false when it stays. */
async function requestHandover({ name, env, paths }: Place): Promise<boolean> {
  const place = localHost({ name, version: VERSION, entry: '', env });
  const session = await connectHost(place, false, new AbortController().signal);
  if (session === null) return false;
  try {
    await session.request('admin/handover', {});
    return true;
  } catch (error) {
    // Nothing proves to the host that the person started the app, or opened the terminal. The system lets them end it.
    if (error instanceof WireError && error.details['reason'] === 'in_use') return end(paths);
    // It ended before its answer arrived.
    return error instanceof ConnectionLost;
  } finally {
    session.close();
  }
}

/** The process that was just connected to: its identity was compared with this file. */
function end(paths: HostPaths): boolean {
  const pid = readBridge(paths)?.metadata.pid;
  return pid !== undefined && process.kill(pid, 'SIGTERM');
}
