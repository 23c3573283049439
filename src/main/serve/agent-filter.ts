import type { Caller } from '../pipeline/ports.js';
import type { ProcessIdentity } from '../../native/peer/types.js';
import type { Agent } from '../protocol/index.js';
import type { Agents } from '../agents/index.js';

export interface AgentFilterOptions {
  lineage(pid: number): ProcessIdentity[];
  agents: Pick<Agents, 'hasCalled' | 'includes'>;
}

/** Selects the agents whose work a caller may see; null means all. */
export type AgentFilter = ((agent: Pick<Agent, 'pid' | 'startTime'>) => boolean) | null;

/**
 * The token that opens the socket is known to every agent, so the kernel decides: an agent, and what it has started, sees that
 * agent's own work, and so does one of another machine. A caller without a known lineage sees nothing.
 */
export function createAgentFilter({ lineage, agents }: AgentFilterOptions): (caller: Caller) => AgentFilter {
  return ({ peer, agent }) => {
    if (agent.via !== undefined) return ({ startTime }) => startTime === agent.startTime;
    const line = lineage(peer.pid);
    if (line.length === 0) return () => false;
    const nearest = agents.hasCalled(peer) ? agent : line.slice(1).find((one) => agents.includes([one]));
    return nearest === undefined
      ? null
      : ({ pid, startTime }) => pid === nearest.pid && startTime === nearest.startTime;
  };
}
