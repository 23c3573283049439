/** What one pass of `verify` does with the lines that it reads: inspects folders, compares the index, and keeps how far it has come. */
import type * as z from 'zod';
import type { Head } from './audit-head.js';
import { readCheckpoint } from './checkpoint.js';
import { createFolderCheck } from './folder-check.js';
import { createIndexCheck, type IndexFaults } from './index-check.js';
import type { EvidenceProblem } from './inspect-folder.js';
import { indexPath, openStoredRows } from './row-file.js';
import type { LinePosition, LogScan, OnEntry } from './scan-log.js';
import type { SealedFiles } from './sealed-file.js';
import type { recoverySchema, ProgressFile, VerifyProgress } from './verify-progress.js';

export type Recovery = z.infer<typeof recoverySchema>;

export interface PassOptions {
  stateDir: string;
  workspace?: string;
  files?: boolean;
  sealed: SealedFiles;
  /** null: a run that is stopped starts anew. */
  progress: ProgressFile | null;
  saveEveryMs?: number | undefined;
  onProgress?: (share: number) => void;
  file: { ino: number; size: number };
  head: Head | 'unreadable' | null;
  /** A place that an earlier run has come to. */
  from: VerifyProgress | null;
}

export interface Pass {
  onEntry: OnEntry;
  onPart(scan: LogScan): Promise<void>;
  finish(): Promise<{ recoveries: readonly Recovery[]; index: IndexFaults; files: EvidenceProblem[] }>;
  close(): Promise<void>;
}

const SAVE_EVERY_MS = 2_000;
const NO_FAULTS: IndexFaults = { count: 0, line: null };

export async function openPass(options: PassOptions): Promise<Pass> {
  const { file, from, progress, onProgress } = options;
  const folders =
    options.files === false
      ? null
      : createFolderCheck({ stateDir: options.stateDir, workspace: options.workspace, before: from?.folders });
  const compared = await openIndex(options);
  const recoveries = [...(from?.recoveries ?? [])];
  let last: LinePosition | null = null;
  let savedAt = performance.now();

  async function save({ lines, seq, hash, bytes, breaks }: LogScan): Promise<void> {
    if (progress === null || folders === null || performance.now() - savedAt < (options.saveEveryMs ?? SAVE_EVERY_MS))
      return;
    if (breaks.length > 0 || last === null || last.offset + last.bytes + 1 !== bytes) return;
    const checked = (await compared?.check.checked()) ?? null;
    if (compared !== null && checked === null) return;
    await progress.write({
      ...{ ino: file.ino, point: { lines, seq, hash, bytes }, lastBytes: last.bytes },
      ...{ at: new Date().toISOString(), folders: folders.state(), recoveries },
      index: compared && checked && { end: compared.end, state: compared.check.state(), checked },
    });
    savedAt = performance.now();
  }

  return {
    onEntry(entry, seq, place) {
      last = place;
      folders?.apply(entry, place);
      compared?.check.apply(entry, seq, place);
      if (entry.kind === 'recovered') recoveries.push({ recovered: entry, seq });
    },
    async onPart(scan) {
      await folders?.inspect();
      await compared?.check.compare();
      onProgress?.(file.size === 0 ? 1 : Math.min(1, scan.bytes / file.size));
      await save(scan);
    },
    async finish() {
      const index = (await compared?.check.finish()) ?? NO_FAULTS;
      return { recoveries, index, files: (await folders?.finish()) ?? [] };
    },
    close: async () => compared?.close(),
  };
}

/** null where there is no index that the next start would use: it is made anew. */
async function openIndex({ stateDir, sealed, file, head, from }: PassOptions) {
  const checkpoint = await readCheckpoint(sealed, stateDir, file, head).catch(() => null);
  if (checkpoint === null) return null;
  const begun = from?.index ?? null;
  const end = begun?.end ?? { bytes: checkpoint.point.bytes, rows: checkpoint.index.rows };
  const stored = await openStoredRows(indexPath(stateDir), end.rows);
  if (stored === null) return null;
  const check = createIndexCheck({ stateDir, rows: stored, end, before: begun?.checked });
  if (begun !== null) check.continueAt(begun.state);
  return { check, end, close: stored.close };
}
