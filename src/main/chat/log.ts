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
import { lineOf, readRecords } from './lines.js';
import type { ChatRecord } from './records.js';

const CLOSED = -1;

interface ChatLog {
  bytes(): number;
  /** On disk when it returns. Throws, leaving the file as it was, when it cannot be written. */
  append(record: ChatRecord): void;
  /** Only these are left of it, on disk when it returns. Throws when they cannot be written; what was there is there still. */
  rewrite(records: readonly ChatRecord[]): void;
  close(): void;
}

/**
 * Opens or creates the JSONL file (0600, never through a link). A torn last line, left by a host that died while writing, is cut off;
 * other unreadable lines are passed over, kept and reported. `records`: what is in it, oldest first.
 */
export function openLog(file: string, log: Logger): { records: ChatRecord[]; disk: ChatLog } {
  let fd = openPrivate(file);
  const { records, whole, unended } = readRecords(readFileSync(fd), log);
  let size = whole;
  ftruncateSync(fd, whole);
  if (unended) size += writeAll(fd, Buffer.from('\n'));

  const disk: ChatLog = {
    bytes: () => size,
    append(record) {
      try {
        const written = writeAll(fd, Buffer.from(lineOf(record)));
        fdatasyncSync(fd);
        size += written;
      } catch (error) {
        ftruncateSync(fd, size);
        throw error;
      }
    },
    rewrite(kept) {
      writeFileAtomic.sync(file, kept.map(lineOf).join(''), { mode: 0o600 });
      close();
      fd = openPrivate(file);
      size = fstatSync(fd).size;
    },
    close,
  };
  return { records, disk };

  /** What is written afterwards fails. */
  function close(): void {
    if (fd !== CLOSED) closeSync(fd);
    fd = CLOSED;
  }
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

function writeAll(fd: number, bytes: Buffer): number {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
  return bytes.length;
}
