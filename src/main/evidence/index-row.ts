/** Pure: what the index keeps of a line of the log. It depends on that line and on earlier ones, never on later ones. */
import * as z from 'zod';
import { effectSchema, outcomeSchema, searchedWords } from '../protocol/index.js';
import { activityFrom, outcomeAfterDecision, personDecision, personDecisionSchema } from './activities.js';
import type { AuditEntry } from './audit-entries.js';
import { linePositionSchema, type LinePosition } from './log-lines.js';

const time = z.number();

const actionSchema = z.object({
  ...linePositionSchema.shape,
  seq: z.number(),
  executionId: z.string(),
  agent: z.string(),
  app: z.string().nullable(),
  effect: effectSchema,
  outcome: outcomeSchema,
  /** The page lists it; others only have a folder. */
  shown: z.boolean(),
  hasFolder: z.boolean(),
  /** Of the files in its folder. */
  size: z.number(),
  /** When the call began, and when it may have touched the desktop for the first time. */
  since: time,
  startedAt: time.nullable(),
  /** The line of its start; null where it has none. */
  startedLine: linePositionSchema.nullable(),
  decision: personDecisionSchema.nullable(),
});
type Action = z.infer<typeof actionSchema>;

const decidedSchema = z.object({
  line: linePositionSchema,
  kind: z.string(),
  by: personDecisionSchema.nullable(),
});
const deletedSchema = z.object({ at: time, reason: z.enum(['age', 'quota']) });

/** A recorded action with what later lines say of it. What the page shows is read from the log itself. */
export interface ActivityRow extends Action {
  /** The line of the person's decision, if that came after the call ended. */
  decidedLine: LinePosition | null;
  deleted: z.infer<typeof deletedSchema> | null;
}

/** What one line adds to the index. */
export type IndexedLine =
  | { kind: 'action'; action: Action; words: string }
  | { kind: 'decided'; seq: number; executionId: string; decided: z.infer<typeof decidedSchema> }
  | { kind: 'deleted'; seq: number; executionId: string; deleted: z.infer<typeof deletedSchema>; bytes: number };

/** Longer names were not written by Chaperone's own agents; the log cuts off texts of 8,000. */
const MAX_NAME = 500;
export const cutName = (name: string): string => name.slice(0, MAX_NAME);

export const seqOf = (line: IndexedLine): number => (line.kind === 'action' ? line.action.seq : line.seq);

/** What is known of a call before its end. */
interface KnownCall {
  started: boolean;
  at: string;
  line: LinePosition | null;
  files: readonly { bytes: number }[];
}

/** null for a line that adds nothing. `calls`: before they are told of the entry. */
export function indexedLine(
  entry: AuditEntry,
  seq: number,
  place: LinePosition,
  calls: { find(executionId: string): KnownCall | null },
): IndexedLine | null {
  if (!Number.isSafeInteger(seq)) return null;
  if (entry.kind === 'decided') {
    const decided = { line: place, kind: entry.decision.kind, by: personDecision(entry) };
    return { kind: 'decided', seq, executionId: entry.executionId, decided };
  }
  if (entry.kind === 'tombstone') {
    const { executionId, reason, bytes } = entry;
    return { kind: 'deleted', seq, executionId, deleted: { at: timeOf(entry.at) ?? 0, reason }, bytes };
  }
  if (!hasRow(entry)) return null;
  const action = actionOf(entry, seq, place, calls.find(entry.execution.executionId));
  const activity = action.shown ? activityFrom(entry, seq) : null;
  return { kind: 'action', action, words: activity === null ? '' : searchedWords(activity) };
}

type EndingEntry = Extract<AuditEntry, { kind: 'ended' | 'abandoned' }>;

/** Not a call that ended before it began to act and has no folder. */
const hasRow = (entry: AuditEntry): entry is EndingEntry =>
  entry.kind === 'ended' || (entry.kind === 'abandoned' && (entry.started || entry.execution.dir !== null));

function actionOf(entry: EndingEntry, seq: number, place: LinePosition, call: KnownCall | null): Action {
  const { executionId, agent, effect, subject, dir, since } = entry.execution;
  const files = entry.kind === 'ended' ? entry.files : (call?.files ?? []);
  const { offset, bytes, hash } = place;
  // Spread objects would make it a slow one: ten times what all the rest of a line takes to index.
  return {
    offset,
    bytes,
    hash,
    seq,
    executionId,
    effect,
    agent: cutName(agent.name),
    app: subject.app === null ? null : cutName(subject.app),
    outcome: entry.kind === 'ended' ? entry.outcome : 'failed',
    shown: entry.kind === 'ended' || entry.started,
    hasFolder: dir !== null,
    size: dir === null ? 0 : files.reduce((sum, file) => sum + file.bytes, 0),
    since: timeOf(since) ?? 0,
    startedAt: call?.started === true ? timeOf(call.at) : null,
    startedLine: call?.line ?? null,
    decision: personDecision(entry),
  };
}

function timeOf(iso: string): number | null {
  const found = Date.parse(iso);
  return Number.isNaN(found) ? null : found;
}

/** A row as the database has it; null where it cannot be read. */
export function rowFrom(facts: { action: unknown; decided: unknown; deleted: unknown }): ActivityRow | null {
  const action = actionSchema.safeParse(facts.action);
  if (!action.success) return null;
  const decided = decidedSchema.safeParse(facts.decided).data ?? null;
  const deleted = deletedSchema.safeParse(facts.deleted).data ?? null;
  const row: ActivityRow = { ...action.data, decidedLine: decided?.line ?? null, deleted };
  row.decision ??= decided?.by ?? null;
  if (decided !== null) row.outcome = outcomeAfterDecision(row.outcome, decided);
  return row;
}
