import { message, type Message } from '../../messages/index.js';
import { createCallers } from '../agents/caller.js';
import { shownPolicy } from '../approvals/index.js';
import { denyById } from '../approvals/deny-card.js';
import { VERSION } from '../protocol/version.js';
import { createAdmin, type Admin } from '../serve/admin.js';
import { openSockets } from '../serve/sockets.js';
import type { HostParts } from './build.js';
import type { Closers } from './closers.js';
import type { HostContext } from './control.js';
import { callersWith } from './demo-runner.js';
import { newBridge, removeBridge, socketPathFor, writeBridge } from './discovery.js';
import type { ServedPages } from './pages.js';

/** The sockets for agents and scripts, and the bridge file that names them. */
export async function openAgentSockets(
  context: HostContext,
  parts: HostParts,
  { url, demo }: Pick<ServedPages, 'url' | 'demo'>,
  leave: (reason: Message) => void,
  closers: Closers,
) {
  const { options, processes, service } = context;
  const { paths, command, stdio, tcp, gabp, log } = options;
  const { calls, agents, attention, toolDeps, apps } = parts;
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
      onObservation: toolDeps.observations.onEvent,
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

function createHostAdmin(
  { options, opened, processes }: HostContext,
  parts: HostParts,
  url: string,
  leave: (reason: Message) => void,
): Admin {
  const { approvals, chat, pairingRequests, stopAgents, agents, person, status, health, apps } = parts;
  const { recorder, elsewhere } = parts;
  return createAdmin({
    url,
    desktop: { name: opened.name, display: opened.display, env: opened.env },
    status: status.now,
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
