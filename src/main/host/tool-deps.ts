import { createReferences } from '../action/context/references.js';
import type { HandHolds } from '../action/holds.js';
import type { Desktop } from '../../native/desktop.js';
import { createRecognizer } from '../../native/ocr/index.js';
import type { Macros, Sessions } from '../sessions/index.js';
import type { ToolDeps } from '../tools/common.js';
import { createOpened } from '../tools/opened.js';
import { createPages } from '../tools/paging.js';
import { createSnapshots } from '../tools/tree-snapshots.js';
import { createObservations } from '../watching/index.js';
import type { createClosers } from './closers.js';
import { createImages } from './images.js';
import type { ImageStore } from './images.js';
import type { WatchingParts } from './watching.js';

export interface ToolParts {
  /** As agents may see it: masked. */
  desktop: Desktop;
  holds: HandHolds;
  sessions: Sessions;
  macros: Macros;
  watching: WatchingParts;
}

/** What the tools are lent, and lives as long as the host. What is opened here is given to `closers`. */
export function createToolDeps(
  { desktop, watching, ...lent }: ToolParts,
  closers: Pick<ReturnType<typeof createClosers>, 'add'>,
): ToolDeps & { images: ImageStore } {
  const references = createReferences();
  const recognizer = createRecognizer();
  closers.add(() => recognizer.close());
  const observations = createObservations({ desktop, references, now: Date.now, ...watching });
  closers.add(() => observations.close());
  return {
    references,
    images: createImages(),
    pages: createPages(),
    snapshots: createSnapshots(),
    opened: createOpened(),
    recognizer,
    observations,
    desktop,
    ...lent,
  };
}
