import { join } from 'node:path';
import { createDescentChecks } from '../../native/peer/index.js';
import type { StartedCommands } from '../../native/peer/started-commands.js';
import type { ProcessTable } from '../../native/peer/types.js';
import type { Approvals } from '../approvals/index.js';
import type { EvidenceRecorder } from '../evidence/index.js';
import { createAgentTraces } from '../agents/agent-traces.js';
import type { Agents } from '../agents/index.js';
import type { HostOptions } from './options.js';
import { createPairing } from '../serve/pairing/index.js';
import { createLinkPermissions } from '../serve/pairing/link-permissions.js';
import { createPairingRequests } from '../serve/pairing/requests.js';
import { hasTerminal } from '../serve/pairing/terminal.js';

interface Sources {
  options: Pick<HostOptions, 'menubarApp' | 'paths'>;
  processes: ProcessTable;
  startedCommands: StartedCommands;
  agents: Agents;
  approvals: Approvals;
  recorder: EvidenceRecorder;
  log(thrown: unknown): void;
}

/** Who may ask for a pairing link and redeem one, on this system. */
export function buildPairing({ options, processes, startedCommands, agents, ...rest }: Sources) {
  const pairing = createPairing({ file: join(options.paths.state, 'pairings.json'), now: Date.now, onError: rest.log });
  const { inspector, mark } = createDescentChecks(startedCommands);
  const traces = createAgentTraces({
    inspector,
    openedByAgent: (pid) => mark(pid).kind === 'marked',
    hasCalled: agents.hasCalled,
    now: Date.now,
  });
  agents.onContact(traces.note);
  const linkPermissions = createLinkPermissions({
    lineage: processes.lineage,
    agents,
    traces,
    inspector,
    mark,
    hasTerminal,
    hostPid: process.pid,
  });
  return {
    pairing,
    askerRefusal: linkPermissions.askerRefusal,
    pairingRequests: createPairingRequests({
      ...rest,
      pairing,
      linkPermissions,
      popover: options.menubarApp !== undefined,
    }),
  };
}
