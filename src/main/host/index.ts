/**
 * The composition root. Comes in: options. Goes out: a running host that serves agents over the socket and people over the page.
 * Called by `chaperone host` and by the menubar app. Everything opened here is closed here, in reverse.
 */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { auditTokenDigest, createProcessTable } from '../../native/peer/index.js';
import { boundedDesktop } from '../../native/bounded.js';
import { openDesktop } from '../../native/open.js';
import { VERSION } from '../protocol/version.js';
import type { Policy } from '../approvals/index.js';
import { createCallers } from '../agents/caller.js';
import { createCardPictures } from '../serve/page/card-pictures.js';
import { createClosers } from './closers.js';
import { commandsForPages } from '../serve/page/kept-commands.js';
import { callersWith, openDemo, withDemo } from './demo-for-pages.js';
import { openClients } from './clients-for-pages.js';
import { claimHost, newBridge, removeBridge, socketPathFor, writeBridge } from './discovery.js';
import { watchIdle } from './idle.js';
import { readLastPort, writeLastPort } from './last-port.js';
import type { Host, HostOptions } from './options.js';
import { createLive } from '../serve/page/live.js';
import { createPageCover } from '../serve/page/cover.js';
import { createPages } from '../serve/page/index.js';
import { approvalsForPages, settingsForPages, shellForPages } from '../serve/page/approvals.js';
import { servePages } from '../serve/page/server.js';
import { hostPolicy } from './policy.js';
import { createPressCheck } from '../serve/page/press-check.js';
import { buildRooms } from './build.js';
import { createDesk } from '../serve/menubar-app.js';
import { createDoctor } from './doctor.js';
import { controlForPages } from '../serve/page/agents.js';
import { openSockets } from '../serve/sockets.js';
import { formatEnglish, message, type Message } from '../../messages/index.js';

export type { Host, HostOptions } from './options.js';
export type { Desk, Shell } from '../serve/menubar-app.js';

const IDLE_MS = 30 * 60_000;

/** Rejects, with everything closed again, when a policy is invalid, another host runs, a port or folder cannot be had. */
export async function createHost(options: HostOptions): Promise<Host> {
  const closers = createClosers();
  try {
    return await open(options, closers);
  } catch (thrown) {
    await closers.close();
    throw thrown;
  }
}

