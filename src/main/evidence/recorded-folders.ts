/** The evidence folders that the log lists, and the damage it tells of: what `verify` compares with the disk. */
import type { AuditEntry, ExecutionFacts, RecoveredEntry } from './audit-entries.js';
import type { FileDigest } from './execution-folder.js';
import { fromRecord, type Message } from '../../messages/index.js';

/** A folder that the log lists. */
export interface KnownFolder {
  execution: ExecutionFacts;
  dir: string;
  state: 'open' | 'ended' | 'abandoned' | 'deleted';
  /** As last recorded: at the start of the act, then at its end. */
  files: FileDigest[];
  damage: Message[];
}

export interface RecordedFolders {
  apply(entry: AuditEntry, seq: number): void;
  /** In the order in which they began. */
  folders(): Iterable<KnownFolder>;
  recoveries(): { recovered: RecoveredEntry; seq: number }[];
}

export function createRecordedFolders(): RecordedFolders {
  const folders = new Map<string, KnownFolder>();
  const recoveries: { recovered: RecoveredEntry; seq: number }[] = [];

  function update(execution: ExecutionFacts, state: KnownFolder['state'], files: FileDigest[] | null): void {
    if (execution.dir === null) return;
    const known = folders.get(execution.executionId);
    folders.set(execution.executionId, {
      execution,
      dir: execution.dir,
      state,
      files: files ?? known?.files ?? [],
      damage: known?.damage ?? [],
    });
  }

  function markDeleted(entry: Extract<AuditEntry, { kind: 'tombstone' }>): void {
    const known = folders.get(entry.executionId);
    if (known)
      folders.set(entry.executionId, { ...known, state: 'deleted', files: [], damage: entry.damage.map(fromRecord) });
  }

  return {
    apply(entry, seq) {
      if (entry.kind === 'begun') update(entry.execution, 'open', null);
      else if (entry.kind === 'started') update(entry.execution, 'open', entry.files);
      else if (entry.kind === 'ended') update(entry.execution, 'ended', entry.files);
      else if (entry.kind === 'abandoned') update(entry.execution, 'abandoned', null);
      else if (entry.kind === 'tombstone') markDeleted(entry);
      else if (entry.kind === 'recovered') recoveries.push({ recovered: entry, seq });
    },
    folders: () => folders.values(),
    recoveries: () => recoveries,
  };
}
