import type { Logger } from './logger.js';

/** Puts files on disk that no call waits for: together within 50 ms, so that most find it done by the first. Owned by the recorder. */
export interface SyncGroup {
  /** False where its call must wait for it: too many are due, one has failed, or the group is closed. */
  add(file: UnsyncedFile): boolean;
  /** Resolves when all are on disk. Never rejects. */
  close(): Promise<void>;
}

interface UnsyncedFile {
  path: string;
  /** Also closes it. */
  sync(): Promise<void>;
}

const GROUP_MS = 50;
/** Each keeps a file open. */
const MAX_WAITING = 256;

export function createSyncGroup(log: Logger): SyncGroup {
  let waiting: UnsyncedFile[] = [];
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();
  let works = true;

  async function syncAll(files: readonly UnsyncedFile[]): Promise<void> {
    for (const { path, sync } of files) {
      await sync().catch((error: unknown) => {
        works = false;
        log.warn({ path, reason: String(error) }, 'evidence may not be on disk');
      });
    }
  }

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const files = waiting;
    waiting = [];
    running = running.then(() => syncAll(files));
  }

  return {
    add(file) {
      if (!works || waiting.length >= MAX_WAITING) return false;
      waiting.push(file);
      timer ??= setTimeout(flush, GROUP_MS);
      return true;
    },
    async close() {
      works = false;
      flush();
      await running;
    },
  };
}
