/**
 * Makes the index of a long log beside a running host: in a file of its own, which takes its place when it is done, a few lines at a
 * time with rests in between. Checks on the way that each line follows the one before.
 */
import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { logPath } from './audit-head.js';
import { IndexDatabase, indexPath, removeIndex } from './index-database.js';
import { indexedLine } from './index-row.js';
import { IndexCounts } from './index-state.js';
import { createLeftovers } from './leftovers.js';
import { createOpenCalls, type CallsState } from './open-calls.js';
import { isSamePoint, scanLog, type ChainPoint } from './scan-log.js';

export interface BuildOptions {
  stateDir: string;
  /** Up to here. */
  to: ChainPoint;
  /** For each millisecond of work, as many of rest. */
  rest: number;
  signal: AbortSignal;
  onProgress(share: number): void;
}

export interface BuiltIndex {
  counts: IndexCounts;
  leftovers: string[];
  calls: CallsState;
  /** Of the chain. */
  breaks: number;
}

export const newIndexPath = (stateDir: string) => `${indexPath(stateDir)}.new`;

const WORK_MS = 2;
/** What takes longer waited for the disk or another program: that is no work. */
const MAX_WORK_MS = 5;

export async function buildIndex({ stateDir, to, rest, signal, onProgress }: BuildOptions): Promise<BuiltIndex> {
  const path = newIndexPath(stateDir);
  const db = await IndexDatabase.create(path, 'build');
  try {
    const [counts, leftovers, calls] = [new IndexCounts(), createLeftovers([]), createOpenCalls()];
    let resumed = performance.now();
    db.begin();
    const scan = await scanLog(logPath(stateDir), {
      ...{ mark: 0, to: to.bytes, signal },
      onEntry(entry, seq, place) {
        const line = indexedLine(entry, seq, place, calls);
        calls.apply(entry, place);
        leftovers.apply(entry);
        if (line === null) return;
        counts.apply(line);
        db.insert('main', [line]);
      },
      async onPart({ bytes }) {
        const worked = performance.now() - resumed;
        if (worked < WORK_MS) return;
        onProgress(bytes / to.bytes);
        await delay(Math.min(worked, MAX_WORK_MS) * rest, undefined, { signal });
        resumed = performance.now();
      },
    });
    db.commit();
    db.close();
    await sync(path);
    const breaks = scan.breaks.length + Number(!isSamePoint(scan, to));
    return { counts, leftovers: leftovers.list(), calls: calls.snapshot(), breaks };
  } catch (error) {
    db.close();
    await removeIndex(path);
    throw error;
  }
}

/** It was written without waiting for the disk. */
async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
