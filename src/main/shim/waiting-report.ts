/**
 * Tells the host of this machine how much waits for the person on the host of another, which the shim serves its agent from. Only while
 * something waits there, only where a host runs here, and in the agent's name: it is a claim. Called by the shim.
 */
import type { Logger } from 'pino';
import * as z from 'zod';
import { delay } from '../../base/poll.js';
import type { ElsewhereHost } from '../protocol/index.js';
import { connectHost, type ConnectOptions } from './connect.js';
import type { HostSession } from './session.js';

export interface WaitingReportOptions {
  /** The session with the other machine's host, or null. */
  there(): HostSession | null;
  /** Of this machine. */
  here: ConnectOptions;
  /** What it is started with by the person or the client. */
  address: string;
  /** Of this program: client and folder. */
  described(): Record<string, unknown>;
  intervalMs: number;
  log: Logger;
}

export interface WaitingReport {
  /** Something may wait there now. */
  look(): void;
  close(): void;
}

const pendingSchema = z.looseObject({
  pendingApprovals: z.number().int().default(0),
  pendingQuestions: z.number().int().default(0),
});

export function createWaitingReport({
  there,
  here,
  address,
  described,
  intervalMs,
  log,
}: WaitingReportOptions): WaitingReport {
  const closed = new AbortController();
  let running = false;
  let asked = false;
  let local: HostSession | null = null;

  /** Null: not known, because the connection is lost. */
  async function count(): Promise<number | null> {
    const answer = await there()
      ?.request('admin/status', {})
      .catch(() => null);
    const pending = pendingSchema.safeParse(answer);
    return pending.success ? pending.data.pendingApprovals + pending.data.pendingQuestions : null;
  }

  async function connectHere(): Promise<HostSession | null> {
    const session = await connectHost(here, false, closed.signal);
    session?.onEnd(() => {
      if (local === session) local = null;
    });
    await session?.request('agent/describe', described());
    return session;
  }

  async function tell(waiting: number | null): Promise<void> {
    const known: Pick<ElsewhereHost, 'state' | 'waiting'> =
      waiting === null ? { state: 'lost', waiting: 0 } : { state: 'connected', waiting };
    local ??= await connectHere();
    await local?.request('admin/elsewhere', { address, url: null, ...known });
  }

  /** Ends when nothing waits there any more; the row goes with the connection. */
  async function follow(): Promise<void> {
    while (!closed.signal.aborted) {
      asked = false;
      const waiting = await count();
      if (waiting === 0 && !asked) return;
      await tell(waiting).catch((thrown: unknown) => log.debug({ err: thrown }, 'not listed on this machine'));
      await delay(intervalMs, closed.signal);
    }
  }

  return {
    look() {
      asked = true;
      if (running || closed.signal.aborted) return;
      running = true;
      follow()
        .catch((thrown: unknown) => {
          if (!closed.signal.aborted) log.debug({ err: thrown }, 'what waits is no longer told');
        })
        .finally(() => {
          running = false;
          local?.close();
          local = null;
        });
    },
    close: () => closed.abort(new Error('closed')),
  };
}
