import type { ChatRecord } from './records.js';

/** Of the log and of what is in memory. What goes is still on disk, in other files. */
export const CHAT_LOG_LIMITS = {
  bytes: 32_000_000,
  records: 5_000,
  keptRecords: 2_500,
  keptBytes: 16_000_000,
} as const;

export const isOutgrown = (records: number, bytes: number): boolean =>
  bytes > CHAT_LOG_LIMITS.bytes || records > CHAT_LOG_LIMITS.records;

/** The records to keep when the log has outgrown its limits: the newest ones, and everything about questions whose answer has not arrived, in their old order. */
export function recordsToKeep(records: ChatRecord[]): ChatRecord[] {
  const settled = new Set(records.filter(isEnd).map(ackOf));
  let bytesLeft = CHAT_LOG_LIMITS.keptBytes;
  let count = 0;
  const kept = records.toReversed().filter((record) => {
    if (!settled.has(ackOf(record))) return true;
    bytesLeft -= JSON.stringify(record).length;
    count += 1;
    return bytesLeft >= 0 && count <= CHAT_LOG_LIMITS.keptRecords;
  });
  return kept.reverse();
}

function isEnd(record: ChatRecord): boolean {
  return record.kind === 'event' && (record.event.type === 'delivered' || record.event.type === 'withdrawn');
}

function ackOf(record: ChatRecord): string {
  return record.kind === 'event' ? record.event.ack_id : record.ackId;
}
