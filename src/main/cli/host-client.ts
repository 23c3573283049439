/** Connections of commands to the host: GABP requests and their answers. */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { isRecord } from '../../base/type-guards.js';
import { message, textOf } from '../../messages/index.js';
import { hostPaths } from '../host/discovery.js';
import type { HostPaths } from '../host/paths.js';
import { WireError } from '../protocol/index.js';
import { Refused } from '../protocol/json.js';
import type { Transport } from '../protocol/transport.js';
import { VERSION } from '../protocol/local-command.js';
import { ConnectionLost, hostError, openHost, type ConnectOptions } from '../shim/connect.js';
import { localHost } from '../shim/local-host.js';
import { UnsendableError } from '../transport/frames.js';
import { EXIT, Failure } from './failure.js';
import { ownCommand } from './launcher.js';

export function paths(): HostPaths {
  return hostPaths(process.env);
}

/** `name`: of this program, in the session's hello. */
export function hostConnection(name: string): ConnectOptions {
  const entry = fileURLToPath(new URL('../cli/index.js', import.meta.url));
  return localHost({ name, version: VERSION, entry, env: process.env, command: ownCommand() });
}

/** Runs `work` with the running host. Never starts one; without one the command fails with {@link EXIT.noHost}. */
export async function withHost<T>(work: (session: HostSession) => Promise<T>): Promise<T> {
  const session = await connectRunning();
  if (session === null) throw new Failure(message('cli.no_host'), EXIT.noHost);
  return runAndClose(session, work);
}

/** Like {@link withHost}, but null without a host. */
export async function tryWithHost<T>(work: (session: HostSession) => Promise<T>): Promise<T | null> {
  const session = await connectRunning();
  return session === null ? null : runAndClose(session, work);
}

function connectRunning(): Promise<HostSession | null> {
  return connectHost(hostConnection('chaperone'), false, new AbortController().signal);
}

async function runAndClose<T>(session: HostSession, work: (session: HostSession) => Promise<T>): Promise<T> {
  try {
    return await work(session);
  } finally {
    session.close();
  }
}

const GABP = 'gabp/1';
const PLATFORMS = new Map<string, string>([
  ['win32', 'windows'],
  ['darwin', 'macos'],
]);

export interface HostSession {
  /** Resolves the host's result. Rejects with WireError when the host refuses, with {@link ConnectionLost} when the connection ends first. */
  request(method: string, params: Record<string, unknown>): Promise<unknown>;
  /** Called once; at once where the session has ended already. */
  onEnd(listener: () => void): void;
  close(): void;
}

interface HostSessionOptions {
  token: string;
  /** Name and version of this program. */
  name: string;
  version: string;
}

interface PendingRequest {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Says hello with the token and resolves once the host has accepted it. Rejects with WireError when it does not. */
export async function openHostSession(transport: Transport, hello: HostSessionOptions): Promise<HostSession> {
  const session = createSession(transport);
  try {
    await session.request('session/hello', {
      token: hello.token,
      bridgeVersion: hello.version,
      platform: PLATFORMS.get(process.platform) ?? 'linux',
      launchId: randomUUID(),
      clientInfo: { name: hello.name, version: hello.version },
    });
  } catch (error) {
    session.close();
    throw error;
  }
  return session;
}

/** With the running host, or one that it starts. Resolves null when none runs and none may be started. */
export const connectHost = (
  options: ConnectOptions,
  mayStart: boolean,
  signal: AbortSignal,
): Promise<HostSession | null> =>
  openHost(
    options,
    (transport, token) => openHostSession(transport, { token, name: options.name, version: options.version }),
    mayStart,
    signal,
  );

function createSession(transport: Transport): HostSession {
  const pending = new Map<string, PendingRequest>();
  const endListeners: (() => void)[] = [];
  let ended = false;

  const end = (reason: string | null): void => {
    if (ended) return;
    ended = true;
    for (const { reject } of pending.values()) reject(new ConnectionLost(reason));
    pending.clear();
    for (const listener of endListeners) listener();
  };

  const answer = (id: string, { result, error }: Record<string, unknown>): void => {
    const request = pending.get(id);
    pending.delete(id);
    if (error === undefined || error === null) request?.resolve(result ?? null);
    else request?.reject(hostError(error));
  };

  transport.onMessage((given) => {
    // A result may be deeper than a message from elsewhere.
    const message = given instanceof Refused ? given.received : given;
    if (!isRecord(message)) return;
    const { type, id } = message;
    if (type === 'response' && typeof id === 'string') answer(id, message);
  });
  transport.onClose(end);

  return {
    request: (method, params) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(new ConnectionLost(null));
        const id = randomUUID();
        pending.set(id, { resolve, reject });
        transport.send({ v: GABP, id, type: 'request', method, params }).catch((error: unknown) => {
          if (pending.delete(id)) reject(sendError(error));
        });
      }),
    onEnd: (listener) => (ended ? listener() : void endListeners.push(listener)),
    close: () => {
      transport.close();
      end(null);
    },
  };
}

function sendError(error: unknown): Error {
  // RangeError: too deep for JSON.stringify. Nothing was sent, so the connection stays usable.
  if (error instanceof UnsendableError || error instanceof RangeError)
    return new WireError('DESKTOP_INVALID_REQUEST', message('error.unsendable', { why: textOf(error) }));
  return new ConnectionLost(error instanceof Error ? error.message : String(error));
}
