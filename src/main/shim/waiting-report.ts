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
