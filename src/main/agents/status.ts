import type { Approvals } from '../approvals/index.js';
import type { Executions } from '../pipeline/executions.js';
import type { Locks } from '../pipeline/locks.js';
import type { ConnectedAgent, Status } from '../protocol/index.js';
import type { Sessions } from '../sessions/index.js';
import { QUESTION } from '../tools/chat.js';
import type { Agents } from './index.js';
import type { AttentionBoard } from './attention.js';
import type { Doings } from './current-acts.js';
import { createEmitter } from '../../base/emitter.js';

export interface StatusOptions {
  approvals: Pick<
    Approvals,
    'pausedForAll' | 'pausedAlone' | 'pausedBesides' | 'remembered' | 'asking' | 'onCard' | 'onPause' | 'onForgot'
  >;
  agents: Agents;
  doings: Pick<Doings, 'of' | 'onChange'>;
  sessions: Pick<Sessions, 'list'>;
  attention: AttentionBoard;
  executions: Executions;
  lane: Locks;
  recordVerified(): boolean;
  log(thrown: unknown): void;
}

/** What the header of the page says. */
export function watchStatus(options: StatusOptions) {
  const { approvals, agents, doings, sessions, attention, executions, lane, recordVerified, log } = options;
  const news = createEmitter<Status>(log);

  const stateOf = (agentId: string, asking: ReadonlySet<string>): ConnectedAgent['state'] => {
    if (approvals.pausedAlone(agentId) !== null) return 'paused';
    if (asking.has(agentId)) return 'waiting';
    const own = executions.all().filter(({ caller }) => caller.agent.id === agentId);
    if (own.length === 0) return 'idle';
    return own.every(({ tool }) => tool === QUESTION) ? 'waiting' : 'acting';
  };
  const detailsOf = (agentId: string, asking: ReadonlySet<string>) => {
    const session = sessions.list(agentId).find(({ state }) => state === 'active');
    return {
      state: stateOf(agentId, asking),
      paused: approvals.pausedAlone(agentId),
      doing: doings.of(agentId),
      remembered: approvals.remembered(agentId),
      session: session === undefined ? null : { name: session.display_name, since: session.created_at },
    };
  };
  const now = (): Status => {
    const paused = approvals.pausedForAll();
    const asking = approvals.asking();
    const connected = agents.list((agentId) => detailsOf(agentId, asking));
    return {
      state: paused !== null ? 'paused' : lane.busy('desktop') ? 'acting' : 'watching',
      paused,
      attention: attention.now() ?? null,
      agents: connected,
      away: approvals.pausedBesides(connected.map(({ id }) => id)),
      recordVerified: recordVerified(),
    };
  };
  const changed = () => news.emit(now());
  const ends = [
    approvals.onCard(changed),
    approvals.onPause(changed),
    approvals.onForgot(changed),
    attention.port.onChange(changed),
    doings.onChange(changed),
    agents.onChange(changed),
    executions.onChange(changed),
    lane.onChange(changed),
  ];
  return { now, on: news.on, close: () => ends.forEach((end) => end()) };
}
