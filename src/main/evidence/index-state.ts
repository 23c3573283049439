/** What the index keeps beside its rows: the place of the log that it is made up to, and what a start must know of the lines before. */
import * as z from 'zod';
import { LRUCache } from 'lru-cache';
import type { Head } from './audit-head.js';
import { textFrom, type IndexDatabase } from './index-database.js';
import type { IndexedLine } from './index-row.js';
import { fitsLog, logPlaceSchema, type LogFile, linePositionSchema, type LinePosition } from './log-lines.js';
import type { Seal } from './sealed-file.js';
import { executionSchema, fileSchema, type AuditEntry } from './audit-entries.js';
import type { KnownFolder } from './recorded-folder.js';

// Calls that have begun and not ended, and those that were acting when a host ended.

const openCallSchema = z.object({
  execution: executionSchema,
  started: z.boolean(),
  /** Of its start; of its beginning where it has none. */
  at: z.string(),
  /** The line of its start. */
  line: linePositionSchema.nullable(),
  files: z.array(fileSchema),
});
type OpenCall = z.infer<typeof openCallSchema>;

const interruptedSchema = z.object({ callId: z.string(), executionId: z.string(), startedAt: z.string() });

export const callsStateSchema = z.object({ open: z.array(openCallSchema), interrupted: z.array(interruptedSchema) });
export type CallsState = z.infer<typeof callsStateSchema>;
export const NO_CALLS: CallsState = { open: [], interrupted: [] };

export class OpenCalls {
  private readonly open: Map<string, OpenCall>;
  /** By call id, all of them, however many: one that was forgotten could be done a second time. */
  private readonly cutOff: Map<string, CallsState['interrupted'][number]>;

  constructor(known: CallsState = NO_CALLS) {
    this.open = new Map(known.open.map((call) => [call.execution.executionId, call]));
    this.cutOff = new Map(known.interrupted.map((call) => [call.callId, call]));
  }

  apply(entry: AuditEntry, place: LinePosition): void {
    if (entry.kind === 'begun' || entry.kind === 'started') {
      const { execution, at } = entry;
      const { executionId } = execution;
      if (entry.kind === 'begun') this.open.set(executionId, { execution, started: false, at, line: null, files: [] });
      else this.open.set(executionId, { execution, started: true, at, line: place, files: entry.files });
    } else if (entry.kind === 'ended') this.open.delete(entry.execution.executionId);
    else if (entry.kind === 'abandoned') {
      const { executionId, callId, since } = entry.execution;
      const startedAt = this.open.get(executionId)?.at ?? since;
      this.open.delete(executionId);
      if (entry.started) this.cutOff.set(callId, { callId, executionId, startedAt });
    }
  }

  find(executionId: string): OpenCall | null {
    return this.open.get(executionId) ?? null;
  }

  /** Its folder, while it has not ended. */
  folder(executionId: string): KnownFolder | null {
    const { execution, files } = this.open.get(executionId) ?? {};
    if (execution === undefined || execution.dir === null) return null;
    return { execution, dir: execution.dir, state: 'open', files: files ?? [] };
  }

  unended(): OpenCall[] {
    return [...this.open.values()];
  }

  /** A call that had started when the host ended. */
  interrupted(callId: string): { executionId: string; startedAt: string } | null {
    const found = this.cutOff.get(callId);
    return found === undefined ? null : { executionId: found.executionId, startedAt: found.startedAt };
  }

  snapshot(): CallsState {
    return { open: [...this.open.values()], interrupted: [...this.cutOff.values()] };
  }
}

/** A host that ends while it deletes leaves one. */
const MAX_LEFTOVERS = 10_000;

/** Folders that are recorded as deleted and whose removal was not seen to succeed. */
export class Leftovers {
  private readonly dirs = new LRUCache<string, true>({ max: MAX_LEFTOVERS });

  constructor(known: readonly string[] = []) {
    for (const dir of known) this.dirs.set(dir, true);
  }

  apply(entry: AuditEntry): void {
    if (entry.kind === 'tombstone') this.dirs.set(entry.dir, true);
  }

  /** Those of lines before. */
  add(earlier: readonly string[]): void {
    for (const dir of earlier) if (!this.dirs.has(dir)) this.dirs.set(dir, true);
  }

  removed(dir: string): void {
    this.dirs.delete(dir);
  }

  list(): string[] {
    return [...this.dirs.keys()].reverse();
  }
}

// The state itself.

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
