import type { Agents } from '../agents/index.js';
import type { AttentionPort } from '../agents/attention.js';
import type { Calls } from '../calls/index.js';
import type { Observations } from '../desktop/watch/index.js';
import type { Admin } from './admin.js';

/** What connections of agents and scripts can use. */
export interface AgentServices {
  calls: Calls;
  agents: Pick<Agents, 'connected' | 'disconnected'>;
  attention: AttentionPort;
  onObservation: Observations['onEvent'];
  /** The list of tools is another now. */
  onToolsChanged(listener: () => void): () => void;
  /** A connected application has sent events. */
  onAppNews(listener: (app: string) => void): () => void;
  /** `admin/*` methods of the command line, served on the Unix socket only. Throws WireError; unknown ones are DESKTOP_INVALID_REQUEST. */
  admin: Admin | null;
}
