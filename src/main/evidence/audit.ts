/** The audit log: `audit.jsonl` in the state folder. Comes in: entries. Goes out: their numbers, once they are on disk. The recorder owns it. */
import { constants } from 'node:fs';
import { mkdir, open, stat, type FileHandle } from 'node:fs/promises';
import { GENESIS, seal, sha256 } from './chain.js';
import type { Entry, Recovered } from './entries.js';
import { storageError } from './failures.js';
import { logPath, readHead, writeHead, type Head } from './head.js';
import { scanLog, type LinePlace, type Scan } from './scan.js';

export interface Audit {
  /** Resolves with the line's number when line and head are on disk; rejects with a WireError, and then no part of the line is left. */
  append(entry: Entry): Promise<number>;
  /** What opening had to put right; null when nothing. */
  readonly recovered: Recovered | null;
  close(): Promise<void>;
}

export interface AuditOptions {
  stateDir: string;
  now: () => Date;
  /** Called for every entry there is, then for each new one, in order. */
  onEntry(entry: Entry, seq: number, place: LinePlace): void;
}

const OPEN = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
const MOST_AT_ONCE = 256;

interface Waiting {
  entry: Entry;
  resolve(seq: number): void;
  reject(error: Error): void;
}

/** Opens the log, reads it, and says in a marked line what was wrong with it. Rejects when the state folder cannot be used. */
export async function openAudit(options: AuditOptions): Promise<Audit> {
  const path = logPath(options.stateDir);
  try {
    await mkdir(options.stateDir, { recursive: true, mode: 0o700 });
    const head = await readHead(options.stateDir);
    const mark = head === null || head === 'unreadable' ? 0 : head.count;
    const scan = await scanLog(path, { mark, onEntry: options.onEntry });
    const file = await open(path, OPEN, 0o600);
    return await prepare(options, file, scan, head).catch(async (error: unknown) => {
      await file.close();
      throw error;
    });
  } catch (error) {
    throw storageError(error, 'the audit log', path);
  }
}

async function prepare(
  options: AuditOptions,
  file: FileHandle,
  scan: Scan,
  head: Head | 'unreadable' | null,
): Promise<Audit> {
  await file.chmod(0o600);
  if (scan.torn !== null) await file.truncate(scan.bytes);
  if (scan.lines === 0 && head === null) await writeHead(options.stateDir, 0, GENESIS);
  return serve(options, file, scan, findings(scan, head, options));
}

function findings(scan: Scan, saved: Head | 'unreadable' | null, options: AuditOptions): Recovered | null {
  const head = saved === 'unreadable' ? null : saved;
  const headMissing = saved === null ? scan.lines > 0 : head === null;
  const count = head?.count ?? 0;
  const exchanged = head !== null && scan.marked !== null && scan.marked !== head.hash;
  const recovered: Recovered = {
    kind: 'recovered',
    at: options.now().toISOString(),
    torn: scan.torn && {
      bytes: scan.torn.length,
      sha256: sha256(scan.torn),
      base64: scan.torn.subarray(0, 4096).toString('base64'),
    },
    ahead: headMissing ? 0 : Math.max(0, scan.lines - count),
    lost: Math.max(0, count - scan.lines),
    headMissing,
    damaged: scan.breaks.length + (exchanged ? 1 : 0),
  };
  const { torn, ahead, lost, damaged } = recovered;
  return torn !== null || headMissing || ahead + lost + damaged > 0 ? recovered : null;
}

async function serve(options: AuditOptions, file: FileHandle, scan: Scan, recovered: Recovered | null): Promise<Audit> {
  const path = logPath(options.stateDir);
  let { lines, seq, hash, bytes } = scan;
  let halfWritten = false;
  let waiting: Waiting[] = [];
  let pump: Promise<void> | null = null;
  let closed = false;

  /** A log that someone moved, replaced or wrote to is not added to: what is added could be lost or would hide it. */
  async function assertOurs(): Promise<void> {
    if (halfWritten) await file.truncate(bytes);
    halfWritten = false;
    const [held, named] = [await file.stat(), await stat(path).catch(() => null)];
    if (named === null || named.ino !== held.ino || named.dev !== held.dev)
      throw new Error('it was moved or deleted while in use; restart Chaperone');
    if (held.size !== bytes)
      throw new Error('something else wrote to it; restart Chaperone and run `chaperone evidence verify`');
  }

  async function write(batch: readonly Waiting[]): Promise<LinePlace[]> {
    await assertOurs();
    const sealed: Buffer[] = [];
    const places: LinePlace[] = [];
    let tip = hash;
    let offset = bytes;
    for (const [index, { entry }] of batch.entries()) {
      const { line, hash: next } = seal(entry, seq + 1 + index, tip);
      const raw = Buffer.from(line);
      sealed.push(raw);
      places.push({ offset, bytes: raw.length - 1, hash: next });
      offset += raw.length;
      tip = next;
    }
    const text = Buffer.concat(sealed);
    halfWritten = true;
    await file.appendFile(text);
    await file.datasync();
    await writeHead(options.stateDir, lines + batch.length, tip);
    halfWritten = false;
    [lines, hash, bytes] = [lines + batch.length, tip, bytes + text.length];
    return places;
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_AT_ONCE);
      waiting = waiting.slice(MOST_AT_ONCE);
      let places: LinePlace[];
      try {
        places = await write(batch);
      } catch (error) {
        if (halfWritten) halfWritten = await file.truncate(bytes).then(() => false, () => true); // prettier-ignore
        for (const { reject } of batch) reject(storageError(error, 'the audit log', path));
        continue;
      }
      for (const [index, { entry, resolve }] of batch.entries()) {
        seq += 1;
        const place = places[index];
        if (place) options.onEntry(entry, seq, place);
        resolve(seq);
      }
    }
    pump = null;
  }

  const append = (entry: Entry) =>
    new Promise<number>((resolve, reject) => {
      if (closed) return reject(storageError(new Error('the recorder is closed'), 'the audit log', path));
      waiting.push({ entry, resolve, reject });
      pump ??= drain();
    });

  if (recovered !== null) await append(recovered);
  return {
    append,
    recovered,
    async close() {
      closed = true;
      await pump;
      await file.close();
    },
  };
}
