import { createEmitter } from '../../base/emitter.js';
import type { Caller } from '../pipeline/ports.js';
import type { ElsewhereHost } from '../protocol/index.js';
import type { Agents } from './index.js';

/** Hosts on other machines, as each `chaperone connect` of this one tells. A row goes with the connection that told it. */
export interface Elsewhere {
  /** Replaces what this connection told before; false where there is no room. */
  tell(caller: Pick<Caller, 'connectionId'>, host: ElsewhereHost): boolean;
  list(): ElsewhereHost[];
  onChange(listener: () => void): () => void;
}

const MAX_HOSTS = 50;

export function createElsewhere(
  agents: Pick<Agents, 'onContact' | 'callers'>,
  log: (thrown: unknown) => void,
): Elsewhere {
  const rows = new Map<string, ElsewhereHost>();
  const changes = createEmitter<void>(log);
  // As long as the agents whose connections it listens to.
  agents.onContact(({ kind, caller: { connectionId } }) => {
    const open = agents.callers().some((one) => one.connectionId === connectionId);
    if (kind === 'disconnected' && !open && rows.delete(connectionId)) changes.emit();
  });
  return {
    tell({ connectionId }, host) {
      if (!rows.has(connectionId) && rows.size >= MAX_HOSTS) return false;
      rows.set(connectionId, host);
      changes.emit();
      return true;
    },
    list: () => [...rows.values()],
    onChange: changes.on,
  };
}
