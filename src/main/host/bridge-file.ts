/** GABP's bridge.json: how a running host is found, and the token that opens it. Written by createHost, read by shim and cli. */
import { errno } from '../../base/type-guards.js';
import { randomBytes, randomUUID } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { message, MessageError } from '../../messages/index.js';
import type { ProcessTable } from '../../native/peer/types.js';
import { assertOurs, assertPrivate, ensurePrivateFolder, UnsafePathError } from '../transport/private-paths.js';
import type { HostPaths } from './paths.js';

const bridgeSchema = z.object({
  token: z.string().min(32),
  transport: z.object({ type: z.enum(['tcp', 'pipe', 'stdio']), address: z.string().optional() }),
  metadata: z.object({ pid: z.number().int().positive(), startTime: z.iso.datetime(), launchId: z.uuid() }),
  /** Additional fields for the shim. */
  socket: z.string(),
  url: z.url(),
});
type BridgeFile = z.infer<typeof bridgeSchema>;

const ownerSchema = z.object({
  metadata: z.object({ pid: z.number().int().positive(), launchId: z.string().optional() }),
});
const MAX_BYTES = 64 * 1024;

/** A new 256-bit token each time, unless a bridge that launched this host made one. */
export function newBridge({ socket, url, token }: { socket: string; url: string; token?: string }): BridgeFile {
  return {
    token: token ?? randomBytes(32).toString('hex'),
    transport: { type: 'pipe', address: socket },
    metadata: { pid: process.pid, startTime: new Date().toISOString(), launchId: randomUUID() },
    socket,
    url,
  };
}

interface WrittenBridge {
  /** Path of the standard GABP file; null where it was not written, with the `reason`. */
  standard: string | null;
  reason: string | null;
}

/** In the state folder always; at GABP's standard place (with the TCP port first, where there is one) unless that is another's. `transports` has all of them. Throws UnsafePathError for a state folder or file that is not ours. */
export async function writeBridge(
  paths: HostPaths,
  bridge: BridgeFile,
  { processes, tcpPort }: { processes: Pick<ProcessTable, 'lookup'>; tcpPort: number | null },
): Promise<WrittenBridge> {
  ensurePrivateFolder(paths.state);
  const tcp: BridgeFile['transport'] | null = tcpPort === null ? null : { type: 'tcp', address: String(tcpPort) };
  const listed = { ...bridge, transports: [bridge.transport, ...(tcp === null ? [] : [tcp])] };
  await writePrivate(bridgePath(paths), listed);
  if (paths.isolated) return { standard: null, reason: 'CHAPERONE_HOME is set' };
  const path = standardPath();
  const reason = findOtherOwner(path, processes);
  if (reason !== null) return { standard: null, reason };
  await writePrivate(path, { ...listed, transport: tcp ?? bridge.transport });
  return { standard: path, reason: null };
}

/** Null where there is none. Throws UnsafePathError for a file that is a link, another's or readable by others, and Error for one that is no bridge.json. */
export function readBridge(paths: HostPaths): BridgeFile | null {
  return readBridgeAt(bridgePath(paths));
}

/** The same, of a file that may be another host's, in a folder of this user only. */
export function readBridgeAt(path: string): BridgeFile | null {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null;
  assertPrivate(dirname(path), 'folder');
  const parsed = bridgeSchema.safeParse(parse(readPrivate(path)));
  if (!parsed.success) throw new MessageError(message('host.no_bridge_file', { path }));
  return parsed.data;
}

/** Removes the files that still belong to this host. */
export function removeBridge(paths: HostPaths, bridge: BridgeFile): void {
  for (const path of paths.isolated ? [bridgePath(paths)] : [bridgePath(paths), standardPath()]) {
    if (ownerOf(path)?.launchId === bridge.metadata.launchId) rmSync(path, { force: true });
  }
}

function bridgePath(paths: HostPaths): string {
  return join(paths.state, 'bridge.json');
}

/** The specification names these literally. */
export function standardPath(): string {
  const folders = new Map<string, string>([
    ['darwin', join(homedir(), 'Library', 'Application Support')],
    ['win32', process.env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming')],
  ]);
  return join(folders.get(process.platform) ?? join(homedir(), '.config'), 'gabp', 'bridge.json');
}

async function writePrivate(path: string, bridge: BridgeFile): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined) assertOurs(path, found, 'file');
  await writeFileAtomic(path, `${JSON.stringify(bridge, null, 2)}\n`, { mode: 0o600 });
}

/** Why the standard file may not be written, or null. A file of an unknown owner is never overwritten. */
function findOtherOwner(path: string, processes: Pick<ProcessTable, 'lookup'>): string | null {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    assertOurs(dirname(path), lstatSync(dirname(path)), 'folder');
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return null;
    assertOurs(path, found, 'file');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const owner = ownerOf(path);
  if (owner === null) return `${path} does not say whose it is`;
  if (owner.pid === process.pid || processes.lookup(owner.pid) === null) return null;
  return `${path} belongs to process ${owner.pid}, which is running`;
}

function ownerOf(path: string): { pid: number; launchId?: string } | null {
  try {
    return ownerSchema.parse(parse(readFileSync(path, 'utf8'))).metadata;
  } catch {
    return null;
  }
}

/** Opens without following links and checks the open file, so that it cannot be swapped in between. */
function readPrivate(path: string): string {
  const fd = openWithoutLinks(path);
  try {
    const stats = fstatSync(fd);
    assertOurs(path, stats, 'file');
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
      throw new UnsafePathError(message('host.token_readable', { path }));
    }
    if (stats.size > MAX_BYTES) throw new MessageError(message('host.no_bridge_file', { path }));
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

function openWithoutLinks(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (errno(error) === 'ELOOP') throw new UnsafePathError(message('host.path_link', { path, kind: 'other' }));
    throw error;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
