/**
 * Compares the evidence folders with the log as that is read: each folder once its call has ended. Keeps only what is not settled,
 * so memory grows with the folders on disk, not with the lines of the log.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { AuditEntry } from './audit-entries.js';
import {
  inState,
  inWorkspace,
  keptDirOf,
  isExecutionId,
  pathOf,
  type EvidencePlace,
  type FileDigest,
} from './execution-folder.js';
import { callsStateSchema, OpenCalls } from './index-state.js';
import { type KnownFolder, partsOf } from './recorded-folder.js';
import type { LinePosition } from './log-lines.js';
import { fromRecord, message, messageSchema, type Message } from '../../messages/index.js';
import { errno } from '../../base/type-guards.js';
import { EVIDENCE_FILE_NAMES } from '../protocol/index.js';
import { openFolder, withFolder, type OpenFolder } from './open-folder.js';

const evidenceProblemSchema = z.object({
  kind: z.enum(['missing', 'edited', 'unrecorded']),
  path: z.string(),
  description: messageSchema,
});
export type EvidenceProblem = z.infer<typeof evidenceProblemSchema>;

/** What is wrong with the files of an execution, in both places. */
export async function inspectFolders(
  stateDir: string,
  known: Pick<KnownFolder, 'dir' | 'files' | 'state'>,
): Promise<EvidenceProblem[]> {
  const found = [];
  for (const part of partsOf(stateDir, known)) found.push(...(await inspectFolder({ ...known, ...part })));
  return found;
}

/** Unrecorded files are a problem only in folders of ended executions: the others have files that no line lists yet. */
async function inspectFolder(known: Pick<KnownFolder, 'dir' | 'files' | 'state'>): Promise<EvidenceProblem[]> {
  let folder: OpenFolder;
  try {
    folder = await openFolder(known.dir);
  } catch (error) {
    const path = known.dir;
    const description =
      errno(error) === 'ENOENT'
        ? message('record.file_missing', { path })
        : message('record.folder_unreadable', { path, why: errno(error) ?? 'error' });
    return [{ kind: 'missing', path, description }];
  }
  try {
    const faults: EvidenceProblem[] = [];
    for (const file of known.files) {
      const fault = await inspectFile(folder, file);
      if (fault) faults.push(fault);
    }
    if (known.state === 'ended') faults.push(...(await findForeignFiles(folder, known.files)));
    return faults;
  } finally {
    await folder.close();
  }
}

async function inspectFile(folder: OpenFolder, file: FileDigest): Promise<EvidenceProblem | null> {
  const path = `${folder.path}/${file.name}`;
  const edited = (description: Message): EvidenceProblem => ({ kind: 'edited', path, description });
  try {
    const handle = await folder.openFile(file.name);
    try {
      if (!(await handle.stat()).isFile()) return edited(message('record.not_plain_file', { path }));
      const hash = createHash('sha256');
      for await (const part of handle.createReadStream({ autoClose: false })) hash.update(part);
      return hash.digest('hex') === file.sha256 ? null : edited(message('record.file_edited', { path }));
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errno(error) === 'ENOENT')
      return { kind: 'missing', path, description: message('record.file_missing', { path }) };
    if (errno(error) === 'ELOOP') return edited(message('record.file_link', { path }));
    return edited(message('record.file_unreadable', { path, why: errno(error) ?? 'error' }));
  }
}

/** Files with a name of ours that the log does not list. */
async function findForeignFiles(folder: OpenFolder, files: readonly FileDigest[]): Promise<EvidenceProblem[]> {
  const ours = new Set(files.map((file) => file.name));
  const names: readonly string[] = EVIDENCE_FILE_NAMES;
  const extra = (await folder.list()).filter((name) => names.includes(name) && !ours.has(name));
  return extra
    .map((name) => `${folder.path}/${name}`)
    .map((path) => ({ kind: 'unrecorded', path, description: message('record.file_foreign', { path }) }));
}

/** Execution folders, empty ones too. */
async function listExecutionFolders(place: EvidencePlace): Promise<string[]> {
  const found: string[] = [];
  await visitFolders(pathOf(place), async (day) => {
    if (!/\/\d{4}-\d{2}-\d{2}$/.test(day)) return;
    await visitFolders(day, async (dir) => {
      if (isExecutionId(dir.slice(day.length + 1))) found.push(dir);
    });
  });
  return found;
}

/** For a folder that is not in the log. An empty one does not count: a crash between creating it and writing its line leaves one. */
async function inspectUnrecorded(path: string): Promise<EvidenceProblem[]> {
  if (!(await hasEvidenceFiles(path))) return [];
  return [{ kind: 'unrecorded', path, description: message('record.not_in_log', { path }) }];
}

/** Also true for a folder that cannot be opened, such as a link. */
async function hasEvidenceFiles(dir: string): Promise<boolean> {
  const names: readonly string[] = EVIDENCE_FILE_NAMES;
  return withFolder(openFolder(dir), async (folder) =>
    (await folder.list()).some((name) => names.includes(name)),
  ).catch((error: unknown) => errno(error) !== 'ENOENT');
}

