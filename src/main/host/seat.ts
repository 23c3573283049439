/** What runs the calls on one desktop: its pipeline, and what the tools need of it. */
import { createIsSame, forSameProgram } from '../agents/same-program.js';
import { digestOf, type Approvals, type Approver } from '../approvals/index.js';
import type { EvidenceRecorder, createImaging } from '../evidence/index.js';
import type { Chat } from '../chat/index.js';
import type { CallEvents } from '../pipeline/dependencies.js';
import { isControlEffect } from '../protocol/index.js';
import { AgentEdits } from '../pipeline/consequence/agent-edits.js';
import { maskedReader } from '../pipeline/masked.js';
import { NewWindows } from '../pipeline/compare.js';
import type { OwnFiles } from '../pipeline/own-files.js';
import { createProcessAge, type ProcessTable } from '../../native/peer/types.js';
import type { Protection } from '../pipeline/mask-rules.js';
import { createRunner } from '../pipeline/run.js';
import type { Macros, Sessions } from '../sessions/index.js';
import type { Closers, createClosers } from './closers.js';
import { systemScripts } from '../tools/commands/command-line.js';
import type { HostContext } from './control.js';
import type { Desk } from './desk.js';
import { createReferences } from '../pipeline/target/references.js';
import type { Executions } from '../pipeline/executions.js';
import type { Locks } from '../pipeline/locks.js';
import type { HandlerHolds } from '../pipeline/holds.js';
import type { DesktopReader } from '../../native/desktop.js';
import { createRecognizer, type Recognizer } from '../../native/ocr/index.js';
import { createCommandRunner, type SupervisorProgram, type CommandRunner } from '../../native/process/index.js';
import type { StartedCommands } from '../../native/peer/started-commands.js';
import { type ToolDeps, createStartedApps } from '../tools/tool.js';
import { createPager } from '../tools/paging.js';
import { createSnapshots } from '../tools/tree/snapshots.js';
import { createClipboardHistory, createObservations, type ObservationsOptions } from '../desktop/watch/index.js';
import { createImages, type ImageStore } from '../calls/images.js';
import { isExcludedApp } from '../approvals/policy.js';
import type { AgeOf } from '../pipeline/target/wait-until-started.js';
import type { Agents } from '../agents/index.js';
import type { AttentionBoard } from '../agents/attention.js';

/** What all desktops of a host share. */
export interface SharedParts {
  recorder: EvidenceRecorder;
  chat: Chat;
  guard: Protection;
  approvals: Approvals;
  agents: Agents;
  executions: Executions;
  imaging: ReturnType<typeof createImaging>;
  sessions: Sessions;
  macros: Macros;
  events: CallEvents;
  ownFiles: OwnFiles;
  /** A lock per agent: its acts run one after another, on whichever desktop. */
  turns: Locks;
}

export interface SeatParts {
  desk: Desk;
  attention: AttentionBoard;
  commandEnv: ToolDeps['commandEnv'];
  supervisor?: SupervisorProgram;
  /** Where it is an agent's own. */
  place?: 'own';
  /** Changes what needs a person on this desktop; left out: nothing. */
  approver?(approver: Approver): Approver;
  noteInjection(): void;
  waitWhilePressing(signal: AbortSignal): Promise<void>;
  /** Of another desktop, to share. */
  programs?: SharedPrograms;
}

export type Seat = ReturnType<typeof buildSeat>;

/** Everything opened here is registered with `closers`. */
export function buildSeat(context: HostContext, shared: SharedParts, parts: SeatParts, closers: Closers) {
  const { desktop } = parts.desk;
  const { guard: protection, imaging, approvals } = shared;
  const edits = new AgentEdits();
  closers.add(desktop.onPersonInput(edits.notePersonAct));
  const approver = approverOf(context, approvals);
  const { ownChanges, holds } = parts.desk;
  const runner = createRunner({
    ...{ desktop, ownChanges, holds },
    ...(parts.place === undefined ? {} : { place: parts.place }),
    approver: parts.approver?.(approver) ?? approver,
    recorder: shared.recorder,
    events: shared.events,
    chat: shared.chat,
    imaging,
    protection,
    excludedApps: approvals.excludedApps,
    executions: shared.executions,
    turns: shared.turns,
    ownFiles: shared.ownFiles,
    edits,
    assertClear: parts.attention.assertClear,
    noteInjection: parts.noteInjection,
    newWindows: new NewWindows(createProcessAge(context.processes)),
    waitWhilePressing: parts.waitWhilePressing,
    digest: digestOf,
    now: () => new Date(),
  });
  const masked = maskedReader(desktop, { protection, imaging, excludedApps: approvals.excludedApps });
  return { runner, toolDeps: buildToolDeps(context, shared, { ...parts, masked }, closers) };
}

