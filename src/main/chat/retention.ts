import type { ChatRecord } from './records.js';

export const CHAT_LOG_LIMITS = {
  bytes: 64_000_000,
  records: 20_000,
  keptRecords: 10_000,
  keptBytes: 32_000_000,
} as const;

/**
 * The records to keep when the log has outgrown its limits: the newest ones, and everything about questions whose answer has not
 * arrived, in their old order. Returns the same list while there is room.
 */
export function recordsToKeep(records: ChatRecord[], bytes: number): ChatRecord[] {
  if (bytes <= CHAT_LOG_LIMITS.bytes && records.length <= CHAT_LOG_LIMITS.records) return records;
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
