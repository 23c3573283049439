import { createReferences } from '../pipeline/target/references.js';
import type { HandHolds } from '../pipeline/holds.js';
import type { DesktopReader } from '../../native/desktop.js';
import { createRecognizer } from '../../native/ocr/index.js';
import { createCommandRunner } from '../../native/process/index.js';
import type { SupervisorProgram, CommandRunner } from '../../native/process/index.js';
import type { Macros, Sessions } from '../sessions/index.js';
import type { ToolDeps } from '../tools/common.js';
import { createOpened } from '../tools/applications/opened.js';
import { createPages } from '../tools/paging.js';
import { createSnapshots } from '../tools/tree/snapshots.js';
import { createClipboardHistory, createObservations } from '../desktop/watch/index.js';
import type { createClosers } from './closers.js';
import { createImages } from '../calls/images.js';
import type { ImageStore } from '../calls/images.js';
import type { WatchingParts } from './watch-dependencies.js';

export interface ToolParts {
  /** As agents may see it: masked. */
  desktop: DesktopReader;
  /** Unmasked, for what must know what agents may not see. */
  real: Pick<DesktopReader, 'frontmost'>;
  /** What commands start from. */
  commandEnv: ToolDeps['commandEnv'];
  /** What supervises commands; absent: the built program beside this one. */
  supervisor?: SupervisorProgram;
  holds: HandHolds;
  sessions: Sessions;
  macros: Macros;
  watching: WatchingParts;
  /** Told whenever the policy changes, as when an application is excluded. */
  onPolicy?(listener: () => void): () => void;
}

/** What the tools are lent, and lives as long as the host. What is opened here is given to `closers`. */
export function createToolDeps(
  { desktop, real, watching, onPolicy, supervisor, ...lent }: ToolParts,
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
  const pages = createPages();
  if (onPolicy !== undefined) closers.add(onPolicy(pages.forget));
  const shell = createCommandRunner(supervisor === undefined ? {} : { supervisor });
  closers.add(() => shell.close());
  return {
    references,
    images: createImages(),
    pages,
    snapshots: createSnapshots(),
    opened: createOpened(),
    recognizer,
    ageOf,
    observations,
    clipboard,
    shell,
    desktop,
    ...lent,
  };
}
