import { createEmitter } from '../../base/emitter.js';
import type { Caller } from '../approvals/request.js';
import type { ElsewhereHost } from '../protocol/index.js';
import type { Agents } from './index.js';

/**
 * Hosts on other machines, as each `chaperone connect` of this one tells, and as agents say that use one. A row goes with the connection
 * that told it.
 */
export type Elsewhere = ReturnType<typeof createElsewhere>;

const MAX_HOSTS = 50;
/** Of those that agents tell, which take no place from the person's. */
const MAX_CLAIMS = 20;

export function createElsewhere(agents: Pick<Agents, 'onContact' | 'callers'>, log: (thrown: unknown) => void) {
  const rows = new Map<string, ElsewhereHost>();
  const changes = createEmitter<void>(log);
  // As long as the agents whose connections it listens to.
  agents.onContact(({ kind, caller: { connectionId } }) => {
    const open = agents.callers().some((one) => one.connectionId === connectionId);
    if (kind === 'disconnected' && !open && rows.delete(connectionId)) changes.emit();
  });
  return {
    /** Replaces what this connection told before; false where there is no room. */
    tell({ connectionId }: Pick<Caller, 'connectionId'>, host: ElsewhereHost): boolean {
      const isClaim = host.by !== undefined;
      const others = [...rows].filter(([id, row]) => id !== connectionId && (row.by !== undefined) === isClaim);
      if (others.length >= (isClaim ? MAX_CLAIMS : MAX_HOSTS)) return false;
      rows.set(connectionId, host);
      changes.emit();
      return true;
    },
    list: (): ElsewhereHost[] => [...rows.values()],
    onChange: changes.on,
  };
}
