import { createReferences } from '../pipeline/target/references.js';
import type { HandlerHolds } from '../pipeline/holds.js';
import type { DesktopReader } from '../../native/desktop.js';
import { createRecognizer } from '../../native/ocr/index.js';
import { createCommandRunner, type SupervisorProgram, type CommandRunner } from '../../native/process/index.js';
import type { StartedCommands } from '../../native/peer/started-commands.js';
import type { Macros, Sessions } from '../sessions/index.js';
import type { ToolDeps } from '../tools/tool.js';
import { createStartedApps } from '../tools/applications/opened.js';
import { createPager } from '../tools/paging.js';
import { createSnapshots } from '../tools/tree/snapshots.js';
import { createClipboardHistory, createObservations } from '../desktop/watch/index.js';
import type { createClosers } from './closers.js';
import { createImages, type ImageStore } from '../calls/images.js';
import type { ObservationDependencies } from './observation-dependencies.js';

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
