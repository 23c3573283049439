/**
 * Compares the evidence folders with the log as that is read: each folder once its call has ended. Keeps only what is not settled,
 * so memory grows with the folders on disk, not with the lines of the log.
 */
import * as z from 'zod';
import type { AuditEntry } from './audit-entries.js';
import {
  evidenceProblemSchema,
  inspectFolders,
  inspectUnrecorded,
  listExecutionFolders,
  type EvidenceProblem,
} from './inspect-folder.js';
import { inState, inWorkspace, keptDirOf } from './execution-folder.js';
import { callsStateSchema, createOpenCalls } from './open-calls.js';
import type { KnownFolder } from './recorded-folder.js';
import type { LinePosition } from './scan-log.js';
import { fromRecord, message } from '../../messages/index.js';

export interface FolderCheck {
  apply(entry: AuditEntry, place: LinePosition): void;
  /** Inspects the folders of the lines given since. */
  inspect(): Promise<void>;
  state(): FolderCheckState;
  /** After all lines. */
  finish(): Promise<EvidenceProblem[]>;
}

export const folderCheckStateSchema = z.object({
  calls: callsStateSchema,
  workspaces: z.array(z.string()),
  /** Folders on disk that no line has told of yet. */
  unrecorded: z.array(z.string()),
  /** By execution. A folder that is missing may be deleted by a later line. */
  problems: z.array(z.tuple([z.string(), z.array(evidenceProblemSchema)])),
});
export type FolderCheckState = z.infer<typeof folderCheckStateSchema>;

interface FolderCheckOptions {
  stateDir: string;
  /** Only the folders of this one. */
  workspace?: string | undefined;
  before?: FolderCheckState | undefined;
}

type Deletion = Extract<AuditEntry, { kind: 'tombstone' }>;

export function createFolderCheck({ stateDir, workspace, before }: FolderCheckOptions): FolderCheck {
  const calls = createOpenCalls(before?.calls);
  const workspaces = new Set(before?.workspaces);
  const unrecorded = new Set(before?.unrecorded);
  const problems = new Map(before?.problems);
  let due: (KnownFolder | Deletion)[] = [];

  async function list(own: string): Promise<void> {
    if (workspaces.has(own)) return;
    // Of a single workspace, what is kept elsewhere belongs to others too.
    const places = workspaces.size === 0 && workspace === undefined ? [inState(stateDir)] : [];
    workspaces.add(own);
    for (const place of [inWorkspace(own), ...places])
      for (const dir of await listExecutionFolders(place)) unrecorded.add(dir);
  }

  async function inspectOne(folder: KnownFolder): Promise<void> {
    const { executionId, workspace: own } = folder.execution;
    if (workspace !== undefined && own !== workspace) return;
    await list(own);
    for (const dir of [folder.dir, keptDirOf(stateDir, folder.dir)]) unrecorded.delete(dir);
    const found = folder.state === 'open' ? [] : await inspectFolders(stateDir, folder);
    if (found.length > 0) problems.set(executionId, found);
    else problems.delete(executionId);
  }

  function applyDeletion({ executionId, dir: path, damage }: Deletion): void {
    problems.delete(executionId);
    if (damage.length === 0 || (workspace !== undefined && !path.startsWith(`${workspace}/`))) return;
    const descriptions = damage.map((what) => message('record.before_deletion', { what: fromRecord(what) }));
    problems.set(
      executionId,
      descriptions.map((description) => ({ kind: 'missing', path, description })),
    );
  }

  async function inspect(): Promise<void> {
    const parts = due;
    due = [];
    for (const one of parts)
      if ('kind' in one) applyDeletion(one);
      else await inspectOne(one);
  }

  return {
    apply(entry, place) {
      const folder = folderOf(entry, calls.find('execution' in entry ? entry.execution.executionId : '')?.files);
      if (folder !== null) due.push(folder);
      if (entry.kind === 'tombstone') due.push(entry);
      calls.apply(entry, place);
    },
    inspect,
    state: () => ({
      calls: calls.snapshot(),
      workspaces: [...workspaces],
      unrecorded: [...unrecorded],
      problems: [...problems],
    }),
    async finish() {
      await inspect();
      if (workspace !== undefined) await list(workspace);
      for (const { execution } of calls.unended()) {
        const folder = calls.folder(execution.executionId);
        if (folder === null || (workspace !== undefined && execution.workspace !== workspace)) continue;
        problems.set(execution.executionId, await inspectFolders(stateDir, folder));
      }
      const others = [];
      for (const dir of unrecorded) others.push(...(await inspectUnrecorded(dir)));
      return [...[...problems.values()].flat(), ...others];
    },
  };
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
