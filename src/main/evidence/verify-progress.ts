/** How far `chaperone evidence verify` has come, for a run that is stopped. Kept only while nothing is wrong: what is, a new run finds again. */
import * as z from 'zod';
import { recoveredSchema } from './audit-entries.js';
import type { Head } from './audit-head.js';
import { fitsLog, logPlaceSchema } from './checkpoint.js';
import { folderCheckStateSchema } from './folder-check.js';
import { checkedBeforeSchema, indexCheckStateSchema } from './index-check.js';
import type { SealedFiles } from './sealed-file.js';

export const recoverySchema = z.object({ recovered: recoveredSchema, seq: z.number().int() });

const progressSchema = z.object({
  v: z.literal(1),
  ...logPlaceSchema.shape,
  /** When it was written. */
  at: z.string(),
  folders: folderCheckStateSchema,
  recoveries: z.array(recoverySchema),
  /** null where there was no index to compare. */
  index: z
    .object({
      /** The lines that had to be in the index, and the rows for them. */
      end: z.object({ bytes: z.number().int().min(0), rows: z.number().int().min(0) }),
      state: indexCheckStateSchema,
      checked: checkedBeforeSchema,
    })
    .nullable(),
});
export type VerifyProgress = z.infer<typeof progressSchema>;

const VERIFY_PROGRESS = 'audit.verify';

export interface ProgressFile {
  /** null for one that is missing, was not written with this folder's key, or does not fit the log and its head. */
  read(log: { ino: number; size: number }, head: Head | 'unreadable' | null): Promise<VerifyProgress | null>;
  /** Where it cannot be written, a stopped run starts anew: that is no reason to fail. */
  write(progress: Omit<VerifyProgress, 'v'>): Promise<void>;
  remove(): Promise<void>;
}

export function createProgressFile(stateDir: string, sealed: SealedFiles): ProgressFile {
  return {
    async read(log, head) {
      const found = progressSchema.safeParse(await sealed.read(VERIFY_PROGRESS).catch(() => null));
      if (!found.success || head === null || head === 'unreadable') return null;
      return (await fitsLog(stateDir, log, head, found.data)) ? found.data : null;
    },
    write: (progress) => sealed.write(VERIFY_PROGRESS, { v: 1, ...progress }).catch(() => undefined),
    remove: () => sealed.remove(VERIFY_PROGRESS).catch(() => undefined),
  };
}
