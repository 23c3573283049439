import {
  closeSync,
  constants,
  fchmodSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import type { Logger } from 'pino';
import writeFileAtomic from 'write-file-atomic';
import { message, MessageError } from '../../messages/index.js';
import { chatRecordSchema, type ChatRecord } from './records.js';
import { recordsToKeep } from './retention.js';

interface ChatLog {
  /** What was on disk at the start, oldest first. */
  readonly records: readonly ChatRecord[];
  /** On disk when it returns. Throws, leaving the file as it was, when it cannot be written. */
  append(record: ChatRecord): void;
  close(): void;
}

interface LogContents {
  records: ChatRecord[];
  /** Bytes up to the end of the last complete line. */
  whole: number;
  /** The last line is valid but lacks its line end. */
  unended: boolean;
}

/**
 * Opens or creates the JSONL file (0600, never through a link). A torn last line, left by a host that died while writing, is cut off;
 * other unreadable lines are passed over, kept and reported.
 */
export function openLog(file: string, log: Logger): ChatLog {
  let fd = openPrivate(file);
  const { records, whole, unended } = readRecords(readFileSync(fd), log);
  let size = whole;
  ftruncateSync(fd, whole);
  if (unended) size += writeAll(fd, Buffer.from('\n'));

  const kept = recordsToKeep(records, size);
  if (kept.length < records.length) {
    closeSync(fd);
    writeFileAtomic.sync(file, kept.map(line).join(''), { mode: 0o600 });
    fd = openPrivate(file);
    size = fstatSync(fd).size;
  }

  return {
    records: kept,
    append(record) {
      try {
        const written = writeAll(fd, Buffer.from(line(record)));
        fdatasyncSync(fd);
        size += written;
      } catch (error) {
        ftruncateSync(fd, size);
        throw error;
      }
    },
    close: () => closeSync(fd),
  };
}

function openPrivate(file: string): number {
  const fd = openSync(file, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  if (!fstatSync(fd).isFile()) {
    closeSync(fd);
    throw new MessageError(message('host.no_chat_file', { file }));
  }
  fchmodSync(fd, 0o600);
  return fd;
}

function line(record: ChatRecord): string {
  return `${JSON.stringify(record)}\n`;
}

function writeAll(fd: number, bytes: Buffer): number {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
  return bytes.length;
}

function readRecords(bytes: Buffer, log: Logger): LogContents {
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
  return { records, whole: last ? bytes.length : start, unended: last !== null };
}

function parse(text: string): ChatRecord | null {
  try {
    return chatRecordSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
