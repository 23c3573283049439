import type { CallEvent, CallEvents } from '../pipeline/dependencies.js';
import type { Executions } from '../pipeline/call-clock.js';
import type { CurrentCall } from '../protocol/index.js';
import { createEmitter } from '../../base/emitter.js';

/** What each agent does now, with the texts of its cards. */
export type CurrentActs = ReturnType<typeof createCurrentActs>;

interface Act extends Pick<CurrentCall, 'effect' | 'subject' | 'waiting'> {
  windowId: string | null;
  decided: boolean;
}

export function createCurrentActs(
  executions: Pick<Executions, 'all' | 'onChange'>,
  events: Pick<CallEvents, 'on'>,
  log: (thrown: unknown) => void,
) {
  const acts = new Map<string, Act>();
  const changes = createEmitter<void>(log);

  function update(event: CallEvent): void {
    const { executionId, kind } = event;
    const known = acts.get(executionId);
    if (kind === 'deciding') {
      const { effect, subject, windowId } = event;
      acts.set(executionId, { effect, subject, waiting: false, windowId, decided: false });
    } else if (kind === 'ended') {
      acts.delete(executionId);
      return;
    } else if (known === undefined) return;
    else if (kind === 'decided') Object.assign(known, { waiting: false, decided: true });
    else if (kind === 'waiting' && event.approvalId !== null) known.waiting = true;
    else return;
    changes.emit();
  }

  const disposers = [events.on(update), executions.onChange(changes.emit)];
  return {
    /** Oldest first. */
    of(agentId: string): CurrentCall[] {
      const own = executions.all().filter(({ caller }) => caller.agent.id === agentId);
      const asking = own.some(({ executionId }) => acts.get(executionId)?.waiting === true);
      return own.map(({ executionId, tool }) => {
        const { effect = null, subject = null, waiting = false, decided = false } = acts.get(executionId) ?? {};
        return { executionId, tool, effect, subject, waiting, queued: asking && !waiting && !decided };
      });
    },
    /** Ids of the target windows of running and waiting acts, latest last. */
    windows: (): string[] => [...acts.values()].flatMap(({ windowId }) => (windowId === null ? [] : [windowId])),
    onChange: changes.on,
    close: (): void => disposers.forEach((dispose) => dispose()),
  };
}
