/**
 * Reads the log once and checks what it says: the chain of lines, the index and, for `verify`, every evidence folder. How far it has
 * come is kept for a run that is stopped, and only while nothing is wrong: what is, a new run finds again.
 */
import { readFile, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { recoveredSchema, type AuditEntry } from './audit-entries.js';
import { logPath, type Head } from './audit-head.js';
import { createFolderCheck, folderCheckStateSchema, type FolderCheck } from './folder-check.js';
import { IndexCheck, type IndexFaults } from './index-check.js';
import type { EvidenceProblem } from './inspect-folder.js';
import { fitsLog, logPlaceSchema, type LogFile } from './log-place.js';
import { callsStateSchema } from './open-calls.js';
import { scanLog, type ChainPoint, type LinePosition, type LogScan } from './scan-log.js';
import { Seal } from './sealed-file.js';

const recoverySchema = z.object({ recovered: recoveredSchema, seq: z.number().int() });
export type Recovery = z.infer<typeof recoverySchema>;

const progressSchema = z.object({
  v: z.literal(2),
  ...logPlaceSchema.shape,
  /** When it was written. */
  at: z.string(),
  /** null where folders are not looked at. */
  folders: folderCheckStateSchema.nullable(),
  recoveries: z.array(recoverySchema),
  /** `after`: compared up to this line. null where there was no index. */
  index: z.object({ made: z.string(), after: z.number().int(), calls: callsStateSchema }).nullable(),
});
type Progress = z.infer<typeof progressSchema>;

interface PassOptions {
  stateDir: string;
  file: LogFile;
  head: Head | 'unreadable' | null;
  /** Only the folders of this workspace; without `files`, none. */
  workspace?: string | undefined;
  files: boolean;
  /** Up to here only, and the index as well. */
  to?: ChainPoint;
  /** Name of the file that says how far it has come; null: a run that is stopped starts anew. */
  progress: string | null;
  saveEveryMs?: number | undefined;
  /** Goes on where an earlier run was stopped. */
  resumes: boolean;
  /** For each millisecond of checking, as many of rest. */
  rest?: number;
  signal?: AbortSignal;
  onPart?(scan: LogScan, from: Progress | null): void;
}

export interface LogPass {
  scan: LogScan;
  recoveries: readonly Recovery[];
  index: IndexFaults;
  files: EvidenceProblem[];
  /** The lines before were checked by another run. */
  from: Progress | null;
}

const SAVE_EVERY_MS = 2_000;

export async function passOver(options: PassOptions): Promise<LogPass> {
  const { stateDir, head, to } = options;
  const from = options.resumes ? await readProgress(options) : null;
  const index = await IndexCheck.open(stateDir, options, {
    ...from?.index,
    ...(to === undefined ? {} : { to: to.seq }),
  });
  try {
    // An index that was made since is compared from its first row on.
    if (from !== null && from.index?.made !== index?.made) return await passOver({ ...options, resumes: false });
    const pass = new Pass(options, from, index);
    const scan = await scanLog(logPath(stateDir), {
      ...(from === null ? {} : { from: from.point }),
      ...(to === undefined ? {} : { to: to.bytes }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      mark: head === null || head === 'unreadable' ? 0 : head.count,
      onEntry: (entry, seq, place) => pass.apply(entry, seq, place),
      onPart: (part) => pass.onPart(part),
    });
    return { scan, from, ...(await pass.finish()) };
  } finally {
    index?.close();
  }
}

class Pass {
  private readonly folders: FolderCheck | null;
  private readonly recoveries: Recovery[];
  private last: LinePosition | null = null;
  private savedAt = performance.now();
  private resumedAt = performance.now();

  constructor(
    private readonly options: PassOptions,
    private readonly from: Progress | null,
    private readonly index: IndexCheck | null,
  ) {
    const { stateDir, workspace, files } = options;
    this.folders = files ? createFolderCheck({ stateDir, workspace, before: from?.folders ?? undefined }) : null;
    this.recoveries = [...(from?.recoveries ?? [])];
  }

  apply(entry: AuditEntry, seq: number, place: LinePosition): void {
    this.last = place;
    this.folders?.apply(entry, place);
    this.index?.apply(entry, seq, place);
    if (entry.kind === 'recovered') this.recoveries.push({ recovered: entry, seq });
  }

  async onPart(scan: LogScan): Promise<void> {
    const { rest, signal, onPart } = this.options;
    await this.folders?.inspect();
    this.index?.compare();
    onPart?.(scan, this.from);
    await this.save(scan);
    if (rest !== undefined) await delay((performance.now() - this.resumedAt) * rest, undefined, { signal });
    this.resumedAt = performance.now();
  }

  async finish() {
    const index = this.index?.finish({ whole: this.folders !== null }) ?? { count: 0, line: null };
    return { recoveries: this.recoveries, index, files: (await this.folders?.finish()) ?? [] };
  }

  private async save({ lines, seq, hash, bytes, breaks }: LogScan): Promise<void> {
    const { stateDir, file, progress, saveEveryMs = SAVE_EVERY_MS } = this.options;
    if (progress === null || performance.now() - this.savedAt < saveEveryMs) return;
    if (breaks.length > 0 || this.last === null || this.last.offset + this.last.bytes + 1 !== bytes) return;
    const checked = this.index?.checked() ?? null;
    if (this.index !== null && checked === null) return;
    const content: Progress = {
      ...{ v: 2, ino: file.ino, point: { lines, seq, hash, bytes }, lastBytes: this.last.bytes },
      ...{ at: new Date().toISOString(), folders: this.folders?.state() ?? null, recoveries: this.recoveries },
      index: this.index && checked && { made: this.index.made, ...checked },
    };
    // Where it cannot be written, a stopped run starts anew: that is no reason to fail.
    await Seal.make(stateDir)
      .then((seal) => writeFileAtomic(`${stateDir}/${progress}`, seal.write(progress, content), { mode: 0o600 }))
      .catch(() => undefined);
    this.savedAt = performance.now();
  }
}

/** null for one that is missing, was not written with this folder's key, or does not fit the log and its head. */
async function readProgress({ stateDir, file, head, to, progress }: PassOptions): Promise<Progress | null> {
  if (progress === null || head === null || head === 'unreadable') return null;
  const text = await readFile(`${stateDir}/${progress}`, 'utf8').catch(() => '');
  const found = progressSchema.safeParse((await Seal.find(stateDir))?.read(progress, text));
  if (!found.success || found.data.point.bytes >= (to?.bytes ?? Infinity)) return null;
  return (await fitsLog(stateDir, file, head, found.data)) ? found.data : null;
}

export const removeProgress = (stateDir: string, progress: string): Promise<void> =>
  rm(`${stateDir}/${progress}`, { force: true }).catch(() => undefined);
