/** One connection to the host: GABP requests and their answers, and the host's events. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { isRecord } from '../../base/is-record.js';
import { WireError } from '../protocol/index.js';
import { Refused } from '../protocol/json.js';
import { UnsendableError } from '../transport/frames.js';
import type { Transport } from '../protocol/transport.js';
import { message, textOf } from '../../messages/index.js';
import { ConnectionLost, hostError, openHost, type ConnectOptions } from './connect.js';

const VERSION = 'gabp/1';
const PLATFORMS = new Map<string, string>([
  ['win32', 'windows'],
  ['darwin', 'macos'],
]);

export interface HostSession {
  /** Resolves the host's result. Rejects with WireError when the host refuses, with {@link ConnectionLost} when the connection ends first. */
  request(method: string, params: Record<string, unknown>): Promise<unknown>;
  onEvent(listener: (channel: string, payload: unknown) => void): void;
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

const eventSchema = z.looseObject({ type: z.literal('event'), channel: z.string(), payload: z.unknown().optional() });
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
  const listeners: ((channel: string, payload: unknown) => void)[] = [];
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

  const tell = (message: unknown): void => {
    const event = eventSchema.safeParse(message);
    if (event.success) for (const listener of listeners) listener(event.data.channel, event.data.payload);
  };

  transport.onMessage((given) => {
    // A result may be deeper than a message from elsewhere.
    const message = given instanceof Refused ? given.received : given;
    if (!isRecord(message)) return;
    const { type, id } = message;
    if (type === 'event') tell(message);
    if (type === 'response' && typeof id === 'string') answer(id, message);
  });
  transport.onClose(end);

  return {
    request: (method, params) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(new ConnectionLost(null));
        const id = randomUUID();
        pending.set(id, { resolve, reject });
        transport.send({ v: VERSION, id, type: 'request', method, params }).catch((error: unknown) => {
          if (pending.delete(id)) reject(sendError(error));
        });
      }),
    onEvent: (listener) => void listeners.push(listener),
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
