import { VERSION } from '../protocol/version.js';
import { connectHost } from '../shim/connect.js';
import { localHost } from '../shim/local-host.js';
import { ConnectionLost } from '../shim/session.js';

/** Asks a background host to end; the next host keeps its cards and calls. Returns false when it stays. */
export async function requestHandover(env: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const place = localHost({ name: 'chaperone-app', version: VERSION, entry: '', env });
  const session = await connectHost(place, false, new AbortController().signal);
  if (session === null) return false;
  try {
    await session.request('admin/handover', {});
    return true;
  } catch (error) {
    // It ended before its answer arrived.
    return error instanceof ConnectionLost;
  } finally {
    session.close();
  }
}
