import { readLines } from './read-lines.js';
import type { KnownFolder } from './recorded-folders.js';
import type { ActivityRow } from './row-format.js';

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
  return { execution, dir: execution.dir, state, files: state === 'deleted' ? [] : files, damage: [] };
}
