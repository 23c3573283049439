import { dirname } from 'node:path';
import type { ProcessIdentity } from '../../native/peer/types.js';
import { personAgent, processAgent, unknownPeer } from '../agents/caller.js';
import type { EvidenceRecorder } from '../evidence/index.js';
import { createGabpApps, realTime, type GabpApps } from '../gabp/index.js';
import { assertNoOwnFile } from '../pipeline/own-files.js';
import type { Caller } from '../pipeline/ports.js';
import { RESUME_TOOL } from '../protocol/resume-tool.js';
import { VERSION } from '../protocol/version.js';
import type { PageApps } from '../serve/page/gabp-apps.js';
import { allTools } from '../tools/index.js';
import type { Closers } from './closers.js';
import type { HostContext, HostControl } from './control.js';
import { socketPathFor } from './discovery.js';
import type { HostPipeline } from './pipeline.js';

export type HostApps = ReturnType<typeof buildGabpApps>;

/** The tools of this program, and the applications that add theirs. */
export function buildGabpApps(
  { options, processes, log }: HostContext,
  { approvals }: HostControl,
  { toolDeps, ownFiles }: HostPipeline,
  recorder: Pick<EvidenceRecorder, 'recordApplication'>,
  closers: Closers,
) {
  const tools = allTools(toolDeps);
  const { paths, supervisor, narrow } = options;
  const apps = createGabpApps({
    ...realTime,
    version: VERSION,
    env: toolDeps.commandEnv.desktop,
    folders: { config: paths.config, state: paths.state, sockets: dirname(socketPathFor(paths)) },
    processes,
    supervisor,
    askPerson: approvals.askPerson,
    narrow,
    reserved: new Set([RESUME_TOOL, ...tools.map(({ action }) => action.name)]),
    assertNoOwnFile: (given) => assertNoOwnFile(ownFiles, given),
    record: recorder.recordApplication,
    onError: log,
  });
  closers.add(apps.close);
  const own = () => processes.lookup(process.pid);
  const host = (): Caller => callerOf(own() ?? unknownPeer('host'), 'host');
  const person = (page: ProcessIdentity | null): Caller => personAt(page ?? own() ?? unknownPeer('page'));
  return { tools, apps, pageApps: appsOfPages(apps, person), startAll: () => apps.startAll(host()) };
}

/** A paired page is the person: they confirm only what they have not confirmed yet. */
function appsOfPages(apps: GabpApps, callerFor: (page: ProcessIdentity | null) => Caller): PageApps {
  return {
    ...apps,
    start: (name, by, signal) => apps.start(name, { caller: callerFor(by), always: false }, signal),
    stop: (name, by) => apps.stop(name, callerFor(by)),
  };
}

/** Who asks for an application to be started: no agent, but the host at its start, or the person. */
const callerOf = (peer: ProcessIdentity, connectionId: string): Caller => ({
  agent: processAgent(peer),
  peer,
  connectionId,
  protocol: 'gabp',
});
const personAt = (peer: ProcessIdentity): Caller => ({ ...callerOf(peer, 'page'), agent: personAgent(peer) });
