import type { OpenFolder } from './folder-interface.js';

/** Folders that call after call needs stay open between calls, until none has used them for a while. Owned by the recorder. */
export interface KeptFolders {
  /**
   * Runs `use` with the folder at `path`, and `open` before it where none is kept. `use` must notice a folder that was moved
   * (`assertUnmoved`): after a failure with a kept one, all is done once more with one that is opened anew.
   */
  use<T>(path: string, open: () => Promise<Opened>, use: (folder: OpenFolder) => Promise<T>): Promise<T>;
  /** Resolves when all are closed that are not in use; the others close after their use. */
  close(): Promise<void>;
}

/** `keep`: as long as the folder is unmoved, `open` would find the same one. */
export interface Opened {
  folder: OpenFolder;
  keep: boolean;
}

interface Entry extends Opened {
  users: number;
  idle: NodeJS.Timeout | null;
  closing: Promise<void> | null;
}

const IDLE_MS = 10_000;
const MAX_KEPT = 32;

export function createKeptFolders(idleMs = IDLE_MS): KeptFolders {
  const kept = new Map<string, Entry>();
  let closed = false;

  function drop(path: string, entry: Entry): Promise<void> {
    if (kept.get(path) === entry) kept.delete(path);
    if (entry.idle !== null) clearTimeout(entry.idle);
    entry.idle = null;
    if (entry.users === 0) entry.closing ??= entry.folder.close();
    return entry.closing ?? Promise.resolve();
  }

  function keep(path: string, entry: Entry): boolean {
    if (closed || !entry.keep) return false;
    const known = kept.get(path);
    if (known === undefined && kept.size >= MAX_KEPT) return false;
    if (known !== undefined && known !== entry) void drop(path, known);
    kept.set(path, entry);
    return true;
  }

  async function lend<T>(path: string, entry: Entry, use: (folder: OpenFolder) => Promise<T>): Promise<T> {
    entry.users += 1;
    let stays = false;
    try {
      const made = await use(entry.folder);
      stays = keep(path, entry);
      return made;
    } finally {
      entry.users -= 1;
      if (!stays) await drop(path, entry);
      else if (entry.idle === null) entry.idle = setTimeout(() => void drop(path, entry), idleMs).unref();
      else entry.idle.refresh();
    }
  }

  return {
    async use(path, open, use) {
      const known = kept.get(path);
      if (known !== undefined) {
        try {
          return await lend(path, known, use);
        } catch {
          // Moved, deleted or exchanged since: what is wrong now is told by a look at the path itself.
        }
      }
      return lend(path, { ...(await open()), users: 0, idle: null, closing: null }, use);
    },
    async close() {
      closed = true;
      await Promise.all([...kept].map(([path, entry]) => drop(path, entry)));
    },
  };
}
