/** Starts an application as the specification has it: with a token and a configuration file for this one launch. It ends with the host. */
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import type { Readable } from 'node:stream';
import * as z from 'zod';
import { message, MessageError, textOf } from '../../messages/index.js';
import { readPrivate, writePrivate } from '../approvals/files.js';
import type { ProcessTable } from '../../native/peer/types.js';
import { connectUnix } from '../transport/client.js';
import { type FramedTransport, type FrameLimits, frameTransport } from '../transport/frames.js';
import { connectLoopback } from '../transport/loopback.js';
import { startSupervisor, supervisorProgram, type SupervisorProgram } from '../../native/process/index.js';
import { ensurePrivateFolder } from '../transport/private-paths.js';
import type { LaunchEntry } from './config.js';

// The configuration file of GABP: written for each application that is launched, read of those that run already.

/** Where an application listens. */
type Address = { kind: 'tcp'; port: number } | { kind: 'socket'; path: string };

interface BridgeFacts {
  token: string;
  launchId: string;
  address: Address | null;
}

/** As the specification has it, 0600 and whole or not at all. */
function writeBridgeFile(file: string, { token, launchId, address }: BridgeFacts): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const metadata = { pid: process.pid, startTime: new Date().toISOString(), launchId };
  writePrivate(file, { token, transport: transportOf(address), metadata });
}

const removeBridgeFile = (file: string): void => rmSync(file, { force: true });

function transportOf(address: Address | null) {
  if (address === null) return { type: 'stdio' };
  if (address.kind === 'tcp') return { type: 'tcp', address: String(address.port) };
  return { type: 'pipe', address: address.path };
}

const port = z.coerce.number().int().min(1).max(65_535);
const LOOPBACK_PORT = /^(?:(?:127\.0\.0\.1|\[::1\]|localhost):)?(\d{1,5})$/;

const specSchema = z.looseObject({
  token: z.string().min(1).max(4096),
  transport: z.looseObject({
    type: z.enum(['tcp', 'pipe', 'unix', 'socket']),
    address: z.union([z.string(), z.number()]),
  }),
  metadata: z.looseObject({ launchId: z.uuid().optional().catch(undefined) }).optional(),
});

/** What GABS writes beside a game. */
const gabsSchema = z.looseObject({ token: z.string().min(1).max(4096), port });

/** Throws MessageError where it cannot be read, others can read it, or it names another machine. */
export function readBridgeFile(file: string): { token: string; launchId: string | null; address: Address } {
  const given = read(file);
  const spec = specSchema.safeParse(given);
  if (spec.success) {
    const { token, transport, metadata } = spec.data;
    const address = addressOf(transport);
    if (address !== null) return { token, launchId: metadata?.launchId ?? null, address };
  }
  const gabs = gabsSchema.safeParse(given);
  if (gabs.success) return { token: gabs.data.token, launchId: null, address: { kind: 'tcp', port: gabs.data.port } };
  throw new MessageError(message('apps.bad_bridge_file', { file }));
}

function addressOf({ type, address }: z.infer<typeof specSchema>['transport']): Address | null {
  const text = String(address);
  if (type !== 'tcp')
    return isAbsolute(text) || text.startsWith('\\\\.\\pipe\\') ? { kind: 'socket', path: text } : null;
  const parsed = port.safeParse(LOOPBACK_PORT.exec(text)?.[1]);
  return parsed.success ? { kind: 'tcp', port: parsed.data } : null;
}

function read(file: string): unknown {
  try {
    return readPrivate(file);
  } catch (thrown) {
    throw new MessageError(message('apps.unreadable_bridge_file', { file, why: textOf(thrown) }));
  }
}

/** A list of 100,000 tools is one message. */
const MAX_BODY = 32 * 1024 * 1024;

const APP_LIMITS: Partial<FrameLimits> = {
  maxBody: MAX_BODY,
  first: { maxBody: 1024 * 1024, ms: 15_000 },
  asciiOnly: true,
};

export async function dial(
  address: Address,
  processes: Pick<ProcessTable, 'peerOf' | 'tcpClient'>,
  signal: AbortSignal,
): Promise<FramedTransport> {
  if (address.kind === 'tcp') return connectLoopback({ port: address.port, processes, limits: APP_LIMITS, signal });
  const { transport } = await connectUnix({
    path: address.path,
    processes,
    signal,
    anyFolder: true,
    limits: APP_LIMITS,
  });
  return transport;
}

