import { createReferences } from '../action/context/references.js';
import type { HandHolds } from '../action/holds.js';
import type { Desktop } from '../../native/desktop.js';
import { createRecognizer } from '../../native/ocr/index.js';
import type { Macros, Sessions } from '../sessions/index.js';
import type { ToolDeps } from '../tools/common.js';
import { createOpened } from '../tools/opened.js';
import { createPages } from '../tools/paging.js';
import type { createClosers } from './closers.js';
import { createImages } from './images.js';
import type { ImageStore } from './images.js';

export interface ToolParts {
  /** As agents may see it: masked. */
  desktop: Desktop;
  holds: HandHolds;
  sessions: Sessions;
  macros: Macros;
}

/** What the tools are lent, and lives as long as the host. What is opened here is given to `closers`. */
export function createToolDeps(
  { desktop, ...lent }: ToolParts,
  closers: Pick<ReturnType<typeof createClosers>, 'add'>,
): ToolDeps & { images: ImageStore } {
  const recognizer = createRecognizer();
  closers.add(() => recognizer.close());
  return { references: createReferences(), images: createImages(), pages: createPages(), recognizer, desktop, ...lent };
}
