/**
 * Tells the host of this machine how much waits for the person on the host of another, which the shim serves its agent from. Only while
 * something waits there, only where a host runs here, and in the agent's name: it is a claim. Called by the shim.
 */
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { ElsewhereHost } from '../protocol/index.js';
import { ELSEWHERE, type PipeHello } from '../protocol/pipe.js';
import { openHost, type ConnectOptions } from './connect.js';
import { Pipe, type PipeSession } from './pipe.js';
import { backOff } from 'exponential-backoff';
import { WireError } from '../protocol/errors.js';
import { PROGRAM_NAME } from '../protocol/local-command.js';
import { message, textOf } from '../../messages/index.js';

export interface WaitingReportOptions {
  /** Of this machine. */
  here: ConnectOptions;
  /** What it is started with by the person or the client. */
  address: string;
  cwd: string;
  log: Logger;
}

const ignore = (): void => undefined;

export function createWaitingReport({ here, address, cwd, log }: WaitingReportOptions) {
  const closed = new AbortController();
  const pipe = new Pipe({
    write: ignore,
    wake: ignore,
    onWaiting: ignore,
    version: here.version,
    openingTimeoutMs: 0,
  });
  const hello: Omit<PipeHello, 'token' | 'lines' | 'next'> = {
    ...{ version: here.version, cwd, desktop: 'current', profile: 'core', callLimitMs: null },
    ...{ session: randomBytes(32).toString('hex'), machine: null, claim: null, counts: false },
  };
  let local: PipeSession | null = null;
  let listed = false;
  let told: Promise<void> = Promise.resolve();

  async function connectHere(): Promise<PipeSession | null> {
    const open: Parameters<typeof openHost<PipeSession>>[1] = (transport, token) =>
      pipe.open(transport, { ...hello, token });
    const session = await openHost(here, open, false, closed.signal);
    session?.onEnd(() => {
      if (local === session) local = null;
    });
    return session;
  }

  async function report(waiting: number | null): Promise<void> {
    const known: Pick<ElsewhereHost, 'state' | 'waiting'> =
      waiting === null ? { state: 'lost', waiting: 0 } : { state: 'connected', waiting };
    local ??= await connectHere();
    const params = { address, ...known };
    if (local !== null) await pipe.take(JSON.stringify({ jsonrpc: '2.0', method: ELSEWHERE, params }));
  }

  /** The row goes with the connection. */
  async function end(): Promise<void> {
    local?.close();
    local = null;
  }

  return {
    /** So much waits there; null: the connection is lost. */
    tell(waiting: number | null): void {
      if (closed.signal.aborted || (!listed && (waiting === 0 || waiting === null))) return;
      listed = waiting !== 0;
      const next = () => (waiting === 0 ? end() : report(waiting));
      told = told.then(next).catch((thrown: unknown) => log.debug({ err: thrown }, 'not listed on this machine'));
    },
    close(): void {
      closed.abort(new Error('closed'));
      void end();
    },
  };
}

interface LinkOptions {
  /** What a person types on this machine to call the command line. */
  command?: string | undefined;
  /**
   * Opens a session with a running host. Where none runs it starts one if `mayStart` (an agent waits), else resolves null. Rejects
   * with WireError where trying again cannot help.
   */
  connect(mayStart: boolean, signal: AbortSignal): Promise<PipeSession | null>;
  /** Delay before the first and before later attempts. */
  retryMs: { first: number; max: number };
  log: Logger;
}

interface Link {
  /** The open session, or a new one. Rejects with WireError when no host can be reached. */
  session(): Promise<PipeSession>;
  close(): void;
}

/** After these attempts an agent that waits gets an error. */
const MAX_ATTEMPTS_WHILE_WAITING = 5;

/** The connection to the host: opened on first use, opened again after it was lost, one attempt at a time. */
export function createLink(options: LinkOptions): Link {
  const closed = new AbortController();
  let current: PipeSession | null = null;
  let starting: Promise<PipeSession> | null = null;
  let attempt: Promise<PipeSession | null> = Promise.resolve(null);

  const open = async (mayStart: boolean): Promise<PipeSession | null> => {
    if (current !== null || closed.signal.aborted) return current;
    const session = await options.connect(mayStart, closed.signal);
    if (session === null) return null;
    current = session;
    session.onEnd(reconnect);
    return current;
  };

  /** One attempt after another, so that two callers never open two connections. */
  const openInTurn = (mayStart: boolean): Promise<PipeSession | null> => {
    attempt = attempt.then(
      () => open(mayStart),
      () => open(mayStart),
    );
    return attempt;
  };

  const retry = (mayStart: boolean, numOfAttempts: number): Promise<PipeSession> =>
    backOff(
      async () => {
        const session = await openInTurn(mayStart);
        if (session === null) throw new Error('no host is running');
        return session;
      },
      {
        numOfAttempts,
        startingDelay: options.retryMs.first,
        maxDelay: options.retryMs.max,
        jitter: 'full',
        retry: (error: unknown) =>
          !closed.signal.aborted && !(mayStart && error instanceof WireError && !error.retryable),
      },
    );

  /** Never starts a host: a person may have ended it on purpose. The next call of an agent starts one. */
  const reconnect = (): void => {
    current = null;
    if (closed.signal.aborted) return;
    options.log.info('the host went away; looking for it');
    retry(false, Number.POSITIVE_INFINITY).catch(() => undefined);
  };

  /** Concurrent callers share the attempts: a host that cannot start is not started once for each of them. */
  const start = (): Promise<PipeSession> => {
    starting ??= retry(true, MAX_ATTEMPTS_WHILE_WAITING)
      .catch((error: unknown) => Promise.reject(unreachableError(error, options.command)))
      .finally(() => (starting = null));
    return starting;
  };

  return {
    session: async () => current ?? start(),
    close: () => {
      closed.abort();
      current?.close();
      attempt.then((late) => late?.close()).catch(() => undefined);
    },
  };
}

function unreachableError(error: unknown, command: string = PROGRAM_NAME): WireError {
  if (error instanceof WireError) return error;
  return new WireError('DESKTOP_HOST_NOT_READY', message('error.host_unreachable', { why: textOf(error) }), {
    reason: 'host_unreachable',
    next: message('next.run_host', { command }),
  });
}
