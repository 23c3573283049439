/** Records as lines of JSON. */
import type { Logger } from 'pino';
import { chatRecordSchema, type ChatRecord } from './records.js';

export function lineOf(record: ChatRecord): string {
  return `${JSON.stringify(record)}\n`;
}

export function readRecords(bytes: Buffer, log: Logger) {
  const records: ChatRecord[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    const record = parse(bytes.toString('utf8', start, end));
    if (record) records.push(record);
    else log.warn({ at: start }, 'chat log: a line could not be read and was passed over');
    start = end + 1;
  }
  const last = start < bytes.length ? parse(bytes.toString('utf8', start)) : null;
  if (last) records.push(last);
  else if (start < bytes.length) log.warn({ at: start }, 'chat log: the last line was torn and was cut off');
  return {
    records,
    /** Bytes up to the end of the last complete line. */
    whole: last ? bytes.length : start,
    /** The last line is valid but lacks its line end. */
    unended: last !== null,
  };
}

function parse(text: string): ChatRecord | null {
  try {
    return chatRecordSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
