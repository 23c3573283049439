/** Starts an application as the specification has it: with a token and a configuration file for this one launch. It ends with the host. */
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { ProcessTable } from '../../native/peer/types.js';
import { startSupervisor, supervisorProgram, type SupervisorProgram } from '../../native/process/index.js';
import { message, MessageError } from '../../messages/index.js';
import { frameTransport, type FramedTransport } from '../transport/frames.js';
import { ensurePrivateFolder } from '../transport/private-paths.js';
import { removeBridgeFile, writeBridgeFile, type Address } from './bridge-file.js';
import type { LaunchEntry } from './config.js';
import { APP_LIMITS, dial } from './dial.js';

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
