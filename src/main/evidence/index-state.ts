/** What the index keeps beside its rows: the place of the log that it is made up to, and what a start must know of the lines before. */
import * as z from 'zod';
import type { Head } from './audit-head.js';
import { textFrom, type IndexDatabase } from './index-database.js';
import type { IndexedLine } from './index-row.js';
import { fitsLog, logPlaceSchema, type LogFile } from './log-place.js';
import { callsStateSchema } from './open-calls.js';
import type { Seal } from './sealed-file.js';

/** What is kept at a place of the log beside the rows. */
const indexStateSchema = z.object({
  ...logPlaceSchema.shape,
  /** Tells this file from one that was made anew. */
  made: z.string(),
  shown: z.number().int().min(0),
  keptBytes: z.number().min(0),
  /** No action up to this line has a folder that is still there. */
  goneUpTo: z.number().int().min(0),
  /** Names, the latest last. */
  agents: z.array(z.string()),
  calls: callsStateSchema,
  /** Folders that are recorded as deleted and may still exist. */
  leftovers: z.array(z.string()),
});
export type IndexState = z.infer<typeof indexStateSchema>;

const STATE = 'audit.sqlite';

export const sealState = (seal: Seal, state: IndexState): string => seal.write(STATE, state);

/** null where the next start would make the index anew: it is not of this log, or was not made with this folder's key. */
export async function readIndexState(
  db: IndexDatabase,
  {
    stateDir,
    file,
    head,
    seal,
  }: { stateDir: string; file: LogFile; head: Head | 'unreadable' | null; seal: Seal | null },
): Promise<IndexState | null> {
  const text = textFrom(db.get('SELECT CAST(sealed AS BLOB) AS sealed FROM main.state')?.['sealed']);
  const read = indexStateSchema.safeParse(text === null ? null : seal?.read(STATE, text));
  if (!read.success || head === null || head === 'unreadable') return null;
  return (await fitsLog(stateDir, file, head, read.data)) ? read.data : null;
}

const MAX_AGENTS = 50;

/** What is told of all rows together. */
export class IndexCounts {
  shown: number;
  goneUpTo: number;
  /** Of all files in the folders that are not deleted. Of a part of the log it may be negative. */
  private bytes: number;
  private readonly names: Set<string>;

  constructor(from: Partial<Pick<IndexState, 'shown' | 'keptBytes' | 'goneUpTo' | 'agents'>> = {}) {
    ({ shown: this.shown = 0, keptBytes: this.bytes = 0, goneUpTo: this.goneUpTo = 0 } = from);
    this.names = new Set(from.agents);
  }

  apply(line: IndexedLine): void {
    if (line.kind === 'deleted') this.bytes -= line.bytes;
    if (line.kind !== 'action') return;
    const { hasFolder, size, shown, agent } = line.action;
    if (hasFolder) this.bytes += size;
    if (!shown) return;
    this.shown += 1;
    this.named(agent);
  }

  /** Those of later lines. */
  add(later: IndexCounts): void {
    this.shown += later.shown;
    this.bytes += later.bytes;
    for (const name of later.names) this.named(name);
  }

  facts(): Pick<IndexState, 'shown' | 'keptBytes' | 'goneUpTo' | 'agents'> {
    const { shown, goneUpTo, names } = this;
    return { shown, goneUpTo, keptBytes: this.keptBytes(), agents: [...names] };
  }

  keptBytes = (): number => Math.max(0, this.bytes);

  /** The latest last. */
  agents = (): string[] => [...this.names];

  private named(agent: string): void {
    this.names.delete(agent);
    this.names.add(agent);
    for (const oldest of this.names) if (this.names.size > MAX_AGENTS) this.names.delete(oldest);
  }
}
