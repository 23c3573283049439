/** Opens a session: with the running host that bridge.json names, or with a host that it starts in the background. */
import { backOff } from 'exponential-backoff';
import { WireError } from '../protocol/index.js';
import { PROGRAM_NAME } from '../protocol/local-command.js';
import type { Transport } from '../protocol/transport.js';
import { ConnectionLost, openHostSession, type HostSession } from './session.js';
import type { StartedHost, StartedHostExit } from './start.js';
import { message } from '../../messages/index.js';

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
  /** Told to a host on another machine: a secret by which this program is known again, and this machine’s name. */
  elsewhere?: { session: string; machine: string };
  /** What a person types on this machine to call the command line. */
  command?: string | undefined;
  /** Within this time a started host must answer. */
  startTimeoutMs: number;
}

/** Resolves null when no host runs and none may be started. Rejects with WireError when one cannot be had. */
export async function connectHost(
  options: ConnectOptions,
  mayStart: boolean,
  signal: AbortSignal,
): Promise<HostSession | null> {
  const running = await connectRunning(options);
  if (running !== null || !mayStart) return running;
  const starting = options.start();
  let exit: StartedHostExit | null = null;
  void starting.ended.then((ended) => (exit = ended));
  const deadline = Date.now() + options.startTimeoutMs;
  return backOff(
    async () => {
      const failed = exit;
      const session = await connectRunning(options);
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
async function connectRunning({ find, name, version }: ConnectOptions): Promise<HostSession | null> {
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
    return await openHostSession(transport, { token: found.token, name, version });
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
