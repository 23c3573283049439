import { LRUCache } from 'lru-cache';
import { createEmitter } from '../../base/emitter.js';
import { WireError } from '../protocol/index.js';
import { Stopped } from './failures.js';
import type { Caller } from './ports.js';
import { peerKey } from './ports.js';

export interface Execution {
  executionId: string;
  /** Other names the caller knows it by: requestId, JSON-RPC id, callId. */
  aliases: readonly string[];
  caller: Caller;
  tool: string;
  /** It only talks or keeps books: Stop leaves it alone, as a paused agent may still ask. */
  harmless?: boolean;
  /** The person may use the desktop meanwhile. */
  offDesktop?: boolean;
  stop(reason: Stopped): void;
}

/** Calls that run or wait now, so that `abort` and Stop can find them. */
export interface Executions {
  add(execution: Execution): () => void;
  /** By execution id or alias, of the same peer or the same agent. Throws DESKTOP_INVALID_REQUEST when it is not running. */
  abort(caller: Caller, id: string): Execution;
  /** The person's own abort: one, or all. Returns how many were stopped. */
  stop(reason: Stopped, executionId?: string): number;
  /** Stop, of all agents or one: whatever is more than harmless, so that open questions and what is written to them stay. */
  halt(reason: Stopped, agentId?: string): void;
  /** The person takes the desktop over: whatever touches it. */
  takeOver(reason: Stopped): void;
  all(): Execution[];
  /** The agent whose execution this is or lately was; null when it is not remembered. */
  owner(executionId: string): string | null;
  onChange(listener: () => void): () => void;
}

const REMEMBERED = 2000;

/** `onError` gets what listeners of `onChange` throw. */
export function createExecutions(onError?: (thrown: unknown) => void): Executions {
  const running = new Map<string, Execution>();
  const owners = new LRUCache<string, string>({ max: REMEMBERED });
  const changes = createEmitter<void>(onError);

  const mine = (caller: Caller, execution: Execution) =>
    peerKey(execution.caller) === peerKey(caller) || execution.caller.agent.id === caller.agent.id;

  return {
    add(execution) {
      running.set(execution.executionId, execution);
      owners.set(execution.executionId, execution.caller.agent.id);
      changes.emit();
      return () => {
        running.delete(execution.executionId);
        changes.emit();
      };
    },
    abort(caller, id) {
      const own = [...running.values()].filter((execution) => mine(caller, execution));
      const found =
        own.find((execution) => execution.executionId === id) ??
        own.find((execution) => execution.aliases.includes(id));
      if (found === undefined)
        throw new WireError(
          'DESKTOP_INVALID_REQUEST',
          `No call ${id} of yours is running; it has ended, or never began.`,
          {
            reason: 'not_running',
            executionId: id,
            next: 'Nothing is left to abort. Look at the screen to see what was done.',
          },
        );
      found.stop(new Stopped('abort', 'Aborted by the caller.'));
      return found;
    },
    stop(reason, executionId) {
      const chosen = [...running.values()].filter(
        (one) => executionId === undefined || one.executionId === executionId,
      );
      for (const execution of chosen) execution.stop(reason);
      return chosen.length;
    },
    halt(reason, agentId) {
      for (const execution of [...running.values()])
        if (execution.harmless !== true && (agentId === undefined || execution.caller.agent.id === agentId))
          execution.stop(reason);
    },
    takeOver(reason) {
      for (const execution of [...running.values()]) if (execution.offDesktop !== true) execution.stop(reason);
    },
    all: () => [...running.values()],
    owner: (executionId) => owners.get(executionId) ?? null,
    onChange: changes.on,
  };
}
