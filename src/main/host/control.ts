import { join } from 'node:path';
import { createAgents } from '../agents/index.js';
import { openAgentNames } from '../agents/names.js';
import { createElsewhere } from '../agents/status.js';
import { createAttention } from '../agents/attention.js';
import { createPausedIdentities } from '../agents/paused-identities.js';
import { createIsRunning } from '../agents/same-program.js';
import { createApprovals, createViewers, savePolicy, type Policy, type Where } from '../approvals/index.js';
import { createEmitter } from '../../base/emitter.js';
import { createExecutions } from '../pipeline/executions.js';
import { Stopped } from '../pipeline/failures.js';
import type { OpenedDesktop } from '../../native/open.js';
import { createPeerTrust } from '../../native/peer/index.js';
import type { StartedCommands } from '../../native/peer/started-commands.js';
import type { ProcessTable } from '../../native/peer/types.js';
import type { BridgeService } from '../serve/bridge-service.js';
import { reportSyntheticInput } from '../serve/page/press-check.js';
import type { Closers } from './closers.js';
import { createDesk } from './desk.js';
import type { HostOptions } from './options.js';
import { policyPath } from './policy.js';
import { message, type Message } from '../../messages/index.js';

/** What a host is built on. */
export interface HostContext {
  options: HostOptions;
  policy: Policy;
  processes: ProcessTable;
  startedCommands: StartedCommands;
  opened: OpenedDesktop;
  /** The Mach service beside the socket. */
  service: BridgeService;
  /** Doors that were opened because somebody asked for them, for health. */
  openDoors: Message[];
  /** Logs errors of listeners and background work. */
  log(thrown: unknown): void;
}

export type HostControl = ReturnType<typeof buildControl>;

/** Connections, executions, held input, and what stops them: approvals, pauses, Stop. */
export function buildControl(context: HostContext, closers: Closers) {
  const { options, processes, opened, log } = context;
  const executions = createExecutions(log);
  const agents = createAgents(() => new Date(), log);
  const elsewhere = createElsewhere(agents, log);
  const names = openAgentNames({ file: join(options.paths.state, 'agent-names.json'), agents, log });
  closers.add(names.close);
  const injections = createEmitter<void>();
  const desk = createDesk(context, { opened, executions, agents, injected: injections.emit }, closers);
  const { desktop, holds } = desk;
  const pausedIdentities = createPausedIdentities({ processes, agents, now: Date.now });
  const viewers = createViewers(log);
  const approvals = createApprovals({
    viewers,
    policy: context.policy,
    stateDir: options.paths.state,
    now: Date.now,
    popover: options.menubarApp !== undefined,
    releaseHeld: holds.releaseForPerson,
    pausedIdentityOf: pausedIdentities.resolve,
    agentOf: agents.known,
    isRunning: createIsRunning(processes),
    peers: createPeerTrust(processes, { places: options.places, shim: options.shim ?? options.launcher }),
    ...policyFile(options),
    ...(options.pressLimits === undefined ? {} : { pressLimits: options.pressLimits }),
    log: (message, thrown) => options.log.error({ err: thrown }, message),
  });
  closers.add(approvals.close);
  injections.on(() => approvals.injected('agent'));
  closers.add(reportSyntheticInput(desktop, options, approvals));
  const attention = createAttention(log);

  const pausesChanged = () => {
    const summary = approvals.pauseOfAll() === null ? null : message('attention.paused');
    attention.set('paused', summary);
    pausedIdentities.setPaused(approvals.otherPausedAgents([]).map(({ id }) => id));
  };
  pausesChanged();
  closers.add(approvals.onPause(pausesChanged));
  const stopAgents = (by: string, where: Where) => {
    approvals.stop({ by, where });
    const isPersons = where !== 'unproven' && where !== 'agent';
    executions.halt(new Stopped('stop', message(isPersons ? 'stopped.everything' : 'stopped.everything_by_program')));
  };
  return { ...desk, agents, elsewhere, names, executions, approvals, viewers, attention, stopAgents };
}

/** A policy given at the start, or narrowed by a shim, is not saved. */
const policyFile = ({ policy, narrow, paths }: HostOptions) =>
  policy === undefined && !narrow
    ? { savePolicy: (changed: Policy) => savePolicy(policyPath(paths.config), changed) }
    : {};

/** What is granted to a program of another machine ends with its connection. */
export function endForwardedGrants({ agents, approvals }: HostControl, closers: Closers): void {
  const isOpen = (startTime: string) => agents.callers().some(({ agent }) => agent.startTime === startTime);
  closers.add(
    agents.onContact(({ kind, caller: { agent } }) => {
      if (kind === 'disconnected' && agent.via !== undefined && !isOpen(agent.startTime))
        approvals.endConnection(agent);
    }),
  );
}

/** Releases held input as soon as its agent may not hold it any more. */
export function releaseHeldInput(
  { approvals, attention, agents, holds }: Pick<HostControl, 'approvals' | 'attention' | 'agents' | 'holds'>,
  log: HostContext['log'],
  closers: Closers,
): void {
  closers.add(
    approvals.onPause(
      () => void holds.releaseWhere(approvals.isPaused, new Stopped('stop', message('stopped.agent_is_paused'))),
    ),
  );
  closers.add(
    attention.port.onChange((event, _item, why) => {
      if (event === 'opened')
        void holds.release(null, new Stopped('person', message('stopped.let_go_because', { why })));
    }),
  );
  closers.add(
    agents.onContact(({ kind, caller: { agent } }) => {
      if (kind === 'disconnected' && !agents.has(agent.id))
        holds.release(agent.id, new Stopped('abort', message('stopped.agent_gone'))).catch(log);
    }),
  );
}
