/**
 * The composition root: builds a running host that serves agents over the socket and people over the page. Called by
 * `chaperone host` and by the menubar app. Everything opened here is closed here, in reverse order.
 */
import { giveBackPixels, releaseAfterPictures } from '../../native/memory.js';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createEmitter } from '../../base/emitter.js';
import { message, type Message } from '../../messages/index.js';
import { openDesktop } from '../../native/open.js';
import { createProcessTable } from '../../native/peer/index.js';
import { withLengthLimits } from '../../native/length-limits.js';
import type { Policy } from '../approvals/index.js';
import { denyCard } from '../approvals/deny-card.js';
import { createMenubarHost, type MenubarHostOptions } from '../serve/menubar-app.js';
import { buildHost, type HostParts } from './build.js';
import { createClosers, type Closers } from './closers.js';
import type { HostContext } from './control.js';
import { claimHost } from './discovery.js';
import { openHttpWhereAsked } from './http-door.js';
import { IDLE_MS, watchIdle } from './idle.js';
import type { Host, HostOptions } from './options.js';
import { openPages, type ServedPages } from './pages.js';
import { hostBridgeService } from './bridge-service.js';
import { hostPolicy } from './policy.js';
import { openAgentSockets } from './sockets.js';

export type { Host, HostOptions } from './options.js';
export type { MenubarHost, MenubarApp } from '../serve/menubar-app.js';

/** Rejects, with everything closed again, for an invalid policy, another running host, or an unavailable port or folder. */
export async function createHost(options: HostOptions): Promise<Host> {
  const closers = createClosers();
  giveBackPixels();
  try {
    return await open(options, closers);
  } catch (thrown) {
    await closers.close();
    throw thrown;
  }
}

async function open(options: HostOptions, closers: Closers): Promise<Host> {
  const context = await prepare(options, closers);
  const { opened, policy } = context;
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

/** Opens what everything else needs: policy, the host's folders, the desktop. */
async function prepare(options: HostOptions, closers: Closers): Promise<HostContext> {
  const { paths, backend, display, env, log, startHelper } = options;
  const policy = hostPolicy(options);
  const lock = await claimHost(paths);
  closers.add(lock.release);
  await mkdir(paths.config, { recursive: true, mode: 0o700 });
  const processes = createProcessTable();
  const unbounded = await (options.openDesktop ?? openDesktop)({
    ...{ backend, display, env, log, processes, startHelper },
  });
  closers.add(() => unbounded.close());
  const released = releaseAfterPictures(withLengthLimits(unbounded.desktop));
  closers.add(released.close);
  const opened = { ...unbounded, desktop: released.desktop };
  const service = hostBridgeService(options);
  const logError = (thrown: unknown): void => log.error({ err: thrown }, 'unexpected');
  return { options, policy, processes, opened, service, openDoors: [], log: logError };
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
