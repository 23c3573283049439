/** The connection to the host: opened on first use, reopened after it was lost, with one attempt at a time. */
import { backOff } from 'exponential-backoff';
import type { Logger } from 'pino';
import { WireError } from '../protocol/index.js';
import { PROGRAM } from '../protocol/own-command.js';
import type { Session } from './session.js';

export interface LinkOptions {
  /** What a person types on this machine to call the command line. */
  command?: string | undefined;
  /**
   * Opens a session with a running host. `mayStart`: a host may be started when none runs, because an agent waits; otherwise
   * resolves null then. Rejects with WireError when trying again cannot help.
   */
  connect(mayStart: boolean, signal: AbortSignal): Promise<Session | null>;
  /** Runs on each new session before anyone else may use it. */
  prepare(session: Session): Promise<void>;
  /** Milliseconds: the first and the longest pause between attempts. */
  pauses: { first: number; longest: number };
  log: Logger;
}

export interface Link {
  /** The live session, or a new one. Rejects with WireError when no host can be had. */
  session(): Promise<Session>;
  /** The live session, or null. */
  current(): Session | null;
  close(): void;
}

/** Attempts before an agent that waits is told that there is no host. */
const MAX_ATTEMPTS_WHILE_WAITING = 5;

export function createLink(options: LinkOptions): Link {
  const ending = new AbortController();
  let live: Session | null = null;
  let starting: Promise<Session> | null = null;
  let attempt: Promise<Session | null> = Promise.resolve(null);

  const open = async (mayStart: boolean): Promise<Session | null> => {
    if (live !== null || ending.signal.aborted) return live;
    const session = await options.connect(mayStart, ending.signal);
    if (session === null) return null;
    try {
      await options.prepare(session);
    } catch (error) {
      session.close();
      throw error;
    }
    live = session;
    session.onEnd(lost);
    return live;
  };

  /** One after another, so that two callers never open two connections. */
  const next = (mayStart: boolean): Promise<Session | null> => {
    attempt = attempt.then(
      () => open(mayStart),
      () => open(mayStart),
    );
    return attempt;
  };

  const until = (mayStart: boolean, numOfAttempts: number): Promise<Session> =>
    backOff(
      async () => {
        const session = await next(mayStart);
        if (session === null) throw new Error('no host is running');
        return session;
      },
      {
        numOfAttempts,
        startingDelay: options.pauses.first,
        maxDelay: options.pauses.longest,
        jitter: 'full',
        retry: (error: unknown) =>
          !ending.signal.aborted && !(mayStart && error instanceof WireError && !error.retryable),
      },
    );

  /** A host that a person ended on purpose is not started again until an agent asks for something. */
  const lost = (): void => {
    live = null;
    if (ending.signal.aborted) return;
    options.log.info('the host went away; looking for it');
    until(false, Number.POSITIVE_INFINITY).catch(() => undefined);
  };

  /** Callers that wait at the same time share one attempt, so that a host that cannot start is not started for each of them. */
  const start = (): Promise<Session> => {
    starting ??= until(true, MAX_ATTEMPTS_WHILE_WAITING)
      .catch((error: unknown) => Promise.reject(unreachableError(error, options.command)))
      .finally(() => (starting = null));
    return starting;
  };

  return {
    session: async () => live ?? start(),
    current: () => live,
    close: () => {
      ending.abort();
      live?.close();
      attempt.then((late) => late?.close()).catch(() => undefined);
    },
  };
}

function unreachableError(error: unknown, command: string = PROGRAM): WireError {
  if (error instanceof WireError) return error;
  const words = error instanceof Error ? error.message : String(error);
  return new WireError('DESKTOP_HOST_NOT_READY', `Chaperone's host cannot be reached: ${words}`, {
    reason: 'host_unreachable',
    next: `Ask the person to run \`${command} host\` (or \`${command} doctor\`) and read what it says, then make the same call again.`,
  });
}
