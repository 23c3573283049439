/** The file `audit.index`: rows of the actions in the log, in the order in which they ended. Made from the log, and made anew where it is damaged. */
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { errno } from '../../base/errno.js';
import { READ_FLAGS } from './folder-interface.js';
import { decodeRow, encodeRow, ID_OFFSET, idDigits, readId, ROW_BYTES, type ActivityRow } from './row-format.js';

export interface RowFile {
  count(): number;
  /** From `from` up to `to`, not including it; null for a damaged one. */
  read(from: number, to: number): Promise<(ActivityRow | null)[]>;
  /** After the last one. They count from `advance` on. */
  write(rows: readonly ActivityRow[]): Promise<void>;
  advance(rows: number): void;
  replace(number: number, row: ActivityRow): Promise<void>;
  /** Reads the file to its end, or until all are found. */
  numbersOf(executionIds: ReadonlySet<string>): Promise<Map<string, number>>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

const FLAGS = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
const CHUNK_ROWS = 4_096;

export type StoredRows = Pick<RowFile, 'read' | 'numbersOf'>;

export const indexPath = (stateDir: string) => `${stateDir}/audit.index`;

/** Keeps the first `rows` of it. Rejects where there are fewer. */
export async function openRowFile(path: string, rows: number): Promise<RowFile> {
  const file = await open(path, FLAGS, 0o600);
  let count = rows;

  try {
    if ((await file.stat()).size < rows * ROW_BYTES) throw new Error('the index is shorter than its checkpoint says');
    await file.truncate(rows * ROW_BYTES);
  } catch (error) {
    await file.close();
    throw error;
  }
  return {
    count: () => count,
    ...createRowsReader(file, () => count),
    write: (rows) => writeAll(Buffer.concat(rows.map(encodeRow)), count),
    advance(rows) {
      count += rows;
    },
    replace: (number, row) => writeAll(encodeRow(row), number),
    sync: () => file.datasync(),
    close: () => file.close(),
  };

  async function writeAll(bytes: Buffer, number: number): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await file.write(bytes, done, bytes.length - done, number * ROW_BYTES + done);
      done += bytesWritten;
    }
  }
}

/** To compare with the log: changes nothing. null where there is no index. */
export async function openStoredRows(
  path: string,
  rows: number,
): Promise<(StoredRows & { close(): Promise<void> }) | null> {
  try {
    const file = await open(path, READ_FLAGS);
    return { ...createRowsReader(file, () => rows), close: () => file.close() };
  } catch (error) {
    if (errno(error) === 'ENOENT') return null;
    throw error;
  }
}

function createRowsReader(file: FileHandle, count: () => number): StoredRows {
  async function readBytes(from: number, to: number): Promise<Buffer> {
    const buffer = Buffer.alloc(Math.max(0, to - from) * ROW_BYTES);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, from * ROW_BYTES);
    return buffer.subarray(0, bytesRead - (bytesRead % ROW_BYTES));
  }

  return {
    async read(from, to) {
      const bytes = await readBytes(from, Math.min(to, count()));
      return Array.from({ length: Math.max(0, Math.min(to, count()) - from) }, (_, at) =>
        decodeRow(bytes.subarray(at * ROW_BYTES, (at + 1) * ROW_BYTES)),
      );
    },
    async numbersOf(executionIds) {
      const starts = new Set([...executionIds].map((id) => Number.parseInt(idDigits(id).slice(0, 8), 16)));
      const found = new Map<string, number>();
      for (let from = 0; from < count() && found.size < executionIds.size; from += CHUNK_ROWS) {
        const bytes = await readBytes(from, Math.min(from + CHUNK_ROWS, count()));
        for (let at = 0; at < bytes.length; at += ROW_BYTES) {
          if (!starts.has(bytes.readUInt32BE(at + ID_OFFSET))) continue;
          const id = readId(bytes, at + ID_OFFSET);
          if (executionIds.has(id)) found.set(id, from + at / ROW_BYTES);
        }
      }
      return found;
    },
  };
}
