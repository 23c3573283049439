import { join } from 'node:path';
import { createCurrentActs } from '../agents/current-acts.js';
import { createIsSame, forSameProgram } from '../agents/same-program.js';
import { digestOf, isFileManager, type Approvals } from '../approvals/index.js';
import { pauseLaneForPress } from '../pipeline/lane-pause.js';
import { createImaging, type EvidenceRecorder } from '../evidence/index.js';
import type { Chat } from '../chat/index.js';
import { createCallEvents } from '../pipeline/events.js';
import { createLocks } from '../pipeline/locks.js';
import { isControlEffect } from '../protocol/index.js';
import { AgentEdits } from '../pipeline/consequence/agent-edits.js';
import { maskedReader } from '../pipeline/masked.js';
import { NewWindows } from '../pipeline/new-windows.js';
import { createOwnFiles } from '../pipeline/own-files.js';
import { createProcessAge } from '../../native/peer/age.js';
import type { Protection } from '../pipeline/protection.js';
import { createRunner } from '../pipeline/run.js';
import { createMacros, createSessions, type Macros, type Sessions } from '../sessions/index.js';
import type { Closers, createClosers } from './closers.js';
import { commandDependencies } from '../tools/commands/environment.js';
import { systemScripts } from '../tools/commands/script-programs.js';
import type { HostControl, HostContext } from './control.js';
import { createReferences } from '../pipeline/target/references.js';
import type { HandlerHolds } from '../pipeline/holds.js';
import type { DesktopReader } from '../../native/desktop.js';
import { createRecognizer } from '../../native/ocr/index.js';
import { createCommandRunner, type SupervisorProgram, type CommandRunner } from '../../native/process/index.js';
import type { StartedCommands } from '../../native/peer/started-commands.js';
import type { ToolDeps } from '../tools/tool.js';
import { createStartedApps } from '../tools/applications/opened.js';
import { createPager } from '../tools/paging.js';
import { createSnapshots } from '../tools/tree/snapshots.js';
import { createClipboardHistory, createObservations, type ObservationsOptions } from '../desktop/watch/index.js';
import { createImages, type ImageStore } from '../calls/images.js';
import { isExcludedApp } from '../approvals/excluded-apps.js';
import type { AgeOf } from '../pipeline/target/wait-until-started.js';
import type { ProcessTable } from '../../native/peer/types.js';
import type { Agents } from '../agents/index.js';
import type { AttentionBoard } from '../agents/attention.js';

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

interface ToolParts {
  /** The masked desktop. */
  desktop: DesktopReader;
  /** The unmasked desktop, for what must know hidden windows. */
  real: Pick<DesktopReader, 'frontmost'>;
  /** Environments of commands. */
  commandEnv: ToolDeps['commandEnv'];
  scripting: ToolDeps['scripting'];
  /** Supervisor program for commands; by default the one next to this program. */
  supervisor?: SupervisorProgram;
  startedCommands: Pick<StartedCommands, 'add'>;
  holds: HandlerHolds;
  sessions: Sessions;
  macros: Macros;
  watching: ObservationDependencies;
  /** Emits when the policy changes, as when an application is excluded. */
  onPolicy?(listener: () => void): () => void;
}

/** Dependencies of the tools, for the life of the host. Everything opened here is registered with `closers`. */
export function createToolDeps(
  { desktop, real, watching, onPolicy, supervisor, startedCommands, ...passed }: ToolParts,
  closers: Pick<ReturnType<typeof createClosers>, 'add'>,
): ToolDeps & { images: ImageStore; shell: CommandRunner } {
  const references = createReferences();
  const recognizer = createRecognizer();
  closers.add(() => recognizer.close());
  const observations = createObservations({ desktop, references, now: Date.now, ...watching });
  closers.add(() => observations.close());
  const { ageOf, excluded } = watching;
  const clipboard = createClipboardHistory({ desktop, real, excluded, now: () => new Date() });
  closers.add(() => clipboard.close());
  const pages = createPager();
  if (onPolicy !== undefined) closers.add(onPolicy(pages.forget));
  const shell = createCommandRunner({
    onStarted: startedCommands.add,
    ...(supervisor === undefined ? {} : { supervisor }),
  });
  closers.add(() => shell.close());
  return {
    references,
    images: createImages(),
    pages,
    snapshots: createSnapshots(),
    opened: createStartedApps(),
    recognizer,
    ageOf,
    observations,
    clipboard,
    shell,
    desktop,
    ...passed,
  };
}

export type ObservationDependencies = Omit<ObservationsOptions, 'desktop' | 'references' | 'now'> & { ageOf: AgeOf };

interface WatchSources {
  /** Unmasked; used only to check whether a reported window still exists. */
  desktop: DesktopReader;
  processes: Pick<ProcessTable, 'lookup'>;
  approvals: Pick<Approvals, 'policy'>;
  attention: AttentionBoard;
  agents: Pick<Agents, 'has'>;
  log(thrown: unknown): void;
}

/** What observations need from the rest of the host. */
function observationDependencies({
  desktop,
  processes,
  approvals,
  attention,
  agents,
  log,
}: WatchSources): ObservationDependencies {
  return {
    allWindows: async (signal) => new Map((await desktop.windows(signal)).map(({ id, app }) => [id, app.pid])),
    ageOf: createProcessAge(processes),
    isRunning: ({ pid, startTime }) => processes.lookup(pid)?.startTime === startTime,
    excluded: (app) => isExcludedApp(approvals.policy().excludedApps, app),
    suspendedReason: () => attention.port.current()?.summary ?? null,
    isConnected: agents.has,
    log,
  };
}
