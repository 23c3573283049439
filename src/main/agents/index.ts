/**
 * Agents: who is connected, by the kernel's word; what they do now; what keeps them from the desktop. Comes in: connections, calls and
 * the person's input. Goes out: callers, attention, status. Called by `calls/`, `serve/` and `host/`. Nothing is allowed here.
 */
import { createEmitter } from '../../base/emitter.js';
import type { Caller } from '../pipeline/ports.js';
import type { ProcessIdentity } from '../../native/peer/types.js';
import type { Agent, ConnectedAgent } from '../protocol/index.js';

export interface Agents {
  connected(caller: Caller): void;
  disconnected(caller: Caller): void;
  /** It has asked for something: from now on its process is an agent's, whatever else it says. */
  called(caller: Caller): void;
  hasCalled(process: ProcessIdentity): boolean;
  /** One row an agent, however many connections it has; who has only greeted (the command line) is none. */
  list(more: (agentId: string) => Omit<ConnectedAgent, keyof Agent | 'since'>): ConnectedAgent[];
  /** One a connection. */
  callers(): Caller[];
  connections(): number;
  /** Of one that is connected. */
  known(agentId: string): Agent | null;
  /** It has a connection now. */
  has(agentId: string): boolean;
  /** True when one of these processes is an agent that is, or lately was, connected, or a program it connected with. */
  includes(lineage: readonly ProcessIdentity[]): boolean;
  onChange(listener: () => void): () => void;
  /** Each connection as it comes, says anew who it is, makes a call or goes. What a listener throws reaches whoever caused it. */
  onContact(listener: (contact: Contact) => void): () => void;
}

export interface Contact {
  kind: 'connected' | 'called' | 'disconnected';
  caller: Caller;
}

const REMEMBER_MS = 10 * 60_000;

export function createAgents(now: () => Date, onError?: (thrown: unknown) => void): Agents {
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
    connected(caller) {
      const since = open.get(caller.connectionId)?.since ?? now().toISOString();
      open.set(caller.connectionId, { caller, since });
      mark(caller);
      changes.emit();
      contacts.emit({ kind: 'connected', caller });
    },
    disconnected(caller) {
      if (open.get(caller.connectionId)?.caller === caller) open.delete(caller.connectionId);
      mark(caller);
      changes.emit();
      contacts.emit({ kind: 'disconnected', caller });
    },
    called(caller) {
      if (!hasCalled(caller.peer)) {
        mark(caller, true);
        changes.emit();
      }
      contacts.emit({ kind: 'called', caller });
    },
    hasCalled,
    list(more) {
      const rows = new Map<string, ConnectedAgent>();
      for (const { caller, since } of open.values()) {
        if (caller.protocol === 'gabp' && !hasCalled(caller.peer)) continue;
        const { agent } = caller;
        const earlier = rows.get(agent.id);
        rows.set(agent.id, {
          ...agent,
          claim: agent.claim ?? earlier?.claim ?? null,
          since: earlier?.since ?? since,
          ...more(agent.id),
        });
      }
      return [...rows.values()];
    },
    callers: () => [...open.values()].map(({ caller }) => caller),
    connections: () => open.size,
    known: (agentId) => [...open.values()].find(({ caller }) => caller.agent.id === agentId)?.caller.agent ?? null,
    has: (agentId) => [...open.values()].some(({ caller }) => caller.agent.id === agentId),
    includes(lineage) {
      const fresh = now().getTime() - REMEMBER_MS;
      for (const [key, { at }] of seen)
        if (at < fresh && ![...open.values()].some(({ caller }) => keysOf(caller).includes(key))) seen.delete(key);
      return lineage.some((process) => seen.has(keyOf(process)));
    },
    onChange: changes.on,
    onContact: contacts.on,
  };
}

const keyOf = ({ pid, startTime }: { pid: number; startTime: string }) => `${pid}:${startTime}`;
const keysOf = ({ agent, peer }: Caller) => [agent, peer].map(keyOf);
