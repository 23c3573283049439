import type { AuditEntry, RecoveredEntry } from './audit-entries.js';
import type { AuditLog } from './audit-log.js';
import { storageError } from './errors.js';
import { message } from '../../messages/index.js';

export type LateLog = Pick<AuditLog, 'append' | 'appendDeferred' | 'isWritable' | 'finish' | 'close'>;

/** An audit log that may not have been read yet: lines given before wait for it. */
export function createLateLog() {
  let log: AuditLog | null = null;
  let open: (log: AuditLog) => void = () => undefined;
  let refuse: (error: Error) => void = () => undefined;
  const waited = new Promise<AuditLog>((resolve, reject) => ([open, refuse] = [resolve, reject]));
  waited.catch(() => undefined);

  const gaveUp = () => storageError(new Error('the audit log was not read to its end'), message('error.part_log'), '');

  const late: LateLog = {
    append: (entry: AuditEntry) => (log === null ? waited.then((read) => read.append(entry)) : log.append(entry)),
    appendDeferred: (entry: AuditEntry) =>
      log === null ? waited.then((read) => read.appendDeferred(entry)) : log.appendDeferred(entry),
    isWritable: () => log?.isWritable() ?? false,
    finish: async () => log?.finish(),
    async close() {
      refuse(gaveUp());
      await log?.close();
    },
  };
  return {
    log: late,
    opened(read: AuditLog): void {
      log = read;
      open(read);
    },
    failed: (error: Error) => refuse(error),
    recovered: (): RecoveredEntry | null => log?.recovered ?? null,
  };
}
