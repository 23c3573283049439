/** Builds everything on an opened desktop and serves it. Called by `index.ts`, which is read and runs before this is. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createEmitter } from '../../base/emitter.js';
import {
  openKeptCommands,
  type KeptCommands,
  createStartedCommands,
  MAX_COMMANDS,
} from '../../native/peer/started-commands.js';
import { type Policy, shownPolicy, denyCard, denyById } from '../approvals/index.js';
import { createMenubarHost, type MenubarHostOptions } from '../serve/menubar-app.js';
import { hostBridgeService } from './bridge-service.js';
import { buildHost, type HostParts } from './build.js';
import type { Closers } from './closers.js';
import type { HostContext } from './control.js';
import type { Host, HostOptions } from './options.js';
import { openPages, type ServedPages } from './pages.js';
import { createCallers } from '../agents/caller.js';
import { VERSION } from '../protocol/local-command.js';
import type { HttpDoor } from '../serve/http/index.js';
import { callersWith } from './demo-runner.js';
import { createAdmin, type Admin } from '../serve/admin.js';
import type { AgentServices } from '../serve/services.js';
import { openSockets } from '../serve/sockets.js';
import { newBridge, removeBridge, socketPathFor, writeBridge } from './discovery.js';
import { message, type Message } from '../../messages/index.js';

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
    notes: [
      ...(opened.note === null ? [] : [opened.note]),
      ...warningsOf(policy, parts.approvals.pauseOfAll() !== null),
    ],
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
  { agents, approvals, chat, toolDeps, ownDesktops }: HostParts,
  { pages, keptCommands }: ServedPages,
  leave: (reason: Message) => void,
  closers: Closers,
): void {
  const uses = () =>
    agents.connections() +
    approvals.cards().length +
    chat.pending().length +
    toolDeps.observations.activeCount() +
    ownDesktops.list().length +
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
  const { approvals, stopAgents, status, names, health, chat, pairing, calls } = parts;
  return {
    status,
    names,
    health,
    approvals,
    chat,
    pairing,
    allAnswered: calls.allAnswered,
    acts: {
      stop: () => stopAgents('popover', 'popover'),
      pause: () => void approvals.pause({ on: true, by: 'popover', where: 'popover' }),
      resume: () => void approvals.pause({ on: false, by: 'popover', where: 'popover' }),
      endTask: (id) => void approvals.tasks.end(id),
      deny: (id) => denyCard(approvals, { id, by: 'notification', where: 'popover' })?.ok === true,
      denyAll: (reason) => approvals.denyOpen({ by: 'host', message: reason }),
      openBrowser,
      accept: pages.acceptPopover,
    },
    log: (thrown) => options.log.error({ err: thrown }, 'menubar'),
  };
}

/** A pause outlasts the host, and until it ends no policy lets anything through. */
function warningsOf({ base }: Policy, paused: boolean): Message[] {
  const unattended = message(paused ? 'policy.unattended_paused' : 'policy.unattended_warning');
  return [...(paused ? [message('host.still_paused')] : []), ...(base === 'unattended' ? [unattended] : [])];
}

/** MCP over HTTP; null where it was not asked for. Its code is loaded only then. */
async function openHttpWhereAsked(
  { options, processes, openDoors }: HostContext,
  { calls, agents, apps, health, ...parts }: HostParts,
  { url, demo }: Pick<ServedPages, 'url' | 'demo'>,
  closers: Closers,
): Promise<Pick<HttpDoor, 'url' | 'tokenFile'> | null> {
  const { http, paths, log, httpLimits = {} } = options;
  if (http === undefined) return null;
  const { openHttpDoor } = await import('../serve/http/index.js');
  const door = await openHttpDoor({
    services: {
      calls,
      agents,
      onObservation: onObservation(parts),
      onToolsChanged: apps.onToolsChanged,
      onAppNews: apps.onNews,
    },
    processes,
    makeCaller: demo === null ? createCallers({ processes }) : callersWith(demo, processes),
    port: http,
    stateFolder: paths.state,
    url,
    version: VERSION,
    log,
    ...httpLimits,
  });
  closers.add(door.close);
  openDoors.push(message('health.http_door', { url: door.url }));
  await health.refresh();
  return { url: door.url, tokenFile: door.tokenFile };
}

