import { createEmitter } from '../../base/emitter.js';
import { WireError } from '../protocol/index.js';
import { Stopped } from './failures.js';
import { peerKey, type Caller } from '../approvals/request.js';
import { message } from '../../messages/index.js';

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
