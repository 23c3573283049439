/** The connection to the host: opened on first use, opened again after it was lost, one attempt at a time. */
import { backOff } from 'exponential-backoff';
import type { Logger } from 'pino';
import { WireError } from '../protocol/errors.js';
import { PROGRAM_NAME } from '../protocol/local-command.js';
import { message, textOf } from '../../messages/index.js';
import type { PipeSession } from './pipe.js';

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
