import type { ExecutionFacts } from './audit-entries.js';
import { keptDirOf, type FileDigest } from './execution-folder.js';
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

interface FolderPart {
  dir: string;
  files: FileDigest[];
}

/** The folder in the workspace, and Chaperone's own where some files are kept there. */
export function partsOf(stateDir: string, { dir, files }: FolderPart): FolderPart[] {
  const kept = files.filter((file) => file.kept === true);
  const own = { dir, files: files.filter((file) => file.kept !== true) };
  return kept.length === 0 ? [own] : [own, { dir: keptDirOf(stateDir, dir), files: kept }];
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
