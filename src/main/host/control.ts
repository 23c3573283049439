import { createAgents } from '../agents/index.js';
import { createElsewhere } from '../agents/elsewhere.js';
import { createAttention } from '../agents/attention.js';
import { createPausedIdentities } from '../agents/paused-identities.js';
import { createIsRunning } from '../agents/same-program.js';
import { createApprovals, savePolicy, type Policy, type Where } from '../approvals/index.js';
import { createEmitter } from '../../base/emitter.js';
import { createExecutions } from '../pipeline/executions.js';
import { Stopped } from '../pipeline/failures.js';
import { createHolds } from '../pipeline/holds.js';
import { createLocks } from '../pipeline/locks.js';
import type { OpenedDesktop } from '../../native/open.js';
import { createPeerTrust } from '../../native/peer/index.js';
import type { StartedCommands } from '../../native/peer/started-commands.js';
import type { ProcessTable } from '../../native/peer/types.js';
import type { BridgeService } from '../serve/bridge-service.js';
import { reportSyntheticInput } from '../serve/page/press-check.js';
import type { Closers, createClosers } from './closers.js';
import type { HostOptions } from './options.js';
import { policyPath } from './policy.js';
import { message, type Message } from '../../messages/index.js';
import { createOwnChanges, NO_OWN_CHANGES, type OwnChanges } from '../pipeline/verify/own-changes.js';
import { withSecretFields } from '../pipeline/secret-fields.js';
import { withChangeHistory } from '../pipeline/verify/change-history.js';
import type { DesktopBackend, DesktopInput, HeldInput, InputGuard } from '../../native/desktop.js';

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
  const [executions, lane] = [createExecutions(log), createLocks(log)];
  const agents = createAgents(() => new Date(), log);
  const elsewhere = createElsewhere(agents, log);
  const injections = createEmitter<void>();
  const { desktop, ownChanges } = watchOwnChanges(opened, injections.emit, closers);
  const holds = createHolds({
    lane,
    desktop,
    executions,
    isPresent: agents.has,
    ...(options.holdMs === undefined ? {} : { maxHoldMs: options.holdMs }),
  });
  const pausedIdentities = createPausedIdentities({ processes, agents, now: Date.now });
  const approvals = createApprovals({
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
  return { agents, elsewhere, executions, lane, desktop, ownChanges, holds, approvals, attention, stopAgents };
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
  { approvals, attention, agents, holds }: HostControl,
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

/** Wraps the desktop for the host: masks what was secret, reports injected input, and records what applications change by themselves. */
function watchOwnChanges(
  opened: Pick<OpenedDesktop, 'desktop' | 'name'>,
  injected: () => void,
  closers: ReturnType<typeof createClosers>,
): { desktop: DesktopBackend; ownChanges: OwnChanges } {
  const secrets = withSecretFields(opened.desktop);
  closers.add(secrets.close);
  const reporting = withInjectionEvents(secrets.desktop, injected);
  // Simulated applications change nothing by themselves.
  if (opened.name === 'simulated') return { desktop: reporting, ownChanges: NO_OWN_CHANGES };
  const ownChanges = createOwnChanges(() => performance.now());
  const { desktop, close } = withChangeHistory(reporting, ownChanges);
  closers.add(close);
  return { desktop, ownChanges };
}

/**
 * Wraps the desktop and reports all injected input right before and after it, including the release of keys and buttons when a
 * call, a hold or an agent ends.
 */
export function withInjectionEvents(desktop: DesktopBackend, injected: () => void): DesktopBackend {
  const held = new Set<string>();

  async function around<R>(act: () => Promise<R>): Promise<R> {
    injected();
    try {
      return await act();
    } finally {
      injected();
    }
  }
  const reporting =
    (guard: InputGuard): InputGuard =>
    async () => {
      await guard();
      injected();
    };

  const wrapped: Pick<DesktopBackend, keyof DesktopInput | 'movePointer' | 'releaseAll'> = {
    movePointer: (to, signal) => around(() => desktop.movePointer(to, signal)),
    async button(button, isDown, guard, signal) {
      if (isDown) held.add(`button ${button}`);
      await around(() => desktop.button(button, isDown, reporting(guard), signal));
      if (!isDown) held.delete(`button ${button}`);
    },
    async key(key, isDown, guard, signal) {
      if (isDown) held.add(`key ${key}`);
      await around(() => desktop.key(key, isDown, reporting(guard), signal));
      if (!isDown) held.delete(`key ${key}`);
    },
    scroll: (delta, guard, signal) => around(() => desktop.scroll(delta, reporting(guard), signal)),
    typeText: (text, guard, signal) => around(() => desktop.typeText(text, reporting(guard), signal)),
    paste: (text, pid, guard, signal) => around(() => desktop.paste(text, pid, reporting(guard), signal)),
    dropFiles: (paths, id, guard, signal) => around(() => desktop.dropFiles(paths, id, reporting(guard), signal)),
    async releaseAll(keep) {
      const released = [...held].filter((name) => !namesOf(keep).has(name));
      if (released.length === 0) return desktop.releaseAll(keep);
      await around(() => desktop.releaseAll(keep));
      for (const name of released) held.delete(name);
    },
  };
  return { ...desktop, ...wrapped };
}

const namesOf = (keep: HeldInput = { keys: [], buttons: [] }): Set<string> =>
  new Set([...keep.keys.map((key) => `key ${key}`), ...keep.buttons.map((button) => `button ${button}`)]);