const approverOf = ({ processes }: HostContext, approvals: Approvals): Approver =>
  forSameProgram(
    approvals,
    createIsSame(processes),
    (effect) => !isControlEffect(effect) && approvals.ruleFor(effect) === 'allow',
  );

function buildToolDeps(
  { options, processes, startedCommands, log }: HostContext,
  { approvals, agents, sessions, macros }: SharedParts,
  { desk, attention, commandEnv, supervisor, programs, masked }: SeatParts & { masked: DesktopReader },
  closers: Closers,
) {
  const { desktop, holds } = desk;
  return createToolDeps(
    {
      desktop: masked,
      real: desktop,
      commandEnv,
      ...(supervisor === undefined ? {} : { supervisor }),
      ...(programs === undefined ? {} : { programs }),
      scripting: options.scripting ?? systemScripts(),
      startedCommands,
      holds,
      sessions,
      macros,
      tasks: approvals.tasks,
      mayReadTitles: approvals.mayReadTitles,
      onPolicy: (listener) => approvals.onPolicy(listener),
      watching: observationDependencies({ desktop, processes, approvals, attention, agents, log }),
    },
    closers,
  );
}

/** Pictures that agents were given, text recognition and the runner of commands: not of a desktop. */
export interface SharedPrograms {
  images: ImageStore;
  recognizer: Recognizer;
  shell: CommandRunner;
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
  /** Of another desktop; left out: new ones. */
  programs?: SharedPrograms;
  startedCommands: Pick<StartedCommands, 'add'>;
  holds: HandlerHolds;
  sessions: Sessions;
  macros: Macros;
  tasks: ToolDeps['tasks'];
  mayReadTitles: ToolDeps['mayReadTitles'];
  watching: ObservationDependencies;
  /** Emits when the policy changes, as when an application is excluded. */
  onPolicy?(listener: () => void): () => void;
}

/** Dependencies of the tools, for the life of the host. Everything opened here is registered with `closers`. */
export function createToolDeps(
  { desktop, real, watching, onPolicy, supervisor, startedCommands, programs, ...passed }: ToolParts,
  closers: Pick<ReturnType<typeof createClosers>, 'add'>,
): ToolDeps & { images: ImageStore; shell: CommandRunner } {
  const references = createReferences();
  const observations = createObservations({ desktop, references, now: Date.now, ...watching });
  closers.add(() => observations.close());
  const { ageOf, excluded } = watching;
  const clipboard = createClipboardHistory({ desktop, real, excluded, now: () => new Date() });
  closers.add(() => clipboard.close());
  const pages = createPager();
  if (onPolicy !== undefined) closers.add(onPolicy(pages.forget));
  return {
    references,
    pages,
    snapshots: createSnapshots(),
    opened: createStartedApps(),
    ageOf,
    observations,
    clipboard,
    ...(programs ?? createPrograms({ supervisor, startedCommands }, closers)),
    desktop,
    ...passed,
  };
}

function createPrograms(
  { supervisor, startedCommands }: Pick<ToolParts, 'startedCommands'> & { supervisor: SupervisorProgram | undefined },
  closers: Pick<ReturnType<typeof createClosers>, 'add'>,
): SharedPrograms {
  const recognizer = createRecognizer();
  closers.add(() => recognizer.close());
  const shell = createCommandRunner({
    onStarted: startedCommands.add,
    ...(supervisor === undefined ? {} : { supervisor }),
  });
  closers.add(() => shell.close());
  return { images: createImages(), recognizer, shell };
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
