import { createCardPictures } from '../serve/page/card-pictures.js';
import { createPageCover } from '../serve/page/page-cover.js';
import { createPages } from '../serve/page/index.js';
import { createLiveFrames } from '../serve/page/live-frames.js';
import { createPressCheck } from '../serve/page/press-check.js';
import { NO_PRESSES_ASKED, watchPresses } from '../serve/page/seen-presses.js';
import { servePages } from '../serve/page/server.js';
import type { HostParts } from './build.js';
import { buildClientSetup } from './client-setup.js';
import type { Closers } from './closers.js';
import type { HostContext } from './control.js';
import { openDemo, withDemo } from './demo-runner.js';
import { createDoctor } from './doctor.js';
import { readLastPort, writeLastPort } from './last-port.js';

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
    live: openLive(context, parts, closers),
    openBrowser,
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
