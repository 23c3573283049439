/**
 * Tells the host of this machine how much waits for the person on the host of another, which the shim serves its agent from. Only while
 * something waits there, only where a host runs here, and in the agent's name: it is a claim. Called by the shim.
 */
import type { Logger } from 'pino';
import type { ElsewhereHost } from '../protocol/index.js';
import type { ConnectOptions } from './connect.js';
import { connectHost, type HostSession } from './session.js';

export interface WaitingReportOptions {
  /** Of this machine. */
  here: ConnectOptions;
  /** What it is started with by the person or the client. */
  address: string;
  cwd: string;
  log: Logger;
}

export interface WaitingReport {
  /** So much waits there; null: the connection is lost. */
  tell(waiting: number | null): void;
  close(): void;
}

export function createWaitingReport({ here, address, cwd, log }: WaitingReportOptions): WaitingReport {
  const closed = new AbortController();
  let local: HostSession | null = null;
  let listed = false;
  let told: Promise<void> = Promise.resolve();

  async function connectHere(): Promise<HostSession | null> {
    const session = await connectHost(here, false, closed.signal);
    session?.onEnd(() => {
      if (local === session) local = null;
    });
    await session?.request('agent/describe', { client: null, cwd });
    return session;
  }

  async function report(waiting: number | null): Promise<void> {
    const known: Pick<ElsewhereHost, 'state' | 'waiting'> =
      waiting === null ? { state: 'lost', waiting: 0 } : { state: 'connected', waiting };
    local ??= await connectHere();
    await local?.request('admin/elsewhere', { address, url: null, ...known });
  }

  /** The row goes with the connection. */
  async function end(): Promise<void> {
    local?.close();
    local = null;
  }

  return {
    tell(waiting) {
      if (closed.signal.aborted || (!listed && (waiting === 0 || waiting === null))) return;
      listed = waiting !== 0;
      const next = () => (waiting === 0 ? end() : report(waiting));
      told = told.then(next).catch((thrown: unknown) => log.debug({ err: thrown }, 'not listed on this machine'));
    },
    close() {
      closed.abort(new Error('closed'));
      void end();
    },
  };
}
