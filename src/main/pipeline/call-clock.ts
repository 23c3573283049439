import { createAbort, type Signal } from '../../base/signal.js';
import { WireError, CALL_STAGES, type CallStage, type CallTimes } from '../protocol/index.js';
import { asWireError, Stopped } from './failures.js';
import { WaitEnded, peerKey, type Caller } from '../approvals/request.js';
import { message } from '../../messages/index.js';
import type { DesktopBackend } from '../../native/desktop.js';
import { withRule } from '../../native/methods.js';
import { createEmitter } from '../../base/emitter.js';

/** Deadline and abort signals of one call, and the error that explains which of them fired. */
export interface CallClock {
  /** Aborts the act: abort, Stop, takeover, time limit, withdrawal. */
  stop: AbortSignal;
  /** Aborts waiting for a person: for the same reasons, and when the caller disconnects. */
  waitSignal: Signal;
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
  signal: Signal;
}

export function createCallClock(call: Timed, executionId: string): CallClock {
  const stop = new AbortController();
  const wait = createAbort();
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

export interface Execution {
  executionId: string;
  /** Other ids by which the caller may abort it: requestId, JSON-RPC id, callId. */
  aliases: readonly string[];
  caller: Caller;
  tool: string;
  /** Bookkeeping or chat only. Stop leaves it running, because a paused agent may still ask questions. */
  harmless?: boolean;
  /** Does not use the desktop, so input of the person does not stop it. */
  offDesktop?: boolean;
  /** On a desktop of the agent's own, by its id; left out: on the one that the host shows. */
  desk?: string;
  stop(reason: Stopped): void;
}

/** All running and waiting calls, so that `abort` and Stop can find them. */
export type Executions = ReturnType<typeof createExecutions>;

const MAX_REMEMBERED_OWNERS = 2000;

/** The same, for the calls on a desktop of an agent's own. */
export const executionsOn = (executions: Executions, desk: string): Executions => ({
  ...executions,
  add: (execution) => executions.add({ ...execution, desk }),
});

/** `onError` gets what listeners of `onChange` throw. */
export function createExecutions(onError?: (thrown: unknown) => void) {
  const running = new Map<string, Execution>();
  /** The latest ones. */
  const owners = new Map<string, string>();
  const changes = createEmitter<void>(onError);

  const isOwn = (caller: Caller, execution: Execution) =>
    peerKey(execution.caller) === peerKey(caller) || execution.caller.agent.id === caller.agent.id;

  return {
    add(execution: Execution): () => void {
      running.set(execution.executionId, execution);
      owners.set(execution.executionId, execution.caller.agent.id);
      if (owners.size > MAX_REMEMBERED_OWNERS) {
        const [oldest = ''] = owners.keys();
        owners.delete(oldest);
      }
      changes.emit();
      return () => {
        running.delete(execution.executionId);
        changes.emit();
      };
    },
    /** Aborts a call of the same peer or agent, by execution id or alias. Throws DESKTOP_INVALID_REQUEST when it is not running. */
    abort(caller: Caller, id: string): Execution {
      const own = [...running.values()].filter((execution) => isOwn(caller, execution));
      const found =
        own.find((execution) => execution.executionId === id) ??
        own.find((execution) => execution.aliases.includes(id));
      if (found === undefined)
        throw new WireError('DESKTOP_INVALID_REQUEST', message('error.call_not_running', { id }), {
          reason: 'not_running',
          executionId: id,
          next: 'Nothing is left to abort. Look at the screen to see what was done.',
        });
      found.stop(new Stopped('abort', message('stopped.by_caller')));
      return found;
    },
    /** Stops one execution, or all, for the person. Returns how many were stopped. */
    stop(reason: Stopped, executionId?: string): number {
      const chosen = [...running.values()].filter(
        (one) => executionId === undefined || one.executionId === executionId,
      );
      for (const execution of chosen) execution.stop(reason);
      return chosen.length;
    },
    /** Stops all executions that are not harmless, of one agent or of all. Open chat questions stay open. */
    halt(reason: Stopped, agentId?: string): void {
      for (const execution of [...running.values()])
        if (execution.harmless !== true && (agentId === undefined || execution.caller.agent.id === agentId))
          execution.stop(reason);
    },
    /** The person took a desktop over, or it ended: stops every execution that uses it. */
    takeOver(reason: Stopped, desk?: string): void {
      for (const execution of [...running.values()])
        if (execution.offDesktop !== true && execution.desk === desk) execution.stop(reason);
    },
    all: (): Execution[] => [...running.values()],
    /** The agent of a running or recent execution; null when it is not remembered. */
    owner: (executionId: string): string | null =>
      running.get(executionId)?.caller.agent.id ?? owners.get(executionId) ?? null,
    onChange: changes.on,
  };
}
