import { backOff } from 'exponential-backoff';
import { HostRunningError, readBridge } from '../host/discovery.js';
import type { HostPaths } from '../host/paths.js';
import { WireError } from '../protocol/index.js';
import { VERSION } from '../protocol/local-command.js';
import { ConnectionLost } from '../shim/connect.js';
import { localHost } from '../shim/local-host.js';
import { connectHost } from './host-client.js';

interface Place {
  /** Of this program, in the session's hello. */
  name: string;
  env: Readonly<Record<string, string | undefined>>;
  paths: HostPaths;
}

/** How long one that starts may take until it answers, and one that leaves until it has closed everything. */
const HANDOVER_RETRIES = { numOfAttempts: 400, startingDelay: 50, timeMultiple: 1 };

/**
 * Makes the host, in place of one that a shim started in the background. An agent that waits may start the next one before this one
 * is made, so that each holder of the place is asked. Rejects with HostRunningError where one stays.
 */
export async function createInPlace<T>(create: () => Promise<T>, place: Place): Promise<T> {
  const leaving = new Set<number | null>();
  let stays = false;
  const attempt = async (): Promise<T> => {
    try {
      return await create();
    } catch (error) {
      if (!(error instanceof HostRunningError) || leaving.has(error.pid)) throw error;
      const answer = await requestHandover(place);
      if (answer === 'leaves') leaving.add(error.pid);
      stays = answer === 'stays';
      throw error;
    }
  };
  return backOff(attempt, { ...HANDOVER_RETRIES, retry: (error) => error instanceof HostRunningError && !stays });
}

/** Asks a background host to end; the next host keeps its cards and calls. It is absent while it starts, and when it has ended. */
async function requestHandover({ name, env, paths }: Place): Promise<'leaves' | 'stays' | 'absent'> {
  const place = localHost({ name, version: VERSION, entry: '', env });
  const session = await connectHost(place, false, new AbortController().signal);
  if (session === null) return 'absent';
  try {
    await session.request('admin/handover', {});
    return 'leaves';
  } catch (error) {
    // It ended before its answer arrived.
    if (error instanceof ConnectionLost) return 'leaves';
    // Nothing proves to the host that the person started the app, or opened the terminal. The system lets them end it.
    const ended = error instanceof WireError && error.details['reason'] === 'in_use' && end(paths);
    return ended ? 'leaves' : 'stays';
  } finally {
    session.close();
  }
}

/** The process that was just connected to: its identity was compared with this file. */
function end(paths: HostPaths): boolean {
  const pid = readBridge(paths)?.metadata.pid;
  try {
    return pid !== undefined && process.kill(pid, 'SIGTERM');
  } catch (error) {
    // It has ended meanwhile.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
