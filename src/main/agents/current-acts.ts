import type { Executions } from '../pipeline/executions.js';
import type { Approver } from '../pipeline/ports.js';
import type { Doing } from '../protocol/index.js';
import { createEmitter } from '../../base/emitter.js';

/** What each agent does now, in the words its card has. */
export interface Doings {
  /** The same approver, overheard. */
  noticing(approver: Approver): Approver;
  /** Oldest first. */
  of(agentId: string): Doing[];
  /** Ids of the windows that are acted on, or asked for, latest last. */
  windows(): string[];
  onChange(listener: () => void): () => void;
  close(): void;
}

interface Seen extends Pick<Doing, 'effect' | 'subject' | 'waiting'> {
  windowId: string | null;
  decided: boolean;
}

export function watchDoings(executions: Executions, log: (thrown: unknown) => void): Doings {
  const seen = new Map<string, Seen>();
  const news = createEmitter<void>(log);

  const forget = executions.onChange(() => {
    const running = new Set(executions.all().map(({ executionId }) => executionId));
    for (const id of seen.keys()) if (!running.has(id)) seen.delete(id);
  });
  function waits(executionId: string, waiting: boolean): void {
    const known = seen.get(executionId);
    if (known === undefined || known.waiting === waiting) return;
    known.waiting = waiting;
    news.emit();
  }

  return {
    noticing: (approver) => ({
      ...approver,
      async decide(request, onWaiting, signal) {
        const { executionId, action, subject, plan } = request;
        seen.set(executionId, {
          effect: action.effect,
          subject,
          waiting: false,
          windowId: plan?.window?.id ?? null,
          decided: false,
        });
        news.emit();
        try {
          return await approver.decide(
            request,
            (card) => {
              waits(executionId, true);
              onWaiting(card);
            },
            signal,
          );
        } finally {
          const known = seen.get(executionId);
          if (known !== undefined) known.decided = true;
          waits(executionId, false);
        }
      },
    }),
    of(agentId) {
      const own = executions.all().filter(({ caller }) => caller.agent.id === agentId);
      const asking = own.some(({ executionId }) => seen.get(executionId)?.waiting === true);
      return own.map(({ executionId, tool }) => {
        const { effect = null, subject = null, waiting = false, decided = false } = seen.get(executionId) ?? {};
        return { executionId, tool, effect, subject, waiting, queued: asking && !waiting && !decided };
      });
    },
    windows: () => [...seen.values()].flatMap(({ windowId }) => (windowId === null ? [] : [windowId])),
    onChange: news.on,
    close: forget,
  };
}
