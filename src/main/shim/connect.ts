/** From nothing to a session: the running host by its bridge.json, or a host started in the background and waited for. */
import { backOff } from 'exponential-backoff';
import { WireError } from '../protocol/index.js';
import { PROGRAM } from '../protocol/own-command.js';
import type { Transport } from '../protocol/transport.js';
import { ConnectionLost, openSession } from './session.js';
import type { Session } from './session.js';
import type { StartingHost } from './start.js';

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
  start(): StartingHost;
  /** What a person types on this machine to call the command line. */
  command?: string | undefined;
  /** Milliseconds a started host has until it must answer. */
  startTimeoutMs: number;
}

/** Resolves null when no host runs and none may be started. Rejects with WireError when one cannot be had. */
export async function connectHost(
  options: ConnectOptions,
  mayStart: boolean,
  signal: AbortSignal,
): Promise<Session | null> {
  const running = await connectRunning(options);
  if (running !== null || !mayStart) return running;
  const starting = options.start();
  let last: { code: number | null; words: string } | null = null;
  void starting.ended.then((ended) => (last = ended));
  const deadline = Date.now() + options.startTimeoutMs;
  return backOff(
    async () => {
      const failed = last;
      const session = await connectRunning(options);
      if (session !== null) return session;
      if (failed !== null && failed.code !== 0) throw startFailedError(failed.words, options.command);
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

/** Null also where the recorded host does not listen any more; what is not the user's own is an error. */
async function connectRunning({ find, name, version }: ConnectOptions): Promise<Session | null> {
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
    return await openSession(transport, { token: found.token, name, version });
  } catch (error) {
    if (error instanceof ConnectionLost) return null;
    throw error;
  }
}

function startFailedError(words: string, command: string = PROGRAM): WireError {
  return new WireError(
    'DESKTOP_HOST_NOT_READY',
    `Chaperone's host did not start: ${words === '' ? 'it ended without a word' : words}`,
    {
      reason: 'host_start_failed',
      next: `Ask the person to run \`${command} doctor\`, mend what it names, then make the same call again.`,
    },
    false,
  );
}
