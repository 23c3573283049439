/**
 * Agents: who is connected, as the kernel reports it; what they do now; what keeps them from the desktop (attention).
 * Called by `calls/`, `serve/` and `host/`. Never approves anything.
 */
import { createEmitter } from '../../base/emitter.js';
import type { Caller } from '../approvals/request.js';
import type { ProcessIdentity } from '../../native/peer/types.js';
import type { Agent, ConnectedAgent } from '../protocol/index.js';

export type Agents = ReturnType<typeof createAgents>;

export interface Contact {
  kind: 'connected' | 'called' | 'disconnected';
  caller: Caller;
}

const REMEMBER_MS = 10 * 60_000;

export function createAgents(now: () => Date, onError?: (thrown: unknown) => void) {
  const open = new Map<string, { caller: Caller; since: string }>();
  const seen = new Map<string, { at: number; called: boolean }>();
  const changes = createEmitter<void>(onError);
  const contacts = createEmitter<Contact>();

  const mark = (caller: Caller, called = false) => {
    for (const key of keysOf(caller))
      seen.set(key, { at: now().getTime(), called: called || seen.get(key)?.called === true });
  };

  const hasCalled = (process: { pid: number; startTime: string }) => seen.get(keyOf(process))?.called === true;

  return {
    connected(caller: Caller): void {
      const since = open.get(caller.connectionId)?.since ?? now().toISOString();
      open.set(caller.connectionId, { caller, since });
      mark(caller);
      changes.emit();
      contacts.emit({ kind: 'connected', caller });
    },
    disconnected(caller: Caller): void {
      if (open.get(caller.connectionId)?.caller === caller) open.delete(caller.connectionId);
      mark(caller);
      changes.emit();
      contacts.emit({ kind: 'disconnected', caller });
    },
    /** It made a call: from now on its process counts as an agent. */
    called(caller: Caller): void {
      if (!hasCalled(caller.peer)) {
        mark(caller, true);
        changes.emit();
      }
      contacts.emit({ kind: 'called', caller });
    },
    hasCalled,
    /** One entry per agent, however many connections it has. A client without calls (the command line) is no agent. */
    list(more: (agentId: string) => Omit<ConnectedAgent, keyof Agent | 'since'>): ConnectedAgent[] {
      const rows = new Map<string, ConnectedAgent>();
      for (const { caller, since } of open.values()) {
        if (caller.protocol === 'gabp' && !hasCalled(caller.peer)) continue;
        const { agent } = caller;
        const earlier = rows.get(agent.id);
        rows.set(agent.id, {
          ...(earlier ?? { since, ...more(agent.id) }),
          ...agent,
          claim: agent.claim ?? earlier?.claim ?? null,
        });
      }
      return [...rows.values()];
    },
    /** One entry per connection. */
    callers: (): Caller[] => [...open.values()].map(({ caller }) => caller),
    connections: (): number => open.size,
    /** A connected agent by id. */
    known: (agentId: string): Agent | null =>
      [...open.values()].find(({ caller }) => caller.agent.id === agentId)?.caller.agent ?? null,
    /** Whether it is connected now. */
    has: (agentId: string): boolean => [...open.values()].some(({ caller }) => caller.agent.id === agentId),
    /** True when one of these processes is, or recently was, a connected agent, or a program that it connected with. */
    includes(lineage: readonly ProcessIdentity[]): boolean {
      const fresh = now().getTime() - REMEMBER_MS;
      for (const [key, { at }] of seen)
        if (at < fresh && ![...open.values()].some(({ caller }) => keysOf(caller).includes(key))) seen.delete(key);
      return lineage.some((process) => seen.has(keyOf(process)));
    },
    onChange: changes.on,
    /** Emits when a connection opens, changes its client info, makes a call or closes. Errors of listeners reach the one who caused the event. */
    onContact: contacts.on,
  };
}

const keyOf = ({ pid, startTime }: { pid: number; startTime: string }) => `${pid}:${startTime}`;
const keysOf = ({ agent, peer }: Caller) => [agent, peer].map(keyOf);
