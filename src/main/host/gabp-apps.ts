import { dirname } from 'node:path';
import { processAgent, unknownPeer } from '../agents/caller.js';
import type { EvidenceRecorder } from '../evidence/index.js';
import { createGabpApps, realTime } from '../gabp/index.js';
import { assertNoOwnFile } from '../pipeline/own-files.js';
import type { Caller } from '../pipeline/ports.js';
import { RESUME_TOOL } from '../protocol/resume-tool.js';
import { VERSION } from '../protocol/version.js';
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
  return { tools, apps, startAll: () => apps.startAll(hostCaller(processes.lookup(process.pid))) };
}

/** Asks in the host's own name, where an application is to start with it. */
function hostCaller(self: Caller['peer'] | null): Caller {
  const peer = self ?? unknownPeer('host');
  return { agent: processAgent(peer), peer, connectionId: 'host', protocol: 'gabp' };
}
