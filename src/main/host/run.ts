/** Builds everything on an opened desktop and serves it. Called by `index.ts`, which is read and runs before this is. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createEmitter } from '../../base/emitter.js';
import { openKeptCommands, type KeptCommands } from '../../native/peer/kept-commands.js';
import { createStartedCommands, MAX_COMMANDS } from '../../native/peer/started-commands.js';
import { message, type Message } from '../../messages/index.js';
import type { Policy } from '../approvals/index.js';
import { denyCard } from '../approvals/deny-card.js';
import { createMenubarHost, type MenubarHostOptions } from '../serve/menubar-app.js';
import { hostBridgeService } from './bridge-service.js';
import { buildHost, type HostParts } from './build.js';
import type { Closers } from './closers.js';
import type { HostContext } from './control.js';
import { openHttpWhereAsked } from './http-door.js';
import { IDLE_MS, watchIdle } from './idle.js';
import type { Host, HostOptions } from './options.js';
import { openPages, type ServedPages } from './pages.js';
import { openAgentSockets } from './sockets.js';

export async function runHost(
  given: Pick<HostContext, 'options' | 'policy' | 'processes' | 'opened'>,
  closers: Closers,
): Promise<Host> {
  const { options, opened, policy } = given;
  const log = (thrown: unknown): void => options.log.error({ err: thrown }, 'unexpected');
  const startedCommands = createStartedCommands(given.processes.lookup, keptCommands(options, log));
  const service = hostBridgeService(options);
  const context: HostContext = { ...given, startedCommands, service, openDoors: [], log };
  const parts = await buildHost(context, closers);
  if (options.resetPairings === true) await parts.pairingRequests.reset();
  const served = await openPages(context, parts, closers);
  const endings = createEmitter<Message>();
  const ended = new Promise<Message>((resolve) => void endings.on(resolve));
  const sockets = await openAgentSockets(context, parts, served, endings.emit, closers);
  const mcpHttp = await openHttpWhereAsked(context, parts, served, closers);
  parts.startApps();
  if (options.background) leaveWhenIdle(options, parts, served, endings.emit, closers);
  return {
    url: served.url,
    menubar: createMenubarHost(menubarOptions(context, parts, served)),
    tcpPort: sockets.tcpPort,
    mcpHttp,
    socketPath: sockets.socketPath,
    notes: [...(opened.note === null ? [] : [opened.note]), ...warningsOf(policy)],
    desktopEnv: opened.env,
    pairingLink: () => `${served.url}/#pair=${parts.pairing.issue('terminal').code}`,
    ended,
    close: closers.close,
  };
}

/** Elsewhere nothing is told by their numbers. */
function keptCommands({ paths }: HostOptions, onError: (thrown: unknown) => void): KeptCommands | undefined {
  if (process.platform !== 'darwin') return undefined;
  return openKeptCommands({ file: join(paths.state, 'started-commands.jsonl'), most: MAX_COMMANDS, onError });
}

function leaveWhenIdle(
  { paths, idleMs = IDLE_MS }: HostOptions,
  { agents, approvals, chat, toolDeps }: HostParts,
  { pages, keptCommands }: ServedPages,
  leave: (reason: Message) => void,
  closers: Closers,
): void {
  const uses = () =>
    agents.connections() +
    approvals.cards().length +
    chat.pending().length +
    toolDeps.observations.activeCount() +
    keptCommands.list().length +
    pages.count().paired +
    pages.count().unpaired;
  const idle = watchIdle({ busy: () => uses() > 0, gone: () => !existsSync(paths.state), idleMs, leave });
  closers.add(idle.close);
}

function menubarOptions(
  { options }: HostContext,
  parts: HostParts,
  { pages, openBrowser }: Pick<ServedPages, 'pages' | 'openBrowser'>,
): MenubarHostOptions {
  const { approvals, stopAgents, status, health, chat, pairing, calls } = parts;
  return {
    status,
    health,
    approvals,
    chat,
    pairing,
    allAnswered: calls.allAnswered,
    acts: {
      stop: () => stopAgents('popover', 'popover'),
      pause: () => void approvals.pause({ on: true, by: 'popover', where: 'popover' }),
      resume: () => void approvals.pause({ on: false, by: 'popover', where: 'popover' }),
      deny: (id) => denyCard(approvals, { id, by: 'notification', where: 'popover' })?.ok === true,
      denyAll: (reason) => approvals.denyOpen({ by: 'host', message: reason }),
      openBrowser,
      accept: pages.acceptPopover,
    },
    log: (thrown) => options.log.error({ err: thrown }, 'menubar'),
  };
}

const warningsOf = ({ base }: Policy): Message[] =>
  base === 'unattended' ? [message('policy.unattended_warning')] : [];
