import type { Approvals } from '../approvals/index.js';
import type { Executions } from '../action/executions.js';
import type { Locks } from '../action/locks.js';
import type { Status } from '../protocol/index.js';
import { QUESTION } from '../tools/chat.js';
import type { Agents } from './agents.js';
import { createEmitter } from './emitter.js';

export interface StatusOptions {
  approvals: Pick<Approvals, 'paused' | 'cards' | 'onCard' | 'onPause'>;
  agents: Agents;
  executions: Executions;
  lane: Locks;
  recordVerified(): boolean;
  log(thrown: unknown): void;
}

/** What the header of the page says. */
export function watchStatus({ approvals, agents, executions, lane, recordVerified, log }: StatusOptions) {
  const news = createEmitter<Status>(log);

  const stateOf = (agentId: string): Status['agents'][number]['state'] => {
    if (approvals.cards().some((card) => card.agent.id === agentId && !card.orphaned)) return 'waiting';
    const own = executions.all().filter(({ caller }) => caller.agent.id === agentId);
    if (own.length === 0) return 'idle';
    return own.every(({ tool }) => tool === QUESTION) ? 'waiting' : 'acting';
  };
  const now = (): Status => {
    const paused = approvals.paused();
    return {
      state: paused !== null ? 'paused' : lane.busy('desktop') ? 'acting' : 'watching',
      paused,
      agents: agents.list(stateOf),
      recordVerified: recordVerified(),
    };
  };
  const changed = () => news.tell(now());
  const ends = [
    approvals.onCard(changed),
    approvals.onPause(changed),
    agents.onChange(changed),
    executions.onChange(changed),
    lane.onChange(changed),
  ];
  return { now, on: news.on, close: () => ends.forEach((end) => end()) };
}
