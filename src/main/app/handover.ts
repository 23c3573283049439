import { readBridge } from '../host/discovery.js';
import type { HostPaths } from '../host/paths.js';
import { WireError } from '../protocol/index.js';
import { VERSION } from '../protocol/version.js';
import { connectHost } from '../shim/connect.js';
import { localHost } from '../shim/local-host.js';
import { ConnectionLost } from '../shim/session.js';

/** Asks a background host to end; the next host keeps its cards and calls. Returns false when it stays. */
export async function requestHandover(
  env: Readonly<Record<string, string | undefined>>,
  paths: HostPaths,
): Promise<boolean> {
  const place = localHost({ name: 'chaperone-app', version: VERSION, entry: '', env });
  const session = await connectHost(place, false, new AbortController().signal);
  if (session === null) return false;
  try {
    await session.request('admin/handover', {});
    return true;
  } catch (error) {
    // The desktop starts the app without a terminal, so nothing proves to the host that the person did. The system lets the app end it.
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
