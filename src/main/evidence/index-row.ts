/** Pure: the row of an entry that ends an execution. */
import type { AuditEntry } from './audit-entries.js';
import { personDecision } from './decision-habits.js';
import type { OpenCalls } from './open-calls.js';
import { cutName, type ActivityRow } from './row-format.js';
import type { LinePosition } from './scan-log.js';

export type EndingEntry = Extract<AuditEntry, { kind: 'ended' | 'abandoned' }>;

/** Whether the index lists it: not a call that ended before it began to act and has no folder. */
export const hasRow = (entry: AuditEntry): entry is EndingEntry =>
  entry.kind === 'ended' || (entry.kind === 'abandoned' && (entry.started || entry.execution.dir !== null));

/** `call`: what was known of it before its end. */
export function indexRow(
  entry: EndingEntry,
  seq: number,
  place: LinePosition,
  call: ReturnType<OpenCalls['find']>,
): ActivityRow {
  const { executionId, agent, effect, subject, dir, since } = entry.execution;
  const files = entry.kind === 'ended' ? entry.files : (call?.files ?? []);
  return {
    offset: place.offset,
    bytes: place.bytes,
    hash: place.hash,
    seq,
    executionId,
    agent: cutName(agent.name),
    app: subject.app === null ? null : cutName(subject.app),
    effect,
    outcome: entry.kind === 'ended' ? entry.outcome : 'failed',
    shown: entry.kind === 'ended' || entry.started,
    hasFolder: dir !== null,
    size: dir === null ? 0 : files.reduce((sum, { bytes }) => sum + bytes, 0),
    since: timeOf(since) ?? 0,
    startedAt: call?.started === true ? timeOf(call.at) : null,
    deleted: null,
    startedLine: call?.line ?? null,
    decidedLine: null,
    decision: personDecision(entry),
  };
}

function timeOf(iso: string): number | null {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? null : time;
}
