/** Opens a connection: to the running host that bridge.json names, or to a host that it starts in the background. */
import { backOff } from 'exponential-backoff';
import { isRecord } from '../../base/type-guards.js';
import { ERRORS, WireError, type ErrorCode } from '../protocol/errors.js';
import { PROGRAM_NAME } from '../protocol/local-command.js';
import type { Transport } from '../protocol/transport.js';
import type { StartedHost, StartedHostExit } from './start.js';
import { message, MessageError, verbatim } from '../../messages/index.js';

/** The connection ended before the answer: the host may or may not have read the request. */
export class ConnectionLost extends MessageError {
  constructor(reason: string | null) {
    super(message('connection.ended', { known: reason === null ? 'other' : 'yes', why: reason ?? '' }));
    this.name = 'ConnectionLost';
  }
}

/** A host as bridge.json names it. */
export interface RecordedHost {
  token: string;
  open(): Promise<Transport>;
}

export interface ConnectOptions {
  name: string;
  version: string;
  /** The recorded host, or null. Rejects with WireError where the record or the listener is not the user's own. */
  find(): Promise<RecordedHost | null>;
  start(): StartedHost;
  /** This machine’s name, told to a host on another one. */
  machine?: string;
  /** What a person types on this machine to call the command line. */
  command?: string | undefined;
  /** Within this time a started host must answer. */
  startTimeoutMs: number;
}

/** Opens what is spoken on a connection. Rejects with ConnectionLost where it ends before. */
export type Open<T> = (transport: Transport, token: string) => Promise<T>;

/** Resolves null when no host runs and none may be started. Rejects with WireError when one cannot be had. */
export async function openHost<T>(
  options: ConnectOptions,
  open: Open<T>,
  mayStart: boolean,
  signal: AbortSignal,
): Promise<T | null> {
  const running = await connectRunning(options, open);
  if (running !== null || !mayStart) return running;
  const starting = options.start();
  let exit: StartedHostExit | null = null;
  void starting.ended.then((ended) => (exit = ended));
  const deadline = Date.now() + options.startTimeoutMs;
  return backOff(
    async () => {
      const failed = exit;
      const session = await connectRunning(options, open);
      if (session !== null) return session;
      if (failed !== null && failed.code !== 0) throw startFailedError(failed.output, options.command);
      if (Date.now() >= deadline) throw startFailedError('it does not answer', options.command);
      throw new Error('the host that was started does not answer yet');
    },
    {
      numOfAttempts: Number.POSITIVE_INFINITY,
      startingDelay: 25,
      maxDelay: 200,
      retry: (error: unknown) => !signal.aborted && !(error instanceof WireError),
    },
  );
}

/** Null also where the recorded host does not listen any more. Rejects where the record or the listener is not the user's own. */
async function connectRunning<T>({ find }: ConnectOptions, open: Open<T>): Promise<T | null> {
  const found = await find();
  if (found === null) return null;
  let transport: Transport;
  try {
    transport = await found.open();
  } catch (error) {
    if (error instanceof WireError) throw error;
    return null;
  }
  try {
    return await open(transport, found.token);
  } catch (error) {
    if (error instanceof ConnectionLost) return null;
    throw error;
  }
}

function startFailedError(output: string, command: string = PROGRAM_NAME): WireError {
  return new WireError(
    'DESKTOP_HOST_NOT_READY',
    message('error.host_not_started', { said: output === '' ? 'other' : 'yes', output }),
    {
      reason: 'host_start_failed',
      next: message('next.run_doctor', { command }),
    },
    false,
  );
}

/** The host's error with its own code; an internal error where it sent only a number of the protocol. */
export function hostError(received: unknown): WireError {
  if (!isRecord(received) || typeof received['message'] !== 'string')
    return new WireError('DESKTOP_INTERNAL_ERROR', message('error.unreadable_error'));
  const text = verbatim(received['message']);
  const own = isRecord(received['data']) ? received['data'] : received;
  const { code, retryable, details } = own;
  if (!isCode(code) || typeof retryable !== 'boolean') return new WireError('DESKTOP_INTERNAL_ERROR', text);
  return new WireError(code, text, isRecord(details) ? details : {}, retryable);
}

const isCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(ERRORS, code);
