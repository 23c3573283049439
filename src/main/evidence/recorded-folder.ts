import { type Activity, evidenceNameSchema, type EvidenceFileName, type FileState } from '../protocol/index.js';
import { activityFrom, withDecision } from './activities.js';
import type { AuditEntry, DecidedEntry, ExecutionFacts } from './audit-entries.js';
import { keptDirOf, type FileDigest } from './execution-folder.js';
import { readLines } from './log-lines.js';
import type { ActivityRow } from './index-row.js';
import { sha256 } from '../approvals/digest.js';
import { errno } from '../../base/type-guards.js';
import { openFolder, type OpenFolder } from './open-folder.js';

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

// Reads evidence files for the page. Content is returned only when it matches the digest in the log.

/** Enough for a picture of a very large screen; larger files are not sent to the page. */
const MAX_FILE_BYTES = 48 << 20;

interface EvidenceFile {
  fileState: FileState;
  /** The recorded size, or the actual one when none is recorded. */
  bytes: number;
  /** null unless it matches its digest. */
  content: Buffer | null;
}

type RecordedFolder = Pick<KnownFolder, 'dir' | 'files'>;

/** Never rejects: problems are reported as the file's `fileState`. A file that is in both places is read from Chaperone's own: it has all. */
export async function readEvidenceFile(
  stateDir: string,
  known: RecordedFolder,
  name: EvidenceFileName,
): Promise<EvidenceFile> {
  const parts = partsOf(stateDir, known);
  const part = parts.findLast((one) => digestOf(one, name) !== undefined) ?? known;
  const folder = await openFolder(part.dir).catch(standingOfError);
  if (typeof folder === 'string') return { fileState: folder, bytes: 0, content: null };
  try {
    return await readFrom(folder, name, digestOf(part, name));
  } finally {
    await folder.close();
  }
}

type ListedFile = Pick<EvidenceFile, 'fileState' | 'bytes'> & { name: EvidenceFileName; kept?: true };

/** All recorded files with their state, and unrecorded ones that have a name of ours. One that is in both places is listed once. */
export async function listEvidenceFiles(stateDir: string, known: RecordedFolder): Promise<ListedFile[]> {
  const [own = known, kept] = partsOf(stateDir, known);
  const inOwn = await listFolder(own);
  const inKept = kept === undefined ? [] : await listFolder(kept);
  const elsewhere = inKept.map((file): ListedFile => ({ ...file, kept: true }));
  return [...inOwn.filter(({ name }) => elsewhere.every((file) => file.name !== name)), ...elsewhere];
}

async function listFolder(part: RecordedFolder): Promise<ListedFile[]> {
  const folder = await openFolder(part.dir).catch(standingOfError);
  if (typeof folder === 'string')
    return part.files.flatMap(({ name, bytes }) =>
      evidenceNames(name).map((one) => ({ name: one, bytes, fileState: folder })),
    );
  try {
    const found = [];
    const present = await folder.list().catch((): string[] => []);
    for (const name of evidenceNameSchema.options) {
      const digest = digestOf(part, name);
      if (digest === undefined && !present.includes(name)) continue;
      const { fileState, bytes } = await readFrom(folder, name, digest);
      found.push({ name, bytes, fileState });
    }
    return found;
  } finally {
    await folder.close();
  }
}

async function readFrom(
  folder: OpenFolder,
  name: EvidenceFileName,
  digest: FileDigest | undefined,
): Promise<EvidenceFile> {
  const bytes = digest?.bytes ?? 0;
  const without = (fileState: FileState): EvidenceFile => ({ fileState, bytes, content: null });
  if (bytes > MAX_FILE_BYTES) return without('too_big');
  const file = await folder.openFile(name).catch(standingOfError);
  if (typeof file === 'string') return without(file);
  try {
    const found = await file.stat();
    if (digest === undefined) return { fileState: 'unrecorded', bytes: found.size, content: null };
    if (!found.isFile() || found.size !== digest.bytes) return without('edited');
    const content = Buffer.alloc(digest.bytes);
    const { bytesRead } = await file.read(content, 0, digest.bytes, 0);
    const same = bytesRead === digest.bytes && sha256(content) === digest.sha256;
    return same ? { fileState: 'as_written', bytes, content } : without('edited');
  } catch (error) {
    return without(standingOfError(error));
  } finally {
    await file.close();
  }
}

function standingOfError(error: unknown): FileState {
  const code = errno(error);
  if (code === 'ENOENT') return 'missing';
  return code === 'ELOOP' || code === 'ENOTDIR' ? 'edited' : 'unreadable';
}

function digestOf({ files }: RecordedFolder, name: EvidenceFileName): FileDigest | undefined {
  return files.find((file) => file.name === name);
}

function evidenceNames(name: string): EvidenceFileName[] {
  const found = evidenceNameSchema.safeParse(name);
  return found.success ? [found.data] : [];
}
