import { join } from 'node:path';
import { createDescentChecks } from '../../native/peer/index.js';
import type { StartedCommands } from '../../native/peer/started-commands.js';
import type { ProcessTable } from '../../native/peer/types.js';
import type { Approvals } from '../approvals/index.js';
import type { EvidenceRecorder } from '../evidence/index.js';
import { AgentTraces } from '../agents/agent-traces.js';
import type { Agents } from '../agents/index.js';
import { KernelPersonProof } from '../agents/person.js';
import type { HostOptions } from './options.js';
import { createPairing } from '../serve/pairing/index.js';
import { createPairingRequests } from '../serve/pairing/requests.js';

interface Sources {
  options: Pick<HostOptions, 'menubarApp' | 'paths' | 'background' | 'personProof'>;
  processes: ProcessTable;
  startedCommands: StartedCommands;
  agents: Agents;
  approvals: Approvals;
  recorder: EvidenceRecorder;
  log(thrown: unknown): void;
}

/** Who is the person, and which pages are theirs. */
export function buildPairing({ options, processes, startedCommands, agents, ...rest }: Sources) {
  const pairing = createPairing({ file: join(options.paths.state, 'pairings.json'), now: Date.now, onError: rest.log });
  const { inspector, mark } = createDescentChecks(startedCommands);
  const { lineage } = processes;
  const openedByAgent = (pid: number) => mark(pid).kind === 'marked';
  const traces = new AgentTraces({ inspector, lineage, openedByAgent, hasCalled: agents.hasCalled, now: Date.now });
  agents.onContact((contact) => traces.note(contact));
  const host = { pid: process.pid, background: options.background };
  const facts = { lineage, agents, traces, inspector, mark, host };
  const kernel = new KernelPersonProof(facts);
  const person = options.personProof?.(kernel, facts) ?? kernel;
  const popover = options.menubarApp !== undefined;
  return { pairing, person, pairingRequests: createPairingRequests({ ...rest, pairing, person, popover }) };
}
