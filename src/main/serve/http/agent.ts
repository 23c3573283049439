/** One agent that came by HTTP: the process that the kernel names. Called by sessions. */
import { randomUUID } from 'node:crypto';
import type { ProcessIdentity } from '../../../native/peer/types.js';
import type { MakeCaller } from '../../agents/caller.js';
import type { WatchCaller } from '../../agents/same-program.js';
import type { Profile } from '../../protocol/pipe.js';
import { callerNow } from '../earliness.js';
import { createMcpAgent, type McpAgent } from '../mcp/agent.js';
import type { AgentServices } from '../services.js';

export interface HttpAgent extends Omit<McpAgent, 'written'> {
  id: string;
  peer: ProcessIdentity;
  /** False once the process has ended or runs another program. */
  isSame(): boolean;
}

export interface HttpAgentOptions extends Pick<AgentServices, 'calls' | 'agents'> {
  makeCaller: MakeCaller;
  watchCaller: WatchCaller;
  /** Where the person answers. */
  url: string;
  /** Milliseconds until a call that waits is answered with a handle; absent: by the client's name. */
  callLimitMs?: number;
}

export function createHttpAgent(
  options: HttpAgentOptions,
  peer: ProcessIdentity,
  { claim, profile }: { claim: string | null; profile: Profile },
): HttpAgent {
  const { agents, makeCaller, watchCaller } = options;
  const caller = makeCaller(peer, { claim, viaShim: false, protocol: 'mcp', connectionId: randomUUID() });
  const watch = watchCaller(caller);
  const agent = createMcpAgent({ ...options, profile, caller: () => callerNow(caller) });
  agents.connected(caller);
  return {
    ...agent,
    id: caller.agent.id,
    peer,
    isSame: watch.isSame,
    leave() {
      agent.leave();
      watch.close();
      agents.disconnected(caller);
    },
  };
}
