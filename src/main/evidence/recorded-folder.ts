import type { Activity } from '../protocol/index.js';
import { activityFrom, withDecision } from './activities.js';
import type { AuditEntry, DecidedEntry, ExecutionFacts } from './audit-entries.js';
import { keptDirOf, type FileDigest } from './execution-folder.js';
import { readLines } from './read-lines.js';
import type { ActivityRow } from './index-row.js';

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
  // What decides when it is deleted is not taken from the index.
  if (Date.parse(execution.since) !== row.since) return null;
  const ended = entry.kind === 'ended';
  const files = ended ? entry.files : started?.kind === 'started' ? started.files : [];
  const state = row.deleted !== null ? 'deleted' : ended ? 'ended' : 'abandoned';
  return { execution, dir: execution.dir, state, files: state === 'deleted' ? [] : files };
}

interface ReadRow {
  entry: AuditEntry | null;
  decision: DecidedEntry['decision'] | null;
  /** null for a row whose line can no longer be read. Without its thumbnail. */
  activity: Activity | null;
}

export async function readActivities(stateDir: string, rows: readonly ActivityRow[]): Promise<ReadRow[]> {
  const places = rows.flatMap((row) => (row.decidedLine === null ? [row] : [row, row.decidedLine]));
  const read = await readLines(stateDir, places);
  let at = 0;
  return rows.map((row) => {
    const entry = read[at++] ?? null;
    const decided = row.decidedLine === null ? null : (read[at++] ?? null);
    const own = decided?.kind === 'decided' && decided.executionId === row.executionId ? decided : null;
    return { entry, decision: own?.decision ?? null, activity: toActivity(row, entry, own) };
  });
}

function toActivity(row: ActivityRow, entry: AuditEntry | null, decided: DecidedEntry | null): Activity | null {
  const found = entry && activityFrom(entry, row.seq);
  if (!found || found.executionId !== row.executionId) return null;
  const activity = decided === null ? found : withDecision(found, decided.decision);
  return row.deleted === null ? activity : { ...activity, evidenceDir: null };
}
