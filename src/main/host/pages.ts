import { controlForPages } from '../serve/page/agents.js';
import { approvalsForPages, settingsForPages, shellForPages } from '../serve/page/approvals.js';
import { createCardPictures } from '../serve/page/card-pictures.js';
import { createPageCover } from '../serve/page/cover.js';
import { createPages } from '../serve/page/index.js';
import { commandsForPages } from '../serve/page/kept-commands.js';
import { createLive } from '../serve/page/live.js';
import { createPressCheck } from '../serve/page/press-check.js';
import { servePages } from '../serve/page/server.js';
import type { HostParts } from './build.js';
import { openClients } from './clients-for-pages.js';
import type { Closers } from './closers.js';
import type { Setup } from './control.js';
import { openDemo, withDemo } from './demo-for-pages.js';
import { createDoctor } from './doctor.js';
import { readLastPort, writeLastPort } from './last-port.js';

export type ServedPages = Awaited<ReturnType<typeof openPages>>;

/** The web pages, from what they show to the port they are served on. */
export async function openPages(setup: Setup, parts: HostParts, closers: Closers) {
  const { options, opened, processes } = setup;
  const { agents, guard, pairing, recorder, status, health } = parts;
  const { shell, command, assets, port, paths, log } = options;
  const openBrowser = () => shell?.openInBrowser(`${guard.address()}/#pair=${pairing.issue('popover').code}`);
  const commands = commandsForPages(parts.toolDeps.shell);
  const demo = openDemo(options, parts, opened.name !== 'simulated');
  const pages = createPages({
    chat: parts.chat,
    approvals: openApprovals(setup, parts, closers),
    activity: { recent: recorder.recent, on: recorder.onRecorded },
    record: recorder.archive,
    settings: settingsForPages(opened.desktop, recorder),
    status: demo === null ? status : withDemo(status, demo),
    health,
    control: controlForPages(parts),
    live: openLive(setup, parts, closers),
    doctor: createDoctor({ ...options, health, now: () => new Date() }),
    pairing,
    commands,
    pairingRequests: parts.pairingRequests,
    ...openClients(options, status, closers),
    ...(demo === null ? {} : { demo }),
    ...(command === undefined ? {} : { command }),
    ...(shell === undefined ? {} : { shell: shellForPages(shell, openBrowser) }),
    agents: { descends: (client) => agents.includes(processes.lineage(client.pid)) },
    uid: process.getuid?.() ?? null,
    now: Date.now,
    log,
  });
  const http = await servePages({ assets, port, lastPort: readLastPort(paths.state), processes, agents, guard, pages });
  closers.add(http.close);
  await writeLastPort(paths.state, http.port);
  return { url: http.url, pages, commands, demo, openBrowser };
}

/** Cards with their pictures, and what has to be known before a press on Allow counts. */
function openApprovals({ options, opened, processes }: Setup, { approvals, imaging }: HostParts, closers: Closers) {
  const cover = createPageCover({ desktop: opened.desktop, processes, approvals, now: () => performance.now() });
  closers.add(cover.close);
  const pictures = createCardPictures(approvals, imaging);
  return approvalsForPages(approvals, pictures, createPressCheck(opened, processes, options), cover);
}

function openLive({ opened }: Setup, { guard, imaging, acts, health }: HostParts, closers: Closers) {
  const live = createLive({
    desktop: opened.desktop,
    protection: guard,
    imaging,
    acted: acts.windows,
    real: health.now()?.screen === 'real',
    now: () => new Date(),
  });
  closers.add(live.close);
  return live;
}