/** An application as it can be connected to, again and again. */
export interface Reachable {
  dial(signal: AbortSignal): Promise<{ transport: FramedTransport; token: string; launchId: string }>;
  /** Resolves once it can be connected to no more; never, where Chaperone did not start it. */
  gone: Promise<string>;
  /** Ends what was started. */
  end(): Promise<void>;
}

export interface LaunchDependencies {
  /** Environment of programs that a person lets run, without Chaperone's own variables. */
  env: Readonly<Record<string, string>>;
  folders: { state: string; /** Private, of a short name. */ sockets: string };
  processes: Pick<ProcessTable, 'peerOf' | 'tcpClient'>;
  supervisor?: SupervisorProgram | undefined;
  /** A line that the application wrote. */
  onOutput(line: string): void;
}

const GRACE_MS = 5_000;
const MAX_SOCKET_PATH = 104;

/** Rejects with CommandError where it cannot be started. */
export async function launchApp(name: string, entry: LaunchEntry, deps: LaunchDependencies): Promise<Reachable> {
  const launchId = randomUUID();
  const token = randomBytes(32).toString('hex');
  const address = await newAddress(entry.transport, launchId, deps.folders.sockets);
  const file = join(deps.folders.state, 'gabp', `${name}.json`);
  writeBridgeFile(file, { token, launchId, address });
  const child = startSupervisor(deps.supervisor ?? supervisorProgram());
  const end = async (): Promise<void> => {
    await child.end();
    child.release();
    removeBridgeFile(file);
  };
  try {
    const own = launchVariables({ name, token, file, address });
    const env = { ...deps.env, ...entry.env, ...own };
    await child.run({ executionId: launchId, argv: entry.command, cwd: entry.folder, env, graceMs: GRACE_MS });
  } catch (thrown) {
    await end();
    throw thrown;
  }
  eachLine(child.stderr, deps.onOutput);
  if (address !== null) eachLine(child.stdout, deps.onOutput);
  if (address !== null) child.stdin.end();
  let streams: FramedTransport | null = null;
  const overStreams = (): FramedTransport => {
    if (streams !== null) throw new MessageError(message('apps.streams_used'));
    return (streams = frameTransport({ in: child.stdout, out: child.stdin }, APP_LIMITS));
  };
  return {
    end,
    gone: child.exited.then(({ exitCode, signal }) => String(signal ?? exitCode ?? '')),
    async dial(signal) {
      const transport = address === null ? overStreams() : await dial(address, deps.processes, signal);
      return { transport, token, launchId };
    },
  };
}

/** Known applications read only these; those after the specification read the file. */
function launchVariables({
  name,
  token,
  file,
  address,
}: {
  name: string;
  token: string;
  file: string;
  address: Address | null;
}): Record<string, string> {
  return {
    GABP_TOKEN: token,
    GABP_BRIDGE_PATH: file,
    GABS_BRIDGE_PATH: file,
    GABS_GAME_ID: name,
    // Beside its modules, Python would write what the confirmation did not have.
    PYTHONDONTWRITEBYTECODE: '1',
    ...(address?.kind === 'tcp' ? { GABP_SERVER_PORT: String(address.port) } : {}),
    ...(address?.kind === 'socket' ? { GABP_SERVER_SOCKET: address.path } : {}),
  };
}

async function newAddress(
  transport: LaunchEntry['transport'],
  launchId: string,
  folder: string,
): Promise<Address | null> {
  if (transport === 'stdio') return null;
  if (transport === 'tcp') return { kind: 'tcp', port: await freePort() };
  ensurePrivateFolder(folder);
  const path = join(folder, `gabp-${launchId.slice(0, 8)}.sock`);
  if (Buffer.byteLength(path) >= MAX_SOCKET_PATH) throw new MessageError(message('host.no_socket_folder'));
  return { kind: 'socket', path };
}

/** A loopback port that nobody listens on. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, () => {
      const bound = server.address();
      server.close(() => resolve(typeof bound === 'object' && bound !== null ? bound.port : 0));
    });
  });
}

/** Longest part of a line that is read as one. */
const MAX_LINE = 4_000;

/** Bounded: a line without an end is given in parts. */
function eachLine(stream: Readable, listener: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) listener(line.slice(0, MAX_LINE));
    if (rest.length > MAX_LINE) {
      listener(rest.slice(0, MAX_LINE));
      rest = '';
    }
  });
  stream.on('error', () => undefined);
}
