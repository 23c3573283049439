import type { ChatRecord } from './records.js';

export const RETENTION = { bytes: 64_000_000, records: 20_000, keptRecords: 10_000, keptBytes: 32_000_000 } as const;

/**
 * The records to keep when the log has outgrown its limits: the newest ones, and everything about questions whose answer has not
 * arrived, in their old order. Returns the same list while there is room.
 */
export function retained(records: ChatRecord[], bytes: number): ChatRecord[] {
  if (bytes <= RETENTION.bytes && records.length <= RETENTION.records) return records;
  const settled = new Set(
    records.filter((record) => record.kind === 'event' && isEnd(record.event.type)).map((record) => ackOf(record)),
  );
  let room = RETENTION.keptBytes;
  let count = 0;
  const kept = records.toReversed().filter((record) => {
    if (!settled.has(ackOf(record))) return true;
    room -= JSON.stringify(record).length;
    count += 1;
    return room >= 0 && count <= RETENTION.keptRecords;
  });
  return kept.reverse();
}

function isEnd(type: string): boolean {
  return type === 'delivered' || type === 'withdrawn';
}

function ackOf(record: ChatRecord): string {
  return record.kind === 'event' ? record.event.ack_id : record.ackId;
}
