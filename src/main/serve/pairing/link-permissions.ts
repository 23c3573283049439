/**
 * Which processes may ask for a pairing link, and which may redeem one. Comes in: processes by the kernel's word. Goes out:
 * why not, or null. What cannot be told is no.
 */
import { basename } from 'node:path';
import type { CommandMark } from '../../../native/peer/command-mark.js';
import type { ProcessInspector } from '../../../native/peer/process-inspector.js';
import type { ProcessIdentity, ProcessTable } from '../../../native/peer/types.js';
import type { Agents } from '../../agents/index.js';
import type { AgentTraces } from '../../agents/agent-traces.js';
import type { LinkIssuer } from './link-codes.js';

export type LinkRefusal = 'agent' | 'host' | 'command' | 'unclear' | 'no_terminal';

export interface LinkPermissionsOptions {
  lineage: ProcessTable['lineage'];
  agents: Pick<Agents, 'hasCalled' | 'includes'>;
  traces: Pick<AgentTraces, 'mayHaveStarted' | 'saw'>;
  inspector: ProcessInspector;
  mark(pid: number): CommandMark;
  /** True when the process has a controlling terminal. */
  hasTerminal(pid: number): boolean;
  hostPid: number;
}

export interface LinkPermissions {
  /** Why this process may not ask for a link. */
  askerRefusal(peer: ProcessIdentity): LinkRefusal | null;
  /** Why this process may not redeem a link. A browser that the host opened may redeem the links the host shows itself. */
  redeemerRefusal(client: ProcessIdentity, by: LinkIssuer): LinkRefusal | null;
}

const ADOPTERS = new Set(['systemd', 'init', 'launchd']);

export function createLinkPermissions(options: LinkPermissionsOptions): LinkPermissions {
  const { lineage, agents, traces, inspector, mark, hostPid } = options;
  const belowHost = (line: readonly ProcessIdentity[]) => line.slice(1).some(({ pid }) => pid === hostPid);

  /** The processes that control the terminal, each with its ancestors; the asking process first. */
  function linesBehind(peer: ProcessIdentity): ProcessIdentity[][] {
    const own = lineage(peer.pid);
    const place = inspector.inspect(peer.pid);
    if (place === null) return [own];
    const others = new Set([
      place.sessionLeader,
      place.groupLeader,
      ...inspector.terminalHolders(place.terminal).masters,
    ]);
    return [own, ...[...others].filter((pid) => pid > 0 && pid !== peer.pid).map((pid) => lineage(pid))];
  }

  function markRefusal(line: readonly ProcessIdentity[]): LinkRefusal | null {
    for (const [index, one] of line.entries()) {
      // Some systems let nobody read the environment of init, and no command starts it.
      if (one.pid === 1) continue;
      const found = mark(one.pid);
      if (found.kind === 'marked') return 'command';
      if (found.kind !== 'none' && one.uid === process.getuid?.() && !isLoginService(line, index)) return 'unclear';
    }
    return null;
  }

  /** A program in the same terminal can change what is typed there. */
  function sharedTerminal(peer: ProcessIdentity): LinkRefusal | null {
    const terminal = inspector.inspect(peer.pid)?.terminal ?? 0;
    for (const pid of inspector.terminalHolders(terminal).programs) {
      const [holder] = lineage(pid);
      if (holder === undefined || pid === peer.pid) continue;
      if (agents.hasCalled(holder)) return 'agent';
      if (mark(pid).kind === 'marked') return 'command';
    }
    return null;
  }

  /** A process that outlived its parent, and started after an agent in its control group, may be that agent's. */
  function orphanRefusal(line: readonly ProcessIdentity[]): LinkRefusal | null {
    const orphans = line.filter((one, index) => isOrphan(inspector, one, line[index + 1]));
    return orphans.some((one) => traces.mayHaveStarted(inspector.inspect(one.pid))) ? 'unclear' : null;
  }

  return {
    askerRefusal(peer) {
      if (peer.forwardedBy !== undefined) return 'unclear';
      const [own = [], ...others] = linesBehind(peer);
      if (own.length === 0 || agents.hasCalled(peer)) return 'agent';
      const lines = [own, ...others];
      const company = lines.flat().filter(({ pid }) => pid !== peer.pid);
      if (agents.includes(company) || lines.flat().some(traces.saw)) return 'agent';
      if (belowHost(own) || others.some((line) => line.some(({ pid }) => pid === hostPid))) return 'host';
      const marked = firstFault(lines, markRefusal);
      if (marked === 'command') return marked;
      if (!options.hasTerminal(peer.pid)) return 'no_terminal';
      return marked ?? sharedTerminal(peer) ?? firstFault(lines, orphanRefusal);
    },
    redeemerRefusal(client, by) {
      const line = lineage(client.pid);
      if (line.length === 0) return 'unclear';
      const hostAt = line.findIndex(({ pid }) => pid === hostPid);
      // What started the host did not start the browser that the host opened.
      const below = hostAt === -1 ? line : line.slice(0, hostAt);
      if (agents.includes(below) || below.some(traces.saw)) return 'agent';
      if (by === 'cli' && belowHost(line)) return 'host';
      return below.some(({ pid }) => mark(pid).kind === 'marked') ? 'command' : null;
    },
  };
}

function firstFault(
  lines: readonly ProcessIdentity[][],
  fault: (line: readonly ProcessIdentity[]) => LinkRefusal | null,
): LinkRefusal | null {
  return lines.reduce<LinkRefusal | null>((found, line) => found ?? fault(line), null);
}

/** A service such as sshd keeps its files from the user it serves. Its parent is another user's, which no process can choose for itself. */
function isLoginService(line: readonly ProcessIdentity[], index: number): boolean {
  const [self, parent] = [line[index], line[index + 1]];
  return self !== undefined && parent !== undefined && parent.pid !== 1 && parent.uid !== self.uid;
}

/** Whether its first parent has ended: its parent now is one that adopts orphans, in another session. */
function isOrphan(inspector: ProcessInspector, one: ProcessIdentity, parent: ProcessIdentity | undefined): boolean {
  if (one.parentPid !== 1 && (parent === undefined || !ADOPTERS.has(basename(parent.executable)))) return false;
  const place = inspector.inspect(one.pid);
  const above = inspector.inspect(one.parentPid);
  return place === null || above === null || place.sessionLeader !== above.sessionLeader;
}
