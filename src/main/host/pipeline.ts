import { join } from 'node:path';
import { isFileManager } from '../approvals/index.js';
import { pauseLaneForPress, createLocks } from '../pipeline/locks.js';
import { createImaging, type EvidenceRecorder } from '../evidence/index.js';
import type { Chat } from '../chat/index.js';
import { createCallEvents } from '../pipeline/dependencies.js';
import { createOwnFiles } from '../pipeline/own-files.js';
import type { Protection } from '../pipeline/mask-rules.js';
import { createMacros, createSessions } from '../sessions/index.js';
import type { Closers } from './closers.js';
import { commandDependencies } from '../tools/commands/environment.js';
import type { HostControl, HostContext } from './control.js';
import { buildSeat, type SharedParts } from './seat.js';

export interface PipelineParts {
  control: HostControl;
  recorder: EvidenceRecorder;
  chat: Chat;
  guard: Protection;
}

export type HostPipeline = ReturnType<typeof buildPipeline>;

/** Builds the pipeline of the host's desktop, and what it shares with those of agents' own. */
export function buildPipeline(context: HostContext, parts: PipelineParts, closers: Closers) {
  const { attention, approvals, lane, ...control } = parts.control;
  const shared = buildShared(context, parts);
  const { executions: acts } = shared;
  closers.add(shared.events.on(acts.follow));
  const pressing = pauseLaneForPress(lane, approvals);
  closers.add(pressing.close);
  const seat = buildSeat(
    context,
    shared,
    {
      desk: { ...control, lane },
      attention,
      ...commandDependencies(context.options, context.opened.env),
      noteInjection: () => approvals.injected('agent'),
      waitWhilePressing: pressing.untilResumed,
    },
    closers,
  );
  const { events, imaging, sessions, ownFiles } = shared;
  return { ...seat, shared, events, acts, imaging, sessions, ownFiles };
}

function buildShared({ options, log }: HostContext, { control, ...records }: PipelineParts): SharedParts {
  const { paths } = options;
  const { approvals, agents, executions } = control;
  const sessions = createSessions({
    now: Date.now,
    grantLabel: (id) => approvals.grants().find((grant) => grant.id === id)?.label ?? null,
  });
  const events = createCallEvents(log);
  events.on((event) => {
    if (event.kind === 'ended') sessions.ended(event.call);
  });
  const macros = createMacros({
    file: join(paths.state, 'macros.json'),
    now: Date.now,
    log: (message, thrown) => options.log.error({ err: thrown }, message),
  });
  return {
    ...records,
    ...{ approvals, agents, executions, sessions, macros, events },
    imaging: createImaging(),
    ownFiles: createOwnFiles([paths.config, paths.state, paths.runtime], isFileManager),
    turns: createLocks(log),
  };
}
