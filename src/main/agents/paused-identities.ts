import type { Caller } from '../approvals/request.js';
import type { ProcessIdentity, ProcessTable } from '../../native/peer/types.js';
import type { Agents } from './index.js';

interface PausedIdentitiesOptions {
  processes: Pick<ProcessTable, 'lineage'>;
  agents: Pick<Agents, 'callers' | 'has' | 'onContact'>;
  now(): number;
}

/** Processes of a paused agent, and the program and parent that identify a restart. */
interface Facts {
  processes: Set<string>;
  executable: string;
  script: string | null;
  parent: string | null;
  via: Caller['agent']['via'];
}

interface Group {
  members: Map<string, Facts>;
  until: number;
}

/** For this long after its last connection, a restart of the same program by the same parent stays paused. */
const REMEMBER_MS = 10 * 60_000;
const MAX_MEMBERS = 40;

/** A pause is bound to a process. It also covers new client info of that process, its descendants, and restarts of the same program. */
export function createPausedIdentities({ processes, agents, now }: PausedIdentitiesOptions) {
  let paused: ReadonlySet<string> = new Set();
  const groups = new Map<string, Group>();
  const roots = new Map<string, string>();

  const resolve = (agentId: string) => roots.get(agentId) ?? agentId;
  const isPaused = (agentId: string) => paused.has(agentId) || paused.has(resolve(agentId));

  function add(root: string, caller: Caller, lineage: readonly ProcessIdentity[]): void {
    const group = groups.get(root) ?? { members: new Map<string, Facts>(), until: 0 };
    groups.set(root, group);
    group.until = now() + REMEMBER_MS;
    const { agent, peer } = caller;
    const known = group.members.get(agent.id);
    const facts = known ?? {
      processes: new Set([keyOf(agent)]),
      executable: agent.executable,
      script: agent.script,
      parent: parentOf(agent.pid, lineage),
      via: agent.via,
    };
    facts.processes.add(keyOf(peer));
    group.members.set(agent.id, facts);
    for (const id of group.members.keys()) {
      if (group.members.size <= MAX_MEMBERS) break;
      if (id !== root && !agents.has(id)) group.members.delete(id);
    }
    if (agent.id !== root) roots.set(agent.id, root);
  }

  function prune(): void {
    for (const [root, group] of groups) {
      const present = [root, ...group.members.keys()].some(agents.has);
      if (present) group.until = now() + REMEMBER_MS;
      if (!isPaused(root) || (!present && now() >= group.until)) groups.delete(root);
    }
    for (const [id, root] of roots)
      if (!groups.has(root) || !(groups.get(root)?.members.has(id) ?? false)) roots.delete(id);
  }

  const close = agents.onContact(({ kind, caller }) => {
    if (kind === 'connected') connected(caller);
  });
  return {
    /** The paused agent that this one continues, as the kernel reports it; else itself. */
    resolve,
    /** Must be called with the individually paused agents whenever they change. */
    setPaused(agentIds: readonly string[]): void {
      paused = new Set(agentIds);
      prune();
      for (const caller of agents.callers())
        if (isPaused(caller.agent.id)) add(resolve(caller.agent.id), caller, processes.lineage(caller.peer.pid));
    },
    close,
  };

  function connected(caller: Caller): void {
    prune();
    const { agent, peer } = caller;
    const own = isPaused(agent.id);
    if (!own && groups.size === 0) return;
    const lineage = processes.lineage(peer.pid);
    const root = own
      ? resolve(agent.id)
      : [...groups].find(([, { members }]) =>
          [...members.values()].some((facts) => isSame(facts, caller, lineage)),
        )?.[0];
    if (root !== undefined) add(root, caller, lineage);
  }
}

/** The same process or a descendant; or the same program with the same parent. Programs of another machine cannot be told apart. */
function isSame(facts: Facts, { agent, peer }: Caller, lineage: readonly ProcessIdentity[]): boolean {
  if (agent.via !== undefined || facts.via !== undefined) return agent.via === facts.via;
  const line = [keyOf(agent), keyOf(peer), ...lineage.map(keyOf)];
  if (line.some((key) => facts.processes.has(key))) return true;
  const same = agent.executable !== '' && agent.executable === facts.executable && agent.script === facts.script;
  return same && facts.parent !== null && line.includes(facts.parent);
}

function parentOf(pid: number, lineage: readonly ProcessIdentity[]): string | null {
  const self = lineage.find((one) => one.pid === pid);
  const parent = lineage.find((one) => one.pid === self?.parentPid);
  return parent === undefined ? null : keyOf(parent);
}

const keyOf = ({ pid, startTime }: { pid: number; startTime: string }) => `${pid}:${startTime}`;
