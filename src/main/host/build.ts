import { join } from 'node:path';
import { createChat } from '../chat/index.js';
import { createRecorder } from '../evidence/index.js';
import { Stopped } from '../pipeline/failures.js';
import { createPageGuard } from '../serve/page/page-guard.js';
import { buildCalls } from './calls.js';
import type { Closers } from './closers.js';
import { buildGabpApps } from './gabp-apps.js';
import { buildControl, endForwardedGrants, releaseHeldInput, type HostContext } from './control.js';
import { buildPairing } from './pairing.js';
import { buildPipeline } from './pipeline.js';
import { buildWatches } from './watches.js';
import { message } from '../../messages/index.js';

export type HostParts = Awaited<ReturnType<typeof buildHost>>;

/** Builds everything up to the calls, in the order of dependencies. */
export async function buildHost(context: HostContext, closers: Closers) {
  const { options, processes, startedCommands, log } = context;
  const { recorder, chat } = await openRecords(context, closers);
  const control = buildControl(context, closers);
  const { agents, approvals, executions } = control;
  closers.add(approvals.onPolicy(({ evidence }) => recorder.setRetention(evidence)));
  closers.add(
    approvals.onCard((event) => {
      if (event.kind === 'resolved' && event.late !== undefined)
        void recorder.recordDecision(event.executionId, event.late);
    }),
  );
  const pairing = buildPairing({ options, processes, startedCommands, agents, approvals, recorder, log });
  const guard = createPageGuard({ processes, unspentLink: pairing.pairing.unspent, ownPid: process.pid });
  const parts = { control, recorder, chat, guard };
  const pipeline = buildPipeline(context, parts, closers);
  releaseHeldInput(control, log, closers);
  endForwardedGrants(control, closers);
  const watches = await buildWatches(context, parts, pipeline, closers);
  const apps = buildGabpApps(context, control, pipeline, recorder, closers);
  const calls = await buildCalls(context, parts, pipeline, apps);
  closers.add(() => executions.stop(new Stopped('closing', message('stopped.host_ending'))));
  return {
    ...control,
    ...pairing,
    ...pipeline,
    ...watches,
    recorder,
    chat,
    guard,
    calls,
    apps: apps.apps,
    pageApps: apps.pageApps,
    startApps: apps.startAll,
  };
}

async function openRecords({ options: { paths, workspaceRoot, log, headKey }, policy }: HostContext, closers: Closers) {
  const recorder = await createRecorder({
    stateDir: paths.state,
    workspaceRoot,
    now: () => new Date(),
    log,
    retention: policy.evidence,
    ...(headKey === undefined ? {} : { headKey }),
  });
  closers.add(recorder.close);
  const chat = await createChat({ file: join(paths.state, 'chat.jsonl'), now: Date.now, log });
  closers.add(chat.close);
  return { recorder, chat };
}
