import type { ExecutionFacts } from './audit-entries.js';
import type { FileDigest } from './execution-folder.js';
import { readLines } from './read-lines.js';
import type { ActivityRow } from './row-format.js';

/** An evidence folder that the log lists. */
export interface KnownFolder {
  execution: ExecutionFacts;
  dir: string;
  state: 'open' | 'ended' | 'abandoned' | 'deleted';
  /** As last recorded: at the start of the act, then at its end. */
  files: FileDigest[];
}

/** The folder of an execution that ended, as its lines tell; null where it has none, or a line can no longer be read. */
export async function readFolder(stateDir: string, row: ActivityRow): Promise<KnownFolder | null> {
  if (!row.hasFolder) return null;
  const [entry, started] = await readLines(stateDir, row.startedLine === null ? [row] : [row, row.startedLine]);
  if (entry?.kind !== 'ended' && entry?.kind !== 'abandoned') return null;
  const { execution } = entry;
  if (execution.executionId !== row.executionId || execution.dir === null) return null;
  const ended = entry.kind === 'ended';
  const files = ended ? entry.files : started?.kind === 'started' ? started.files : [];
  const state = row.deleted !== null ? 'deleted' : ended ? 'ended' : 'abandoned';
  return { execution, dir: execution.dir, state, files: state === 'deleted' ? [] : files };
}