/** The sockets for agents and scripts, and the bridge file that names them. */
async function openAgentSockets(
  context: HostContext,
  parts: HostParts,
  { url, demo }: Pick<ServedPages, 'url' | 'demo'>,
  leave: (reason: Message) => void,
  closers: Closers,
) {
  const { options, processes, service } = context;
  const { paths, command, stdio, tcp, gabp, log } = options;
  const { calls, agents, attention, apps } = parts;
  const bridge = newBridge({
    socket: socketPathFor(paths),
    url,
    ...(gabp?.token === undefined ? {} : { token: gabp.token }),
  });
  const sockets = await openSockets({
    services: {
      calls,
      agents,
      attention: attention.port,
      onObservation: onObservation(parts),
      onToolsChanged: apps.onToolsChanged,
      onAppNews: apps.onNews,
      admin: createHostAdmin(context, parts, url, leave),
    },
    processes,
    makeCaller: demo === null ? createCallers({ processes }) : callersWith(demo, processes),
    service,
    token: bridge.token,
    version: VERSION,
    command,
    url,
    socketPath: bridge.socket,
    stdio,
    tcp,
    gabp: gabp ?? {},
    onStdioEnd: () => leave(message('host.stdio_ended')),
    log,
  });
  closers.add(sockets.close);
  await writeBridge(paths, bridge, { processes, tcpPort: sockets.tcpPort });
  closers.add(() => removeBridge(paths, bridge));
  // Before the socket closes, because its shim would look for another host.
  closers.add(() => demo?.close());
  return { tcpPort: sockets.tcpPort, socketPath: bridge.socket };
}

/** On the desktop that the host shows, and on those of agents' own. */
const onObservation =
  ({ toolDeps, ownDesktops }: Pick<HostParts, 'toolDeps' | 'ownDesktops'>): AgentServices['onObservation'] =>
  (listener) => {
    const stops = [toolDeps.observations.onEvent(listener), ownDesktops.onObservation(listener)];
    return () => stops.forEach((stop) => stop());
  };

function createHostAdmin(
  { options, opened, processes }: HostContext,
  parts: HostParts,
  url: string,
  leave: (reason: Message) => void,
): Admin {
  const { approvals, chat, pairingRequests, stopAgents, agents, person, status, names, health, apps } = parts;
  const { recorder, elsewhere } = parts;
  return createAdmin({
    url,
    desktop: { name: opened.name, display: opened.display, env: opened.env },
    status: status.now,
    names: names.list,
    health: health.now,
    headState: recorder.headState,
    policy: () => shownPolicy(approvals.policy()),
    cards: approvals.cards,
    questions: chat.pending,
    pairingLink: (askedBy) => pairingRequests.linkFor(askedBy, url),
    stopAgents,
    leave,
    background: options.background,
    deny: denyById(approvals),
    lineage: processes.lineage,
    agents,
    person,
    apps,
    elsewhere,
  });
}

export const IDLE_MS = 30 * 60_000;

interface IdleOptions {
  busy(): boolean;
  /** True when its folders were deleted, so that no client can find this host or its record. */
  gone(): boolean;
  idleMs: number;
  leave(reason: Message): void;
}

/** A host started by a shim exits when it was idle for a while, or when its folders are gone. */
export function watchIdle({ busy, gone, idleMs, leave }: IdleOptions): { close(): void } {
  let since = performance.now();
  const timer = setInterval(
    () => {
      const now = performance.now();
      if (gone()) leave(message('host.folder_gone'));
      else if (busy()) since = now;
      else if (now - since >= idleMs) leave(message('host.idle'));
    },
    Math.max(10, Math.min(idleMs / 4, 30_000)),
  );
  timer.unref();
  return { close: () => clearInterval(timer) };
}
