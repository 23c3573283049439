import { WireError, CALL_STAGES, type CallStage, type CallTimes } from '../protocol/index.js';
import { asWireError, Stopped } from './failures.js';
import { WaitEnded } from '../approvals/request.js';
import { message } from '../../messages/index.js';
import type { DesktopBackend } from '../../native/desktop.js';
import { withRule } from '../../native/methods.js';

/** Deadline and abort signals of one call, and the error that explains which of them fired. */
export interface CallClock {
  /** Aborts the act: abort, Stop, takeover, time limit, withdrawal. */
  stop: AbortSignal;
  /** Aborts waiting for a person: for the same reasons, and when the caller disconnects. */
  waitSignal: AbortSignal;
  halt(reason: Stopped): void;
  startWaiting(approvalId: string | null): void;
  endWaiting(): void;
  /** The error for a wait that ended without a decision; null for any other thrown value. */
  explainEnd(thrown: unknown): WireError | null;
  readonly detached: boolean;
  dispose(): void;
}

interface Timed {
  timeoutMs: number | null;
  signal: AbortSignal;
}

export function createCallClock(call: Timed, executionId: string): CallClock {
  const stop = new AbortController();
  const wait = new AbortController();
  let approvalId: string | null = null;
  let waiting = false;
  let detached = false;

  const halt = (reason: Stopped) => {
    stop.abort(reason);
    wait.abort(new WaitEnded('withdraw'));
  };
  const detach = () => {
    detached = true;
    wait.abort(new WaitEnded('detach'));
  };
  const callerEnded = () => {
    const reason: unknown = call.signal.reason;
    if (reason instanceof WaitEnded && reason.mode === 'detach') detach();
    else halt(reason instanceof Stopped ? reason : new Stopped('abort', message('stopped.given_up')));
  };
  const expired = () => {
    if (waiting) detach();
    else halt(new Stopped('timeout', message('stopped.call_timed_out', { limit: call.timeoutMs ?? 0 })));
  };

  const timer = call.timeoutMs === null ? null : setTimeout(expired, call.timeoutMs);
  if (call.signal.aborted) callerEnded();
  else call.signal.addEventListener('abort', callerEnded, { once: true });

  return {
    stop: stop.signal,
    waitSignal: wait.signal,
    halt,
    startWaiting(id) {
      waiting = true;
      approvalId = id;
    },
    endWaiting() {
      waiting = false;
    },
    explainEnd(thrown) {
      if (!(thrown instanceof WaitEnded)) return null;
      const reason: unknown = stop.signal.reason;
      if (reason instanceof Stopped) {
        const { code, text, details } = asWireError(reason);
        return new WireError(code, text, { ...details, executionId });
      }
      return new WireError('DESKTOP_TIMEOUT', message('error.no_answer_yet'), {
        reason: 'awaiting_human',
        executionId,
        approvalId,
        next: 'Make the same call again (or resume it): it joins the open request and does not ask twice.',
      });
    },
    get detached() {
      return detached;
    },
    dispose() {
      if (timer !== null) clearTimeout(timer);
      call.signal.removeEventListener('abort', callerEnded);
    },
  };
}

/** Limits a look that an act can do without: the application looked at may hang while the act is in another one. */
export const within = (ms: number, signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(ms)]);

export type CallTiming = ReturnType<typeof createCallTiming>;

export function createCallTiming(now: () => number = () => performance.now()) {
  const began = now();
  const spent: Partial<Record<CallStage, number>> = {};
  const methods = new Map<string, { calls: number; ms: number }>();
  let current: { name: CallStage; since: number } = { name: 'begin', since: began };

  /** Of a stage, so far; undefined: it did not begin. */
  function timeOf(stage: CallStage): number | undefined {
    return stage === current.name ? (spent[stage] ?? 0) + now() - current.since : spent[stage];
  }

  function addCall(method: string, since: number): void {
    const known = methods.get(method);
    methods.set(method, { calls: (known?.calls ?? 0) + 1, ms: (known?.ms ?? 0) + now() - since });
  }

  return {
    /** Ends the current stage and begins this one; its time adds to what the stage already had. */
    stage(name: CallStage): void {
      spent[current.name] = timeOf(current.name) ?? 0;
      current = { name, since: now() };
    },
    /** The desktop with every method timed. */
    timed: (desktop: DesktopBackend): DesktopBackend =>
      withRule(desktop, (name, method) => (...given) => {
        const since = now();
        const result = method(...given);
        if (!(result instanceof Promise)) return result;
        const add = () => addCall(name, since);
        result.then(add, add);
        return result;
      }),
    times(): CallTimes {
      const stages: CallTimes['stages'] = [];
      for (const stage of CALL_STAGES) {
        const ms = timeOf(stage);
        if (ms !== undefined) stages.push({ stage, ms: rounded(ms) });
      }
      return {
        totalMs: rounded(now() - began),
        stages,
        desktop: [...methods]
          .map(([method, { calls, ms }]) => ({ method, calls, ms: rounded(ms) }))
          .sort((one, other) => other.ms - one.ms),
      };
    },
  };
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10;
