import { createCardPictures } from '../serve/page/approvals.js';
import { createPageCover } from '../serve/page/page-cover.js';
import { createPages } from '../serve/page/index.js';
import { createLiveFrames } from '../serve/page/live-frames.js';
import { createPressCheck } from '../serve/page/press-check.js';
import { NO_PRESSES_ASKED, watchPresses } from '../serve/page/seen-presses.js';
import { servePages } from '../serve/page/server.js';
import type { HostParts } from './build.js';
import type { Closers, createClosers } from './closers.js';
import type { HostContext } from './control.js';
import { openDemo, withDemo } from './demo-runner.js';
import { createDoctor } from './doctor.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { homedir } from 'node:os';
import type { Logger } from 'pino';
import type { HostOptions } from './options.js';
import { CLIENT_IDS, type ClientId } from '../protocol/index.js';
import type { ClientSetup } from '../serve/page/programs.js';
import {
  register,
  unregister,
  withChaperoneHome,
  inspectClient,
  hasOwnDesktops,
  SetupRefused,
  type Launcher,
  type UserEnvironment,
} from '../setup/index.js';
import {
  watchClientConnections,
  type ClientConnections,
  type ClientConnectionsOptions,
} from '../setup/client-connections.js';

export type ServedPages = Awaited<ReturnType<typeof openPages>>;

/** Builds the page server with everything that pages show. */
export async function openPages(context: HostContext, parts: HostParts, closers: Closers) {
  const { options, opened, processes } = context;
  const { agents, guard, pairing, recorder, status, health } = parts;
  const { menubarApp, command, assets, port, paths, log } = options;
  const openBrowser = () => menubarApp?.openInBrowser(`${guard.address()}/#pair=${pairing.issue('popover').code}`);
  const keptCommands = parts.toolDeps.shell.background;
  const demo = openDemo(options, parts, opened.name !== 'simulated');
  const pages = createPages({
    agents,
    approvals: parts.approvals,
    archive: recorder.archive,
    cardPicture: createCardPictures(parts.approvals, parts.imaging),
    chat: parts.chat,
    cover: openCover(context, parts, closers),
    desktop: opened.desktop,
    doctor: createDoctor({ ...options, health, now: () => new Date() }),
    executions: parts.executions,
    gabpApps: parts.pageApps,
    health,
    keptCommands,
    names: parts.names,
    live: openLive(context, parts, closers),
    openBrowser,
    ownDesktops: parts.ownDesktops.control,
    pairing,
    pairingRequests: parts.pairingRequests,
    pressCheck: createPressCheck(opened, processes, options),
    seenPresses: openSeenPresses(context, closers),
    recorder,
    status: demo === null ? status : withDemo(status, demo),
    stopAgents: parts.stopAgents,
    ...buildClientSetup(options, status, closers),
    ...(demo === null ? {} : { demo }),
    ...(command === undefined ? {} : { command }),
    ...(menubarApp === undefined ? {} : { menubarApp }),
    viewers: parts.viewers,
    uid: process.getuid?.() ?? null,
    now: Date.now,
    log,
  });
  const http = await servePages({
    assets,
    port,
    lastPort: readLastPort(paths.state),
    processes,
    person: parts.person,
    guard,
    pages,
  });
  closers.add(http.close);
  await writeLastPort(paths.state, http.port);
  return { url: http.url, pages, keptCommands, demo, openBrowser };
}

function openCover({ opened, processes }: HostContext, { approvals }: HostParts, closers: Closers) {
  const cover = createPageCover({ desktop: opened.desktop, processes, approvals, now: () => performance.now() });
  closers.add(cover.close);
  return cover;
}

/** Where programs may press Allow, nobody has to have pressed. */
function openSeenPresses({ options, opened, processes }: HostContext, closers: Closers) {
  if (options.acceptSyntheticInput === true) return NO_PRESSES_ASKED;
  const presses = watchPresses({ desktop: opened.desktop, processes, now: () => performance.now() });
  closers.add(presses.close);
  return presses;
}

function openLive({ opened }: HostContext, { guard, imaging, acts, health }: HostParts, closers: Closers) {
  const live = createLiveFrames({
    desktop: opened.desktop,
    protection: guard,
    imaging,
    actedWindows: acts.windows,
    onlySingle: health.now()?.screen === 'real',
    now: () => new Date(),
  });
  closers.add(live.close);
  return live;
}

const fileIn = (state: string) => join(state, 'port');

/** Tries the last used port first, so that an open page finds its host again. */
function readLastPort(state: string): number | undefined {
  try {
    const port = Number(readFileSync(fileIn(state), 'utf8'));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
  } catch {
    return undefined;
  }
}

async function writeLastPort(state: string, port: number): Promise<void> {
  await writeFileAtomic(fileIn(state), String(port), { mode: 0o600 });
}

interface ClientSetupOptions {
  launcher: Launcher;
  machine: UserEnvironment;
  seen: ClientConnections;
  log: Logger;
}

/** null where the shim's command is unknown, or an agent chose the folders of this host. */
function buildClientSetup(
  { launcher, narrow, paths, env, log, supervisor }: HostOptions,
  status: ClientConnectionsOptions['status'],
  closers: ReturnType<typeof createClosers>,
): { clients?: ClientSetup } {
  if (launcher === undefined || narrow) return {};
  const seen = watchClientConnections({
    file: join(paths.state, 'clients.json'),
    status,
    now: () => new Date(),
    log: (thrown) => log.error({ err: thrown }, 'when clients were seen could not be kept'),
  });
  closers.add(seen.close);
  const machine: UserEnvironment = {
    platform: process.platform,
    home: env['HOME'] ?? homedir(),
    env,
    ...(supervisor === undefined ? {} : { supervisor }),
  };
  return { clients: createClientSetup({ launcher: withChaperoneHome(launcher, env), machine, seen, log }) };
}

/** Sets clients up for the person, never in a project; one at a time. */
export function createClientSetup({ launcher, machine, seen, log }: ClientSetupOptions): ClientSetup {
  let last: Promise<unknown> = Promise.resolve();
  const optionsFor = (client: ClientId) => ({ client, launcher, machine, scope: 'user' as const, cwd: machine.home });

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  }

  return {
    ownDesktops: () => hasOwnDesktops(machine),
    list: () =>
      Promise.all(
        CLIENT_IDS.map(async (id) => ({
          id,
          ...(await inspectClient(optionsFor(id))),
          connected: seen.connected(id),
          lastSeen: seen.lastSeen(id),
        })),
      ),
    setUp: ({ client, remove, desktop }, person, signal) =>
      inTurn(async () => {
        signal.throwIfAborted();
        try {
          const result = await (remove ? unregister : register)({ ...optionsFor(client), desktop });
          log.info({ client, remove, by: person.by, ...result }, 'a client was set up from the page');
          return result;
        } catch (error) {
          if (!(error instanceof SetupRefused)) throw error;
          return { ok: false, code: error.code, message: error.text };
        }
      }),
  };
}
