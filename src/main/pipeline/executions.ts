import { createEmitter } from '../../base/emitter.js';
import { message } from '../../messages/index.js';
import { peerKey, type Caller } from '../approvals/request.js';
import { WireError, type CurrentCall, type Does } from '../protocol/index.js';
import { Stopped } from './failures.js';

export interface Execution {
  executionId: string;
  /** Other ids by which the caller may abort it: requestId, JSON-RPC id, callId. */
  aliases: readonly string[];
  caller: Caller;
  tool: string;
  does?: Does | undefined;
  /** Bookkeeping or chat only. Stop leaves it running, because a paused agent may still ask questions. */
  harmless?: boolean;
  /** Does not use the desktop, so input of the person does not stop it. */
  offDesktop?: boolean;
  /** On a desktop of the agent's own, by its id; left out: on the one that the host shows. */
  desk?: string;
  stop(reason: Stopped): void;
}

/**
 * `planning` until what it would do is known, `deciding` until that is decided, `asked` while the person is. Another step of the same
 * call is decided anew.
 */
type State = 'planning' | 'deciding' | 'asked' | 'decided';

/** Of the events of a call, what changes its state. */
type Happened = { executionId: string } & (
  | { kind: 'deciding'; effect: CurrentCall['effect']; subject: CurrentCall['subject']; windowId: string | null }
  | { kind: 'waiting'; approvalId: string | null }
  | { kind: 'queued' | 'decided' | 'acting' | 'ended' }
);

interface Running {
  execution: Execution;
  state: State;
  /** What it does or would do; null while that is planned. */
  act: (Pick<CurrentCall, 'effect' | 'subject'> & { windowId: string | null }) | null;
}

/** All running and waiting calls, so that `abort` and Stop can find them, with what each does now. */
export type Executions = ReturnType<typeof createExecutions>;

const MAX_REMEMBERED_OWNERS = 2000;

/** The same, for the calls on a desktop of an agent's own. */
export const executionsOn = (executions: Executions, desk: string): Executions => ({
  ...executions,
  add: (execution) => executions.add({ ...execution, desk }),
});

/** `onError` gets what listeners of `onChange` throw. */
export function createExecutions(onError?: (thrown: unknown) => void) {
  const running = new Map<string, Running>();
  /** The latest ones. */
  const owners = new Map<string, string>();
  const changes = createEmitter<void>(onError);

  const all = (): Execution[] => [...running.values()].map(({ execution }) => execution);
  const isOwn = (caller: Caller, execution: Execution) =>
    peerKey(execution.caller) === peerKey(caller) || execution.caller.agent.id === caller.agent.id;

  return {
    add(execution: Execution): () => void {
      running.set(execution.executionId, { execution, state: 'planning', act: null });
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
      const own = all().filter((execution) => isOwn(caller, execution));
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
      const chosen = all().filter((one) => executionId === undefined || one.executionId === executionId);
      for (const execution of chosen) execution.stop(reason);
      return chosen.length;
    },
    /** Stops all executions that are not harmless, of one agent or of all. Open chat questions stay open. */
    halt(reason: Stopped, agentId?: string): void {
      for (const execution of all())
        if (execution.harmless !== true && (agentId === undefined || execution.caller.agent.id === agentId))
          execution.stop(reason);
    },
    /** The person took a desktop over, or it ended: stops every execution that uses it. */
    takeOver(reason: Stopped, desk?: string): void {
      for (const execution of all())
        if (execution.offDesktop !== true && execution.desk === desk) execution.stop(reason);
    },
    all,
    /** The agent of a running or recent execution; null when it is not remembered. */
    owner: (executionId: string): string | null =>
      running.get(executionId)?.execution.caller.agent.id ?? owners.get(executionId) ?? null,
    /** What happened in a call, in the order in which it happened. */
    follow(event: Happened): void {
      const known = running.get(event.executionId);
      if (known === undefined) return;
      if (event.kind === 'deciding') {
        const { effect, subject, windowId } = event;
        Object.assign(known, { state: 'deciding', act: { effect, subject, windowId } } satisfies Partial<Running>);
      } else if (known.state === 'planning') return;
      else if (event.kind === 'decided') known.state = 'decided';
      else if (event.kind === 'waiting' && event.approvalId !== null) known.state = 'asked';
      else return;
      changes.emit();
    },
    /** What this agent does now, with the texts of its cards. Oldest first. */
    of(agentId: string): CurrentCall[] {
      const own = [...running.values()].filter(({ execution }) => execution.caller.agent.id === agentId);
      const asking = own.some(({ state }) => state === 'asked');
      return own.map(({ execution: { executionId, tool, does = 'other' }, state, act }) => {
        const { effect, subject } = act ?? { effect: null, subject: null };
        const waiting = state === 'asked';
        return { executionId, tool, does, effect, subject, waiting, queued: asking && !waiting && state !== 'decided' };
      });
    },
    /** Ids of the target windows of running and waiting acts, latest last. */
    windows: (): string[] => [...running.values()].flatMap(({ act }) => act?.windowId ?? []),
    /** A call began or ended, or does something else now. */
    onChange: changes.on,
  };
}
