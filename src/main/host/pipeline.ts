import { join } from 'node:path';
import { createCurrentActs } from '../agents/current-acts.js';
import { createIsSame, forSameProgram } from '../agents/same-program.js';
import { digestOf, isFileManager } from '../approvals/index.js';
import { pauseLaneForPress } from '../approvals/lane-pause.js';
import { createImaging, type EvidenceRecorder } from '../evidence/index.js';
import type { Chat } from '../chat/index.js';
import { createCallEvents } from '../pipeline/events.js';
import { createLocks } from '../pipeline/locks.js';
import { isControlEffect } from '../pipeline/dependencies.js';
import { AgentEdits } from '../pipeline/consequence/agent-edits.js';
import { maskedReader } from '../pipeline/masked.js';
import { NewWindows } from '../pipeline/new-windows.js';
import { createOwnFiles } from '../pipeline/own-files.js';
import { createProcessAge } from '../../native/peer/age.js';
import type { Protection } from '../pipeline/ports.js';
import { createRunner } from '../pipeline/run.js';
import { createMacros, createSessions } from '../sessions/index.js';
import type { Closers } from './closers.js';
import { commandDependencies } from '../tools/commands/environment.js';
import { systemScripts } from '../tools/commands/script-programs.js';
import type { HostControl, HostContext } from './control.js';
import { createToolDeps } from './tool-dependencies.js';
import { observationDependencies } from './observation-dependencies.js';

export interface PipelineParts {
  control: HostControl;
  recorder: EvidenceRecorder;
  chat: Chat;
  guard: Protection;
}

export type HostPipeline = ReturnType<typeof buildPipeline>;

/** Builds the pipeline, its events and the tools' dependencies. */
export function buildPipeline(
  context: HostContext,
  { control, recorder, chat, guard }: PipelineParts,
  closers: Closers,
) {
  const { paths } = context.options;
  const { approvals, attention, executions, lane, holds, desktop } = control;
  const imaging = createImaging();
  const sessions = createSessions({
    now: Date.now,
    grantLabel: (id) => approvals.grants().find((grant) => grant.id === id)?.label ?? null,
  });
  const events = createCallEvents(context.log);
  events.on((event) => {
    if (event.kind === 'ended') sessions.ended(event.call);
  });
  const acts = createCurrentActs(executions, events, context.log);
  closers.add(acts.close);
  const pressing = pauseLaneForPress(lane, approvals);
  closers.add(pressing.close);
  const ownFiles = createOwnFiles([paths.config, paths.state, paths.runtime], isFileManager);
  const edits = new AgentEdits();
  closers.add(desktop.onPersonInput(edits.notePersonAct));
  const runner = createRunner({
    desktop,
    approver: forSameProgram(
      approvals,
      createIsSame(context.processes),
      (effect) => !isControlEffect(effect) && approvals.ruleFor(effect) === 'allow',
    ),
    recorder,
    events,
    chat,
    imaging,
    protection: guard,
    excludedApps: approvals.excludedApps,
    executions,
    turns: createLocks(context.log),
    holds,
    ownFiles,
    edits,
    assertClear: attention.assertClear,
    noteInjection: () => approvals.injected('agent'),
    ownChanges: control.ownChanges,
    newWindows: new NewWindows(createProcessAge(context.processes)),
    waitWhilePressing: pressing.untilResumed,
    digest: digestOf,
    now: () => new Date(),
  });
  const masked = maskedReader(desktop, { protection: guard, imaging, excludedApps: approvals.excludedApps });
  const toolDeps = buildToolDeps(context, { ...control, masked, sessions }, closers);
  return { runner, events, acts, imaging, sessions, toolDeps, ownFiles };
}

type ToolSources = HostControl & {
  masked: ReturnType<typeof maskedReader>;
  sessions: ReturnType<typeof createSessions>;
};

function buildToolDeps(
  { options, opened, processes, startedCommands, log }: HostContext,
  sources: ToolSources,
  closers: Closers,
) {
  const { desktop, approvals, attention, agents, holds, sessions } = sources;
  const macros = createMacros({
    file: join(options.paths.state, 'macros.json'),
    now: Date.now,
    log: (message, thrown) => options.log.error({ err: thrown }, message),
  });
  return createToolDeps(
    {
      desktop: sources.masked,
      real: desktop,
      ...commandDependencies(options, opened.env),
      scripting: options.scripting ?? systemScripts(),
      startedCommands,
      holds,
      sessions,
      macros,
      onPolicy: (listener) => approvals.onPolicy(listener),
      watching: observationDependencies({ desktop, processes, approvals, attention, agents, log }),
    },
    closers,
  );
}