async function open(options: HostOptions, closers: ReturnType<typeof createClosers>): Promise<Host> {
  const { paths, log } = options;
  const policy = hostPolicy(options);
  const lock = await claimHost(paths);
  closers.add(() => lock.release());
  await mkdir(paths.config, { recursive: true, mode: 0o700 });
  const processes = createProcessTable();
  const unbounded = await (options.openDesktop ?? openDesktop)({
    backend: options.backend,
    display: options.display,
    env: options.env,
    log,
    processes,
  });
  closers.add(() => unbounded.close());
  const opened = { ...unbounded, desktop: boundedDesktop(unbounded.desktop) };

  let url = '';
  let leave: (reason: string) => void = () => undefined;
  const ended = new Promise<string>((resolve) => {
    leave = resolve;
  });
  const rooms = await buildRooms(
    { options, policy, processes, opened, url: () => url, leave, auditTokenDigest },
    closers,
  );
  const { approvals, chat, recorder, pairing, status, health, agents, stopAgents, guard, observations } = rooms;

  approvals.onCard((event) => {
    if (event.kind === 'resolved' && event.late !== undefined)
      void recorder.recordDecision(event.executionId, event.late);
  });
  if (options.resetPairings === true) await rooms.pairingRequests.reset();
  const openBrowser = () => options.shell?.openInBrowser(`${url}/#pair=${pairing.issue('popover').code}`);
  const live = createLive({
    desktop: opened.desktop,
    protection: guard,
    imaging: rooms.imaging,
    acted: rooms.doings.windows,
    real: health.now()?.screen === 'real',
    now: () => new Date(),
  });
  closers.add(live.close);
  const commands = commandsForPages(rooms.commandRunner);
  const demo = openDemo(options, rooms, opened.name !== 'simulated');
  const cover = createPageCover({ desktop: opened.desktop, processes, approvals, now: () => performance.now() });
  closers.add(cover.close);
  const pages = createPages({
    chat,
    approvals: approvalsForPages(
      approvals,
      createCardPictures(approvals, rooms.imaging),
      createPressCheck(opened, processes, options),
      cover,
    ),
    activity: { recent: recorder.recent, on: recorder.onRecorded },
    record: recorder.archive,
    settings: settingsForPages(opened.desktop, recorder),
    status: demo === null ? status : withDemo(status, demo),
    health,
    control: controlForPages(rooms),
    live,
    doctor: createDoctor({ ...options, health, now: () => new Date() }),
    pairing,
    commands,
    pairingRequests: rooms.pairingRequests,
    ...openClients(options, status, closers),
    ...(demo === null ? {} : { demo }),
    ...(options.command === undefined ? {} : { command: options.command }),
    ...(options.shell === undefined ? {} : { shell: shellForPages(options.shell, openBrowser) }),
    agents: { descends: (client) => agents.includes(processes.lineage(client.pid)) },
    uid: process.getuid?.() ?? null,
    now: Date.now,
    log,
  });
  const http = await servePages({
    assets: options.assets,
    port: options.port,
    lastPort: readLastPort(paths.state),
    processes,
    agents,
    guard,
    pages,
  });
  closers.add(() => http.close());
  url = http.url;
  await writeLastPort(paths.state, http.port);

  const bridge = newBridge({ socket: socketPathFor(paths), url });
  const sockets = await openSockets({
    hub: rooms.hub,
    processes,
    makeCaller: demo === null ? createCallers({ processes }) : callersWith(demo, processes),
    token: bridge.token,
    version: VERSION,
    command: options.command,
    url: () => url,
    socketPath: bridge.socket,
    stdio: options.stdio,
    tcp: options.tcp,
    onStdioEnd: () => leave('its stdin has ended'),
    log,
  });
  closers.add(() => sockets.close());
  await writeBridge(paths, bridge, { processes, tcpPort: sockets.tcpPort });
  closers.add(() => removeBridge(paths, bridge));
  // Before the socket goes: its shim would look for another host.
  closers.add(() => demo?.close());

  if (options.background) {
    const busy = () =>
      agents.connections() +
        approvals.cards().length +
        chat.pending().length +
        observations.activeCount() +
        commands.kept().length +
        pages.count().paired +
        pages.count().unpaired >
      0;
    const gone = () => !existsSync(paths.state);
    const idle = watchIdle({ busy, gone, idleMs: options.idleMs ?? IDLE_MS, leave });
    closers.add(() => idle.close());
  }
  const desk = createDesk({
    ...rooms,
    acts: {
      stop: () => stopAgents('popover', 'popover'),
      pause: () => void approvals.pause({ on: true, by: 'popover', where: 'popover' }),
      resume: () => void approvals.pause({ on: false, by: 'popover', where: 'popover' }),
      deny: (message) => approvals.denyOpen({ by: 'host', message }),
      openBrowser,
      accept: pages.acceptPopover,
    },
    log: (thrown) => log.error({ err: thrown }, 'desk'),
  });
  return {
    url,
    desk,
    tcpPort: sockets.tcpPort,
    socketPath: bridge.socket,
    notes: [...(opened.note === null ? [] : [opened.note]), ...loudly(policy)].map(formatEnglish),
    desktopEnv: opened.env,
    pairingLink: () => `${url}/#pair=${pairing.issue('terminal').code}`,
    ended,
    close: closers.close,
  };
}

const loudly = ({ base }: Policy): Message[] => (base === 'unattended' ? [message('policy.unattended_warning')] : []);
