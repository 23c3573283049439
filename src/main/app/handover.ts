import { setTimeout as pause } from 'node:timers/promises';
import { hostPaths, readBridge } from '../host/discovery.js';
import { hostConnection } from '../cli/running.js';
import { connectHost } from '../shim/connect.js';

const PATIENCE_MS = 10_000;

/** Asks a host in the background to leave, and waits until it has; its cards and calls are kept. False where it stays. */
export async function takeOver(env: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const session = await connectHost(hostConnection('chaperone-app'), false, new AbortController().signal);
  if (session === null) return false;
  try {
    await session.request('admin/handover', {});
  } catch {
    return false;
  } finally {
    session.close();
  }
  const paths = hostPaths(env);
  const until = Date.now() + PATIENCE_MS;
  while (readBridge(paths) !== null && Date.now() < until) await pause(50);
  return true;
}