async function visitFolders(path: string, visit: (path: string) => Promise<void>): Promise<void> {
  let names: string[];
  try {
    names = await withFolder(openFolder(path), (folder) => folder.list());
  } catch (error) {
    if (errno(error) === 'ENOENT' || errno(error) === 'ENOTDIR' || errno(error) === 'ELOOP') return;
    throw error;
  }
  for (const name of names.sort()) if (!name.startsWith('.')) await visit(`${path}/${name}`);
}

export const folderCheckStateSchema = z.object({
  calls: callsStateSchema,
  workspaces: z.array(z.string()),
  /** Folders on disk that no line has told of yet. */
  unrecorded: z.array(z.string()),
  /** By execution. A folder that is missing may be deleted by a later line. */
  problems: z.array(z.tuple([z.string(), z.array(evidenceProblemSchema)])),
});
type FolderCheckState = z.infer<typeof folderCheckStateSchema>;

interface FolderCheckOptions {
  stateDir: string;
  /** Only the folders of this one. */
  workspace?: string | undefined;
  before?: FolderCheckState | undefined;
}

type Deletion = Extract<AuditEntry, { kind: 'tombstone' }>;

export class FolderCheck {
  private readonly calls: OpenCalls;
  private readonly workspaces: Set<string>;
  private readonly unrecorded: Set<string>;
  private readonly problems: Map<string, EvidenceProblem[]>;
  private due: (KnownFolder | Deletion)[] = [];

  constructor(private readonly options: FolderCheckOptions) {
    const { before } = options;
    this.calls = new OpenCalls(before?.calls);
    this.workspaces = new Set(before?.workspaces);
    this.unrecorded = new Set(before?.unrecorded);
    this.problems = new Map(before?.problems);
  }

  apply(entry: AuditEntry, place: LinePosition): void {
    const folder = folderOf(entry, this.calls.find('execution' in entry ? entry.execution.executionId : '')?.files);
    if (folder !== null) this.due.push(folder);
    if (entry.kind === 'tombstone') this.due.push(entry);
    this.calls.apply(entry, place);
  }

  /** Inspects the folders of the lines given since. */
  async inspect(): Promise<void> {
    const parts = this.due;
    this.due = [];
    for (const one of parts)
      if ('kind' in one) this.applyDeletion(one);
      else await this.inspectOne(one);
  }

  state(): FolderCheckState {
    return {
      calls: this.calls.snapshot(),
      workspaces: [...this.workspaces],
      unrecorded: [...this.unrecorded],
      problems: [...this.problems],
    };
  }

  /** After all lines. */
  async finish(): Promise<EvidenceProblem[]> {
    const { stateDir, workspace } = this.options;
    await this.inspect();
    if (workspace !== undefined) await this.list(workspace);
    for (const { execution } of this.calls.unended()) {
      const folder = this.calls.folder(execution.executionId);
      if (folder === null || (workspace !== undefined && execution.workspace !== workspace)) continue;
      this.problems.set(execution.executionId, await inspectFolders(stateDir, folder));
    }
    const others = [];
    for (const dir of this.unrecorded) others.push(...(await inspectUnrecorded(dir)));
    return [...[...this.problems.values()].flat(), ...others];
  }

  private async list(own: string): Promise<void> {
    const { stateDir, workspace } = this.options;
    if (this.workspaces.has(own)) return;
    // Of a single workspace, what is kept elsewhere belongs to others too.
    const places = this.workspaces.size === 0 && workspace === undefined ? [inState(stateDir)] : [];
    this.workspaces.add(own);
    for (const place of [inWorkspace(own), ...places])
      for (const dir of await listExecutionFolders(place)) this.unrecorded.add(dir);
  }

  private async inspectOne(folder: KnownFolder): Promise<void> {
    const { stateDir, workspace } = this.options;
    const { executionId, workspace: own } = folder.execution;
    if (workspace !== undefined && own !== workspace) return;
    await this.list(own);
    for (const dir of [folder.dir, keptDirOf(stateDir, folder.dir)]) this.unrecorded.delete(dir);
    const found = folder.state === 'open' ? [] : await inspectFolders(stateDir, folder);
    if (found.length > 0) this.problems.set(executionId, found);
    else this.problems.delete(executionId);
  }

  private applyDeletion({ executionId, dir: path, damage }: Deletion): void {
    const { workspace } = this.options;
    this.problems.delete(executionId);
    if (damage.length === 0 || (workspace !== undefined && !path.startsWith(`${workspace}/`))) return;
    const descriptions = damage.map((what) => message('record.before_deletion', { what: fromRecord(what) }));
    this.problems.set(
      executionId,
      descriptions.map((description) => ({ kind: 'missing', path, description })),
    );
  }
}

/** The folder of an entry; `files`: those recorded before it. */
function folderOf(entry: AuditEntry, files: KnownFolder['files'] = []): KnownFolder | null {
  if (!('execution' in entry)) return null;
  const { kind, execution } = entry;
  if (execution.dir === null) return null;
  const folder = { execution, dir: execution.dir };
  if (kind === 'ended') return { ...folder, state: 'ended', files: entry.files };
  return { ...folder, state: kind === 'abandoned' ? 'abandoned' : 'open', files };
}
