/** What the index keeps beside its rows: the place of the log that it is made up to, and what a start must know of the lines before. */
import * as z from 'zod';
import type { Head } from './audit-head.js';
import { textFrom, type IndexDatabase } from './index-database.js';
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
