/** One connection to the host: GABP requests with their answers, and the host's events. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { ERRORS, WireError } from '../protocol/index.js';
import type { ErrorCode } from '../protocol/index.js';
import { UnsendableError } from '../transport/frames.js';
import type { Transport } from '../protocol/transport.js';

const VERSION = 'gabp/1';
const PLATFORMS = new Map<string, string>([
  ['win32', 'windows'],
  ['darwin', 'macos'],
]);

/** The connection ended while an answer was owed: the request may or may not have been read. */
export class ConnectionLost extends Error {
  constructor(reason: string | null) {
    super(`The connection to Chaperone ended${reason === null ? '' : `: ${reason}`}.`);
    this.name = 'Lost';
  }
}

export interface Session {
  /** Resolves the host's result. Rejects with WireError when the host refuses, with {@link ConnectionLost} when the connection ends first. */
  request(method: string, params: Record<string, unknown>): Promise<unknown>;
  onEvent(listener: (channel: string, payload: unknown) => void): void;
  /** Called once; at once where the session has ended already. */
  onEnd(listener: () => void): void;
  close(): void;
}

export interface Hello {
  token: string;
  /** Program name and version as this side calls itself. */
  name: string;
  version: string;
}

const answerSchema = z.looseObject({
  type: z.literal('response'),
  id: z.string(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});
const eventSchema = z.looseObject({ type: z.literal('event'), channel: z.string(), payload: z.unknown().optional() });
const errorSchema = z.looseObject({ message: z.string(), data: z.unknown().optional() });
const refusalSchema = z.looseObject({
  code: z.string().refine((code): code is ErrorCode => Object.hasOwn(ERRORS, code)),
  retryable: z.boolean(),
  details: z.record(z.string(), z.unknown()).default({}),
});

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Says hello with the token and resolves once the host has accepted it. Rejects with WireError when it does not. */
export async function openSession(transport: Transport, hello: Hello): Promise<Session> {
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

function createSession(transport: Transport): Session {
  const waiting = new Map<string, Waiting>();
  const listeners: ((channel: string, payload: unknown) => void)[] = [];
  const endings: (() => void)[] = [];
  let ended = false;

  const end = (reason: string | null): void => {
    if (ended) return;
    ended = true;
    for (const { reject } of waiting.values()) reject(new ConnectionLost(reason));
    waiting.clear();
    for (const ending of endings) ending();
  };

  const answer = (message: z.infer<typeof answerSchema>): void => {
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined || message.error === null) asked?.resolve(message.result ?? null);
    else asked?.reject(hostError(message.error));
  };

  transport.onMessage((message) => {
    const event = eventSchema.safeParse(message);
    if (event.success) return listeners.forEach((listener) => listener(event.data.channel, event.data.payload));
    const reply = answerSchema.safeParse(message);
    if (reply.success) answer(reply.data);
  });
  transport.onClose(end);

  return {
    request: (method, params) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(new ConnectionLost(null));
        const id = randomUUID();
        waiting.set(id, { resolve, reject });
        transport.send({ v: VERSION, id, type: 'request', method, params }).catch((error: unknown) => {
          if (waiting.delete(id)) reject(sendError(error));
        });
      }),
    onEvent: (listener) => void listeners.push(listener),
    onEnd: (listener) => (ended ? listener() : void endings.push(listener)),
    close: () => {
      transport.close();
      end(null);
    },
  };
}

function sendError(error: unknown): Error {
  // Too deep for JSON.stringify: nothing has gone out, so the connection is as good as before.
  if (error instanceof UnsendableError || error instanceof RangeError)
    return new WireError('DESKTOP_INVALID_REQUEST', `This call cannot be sent: ${error.message}.`);
  return new ConnectionLost(error instanceof Error ? error.message : String(error));
}

/** The host's refusal with its own code where it sent one; a GABP number alone is an internal error with the host's words. */
function hostError(sent: unknown): WireError {
  const error = errorSchema.safeParse(sent);
  if (!error.success) return new WireError('DESKTOP_INTERNAL_ERROR', 'The host sent an error that cannot be read.');
  const data = refusalSchema.safeParse(error.data.data);
  if (!data.success) return new WireError('DESKTOP_INTERNAL_ERROR', error.data.message);
  return new WireError(data.data.code, error.data.message, data.data.details, data.data.retryable);
}
