import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { FileDigest, EvidenceName } from './folder.js';
import type { Folder } from './held-folder.js';

/** trace.jsonl while it grows: each line is on its way to the disk before the next is taken. */
export interface Trace {
  add(line: string): Promise<void>;
  /** Closes the file; null when there was never a line. */
  end(): Promise<FileDigest | null>;
}

const NAME: EvidenceName = 'trace.jsonl';

export function createTrace(folder: Folder): Trace {
  const hash = createHash('sha256');
  let file: FileHandle | null = null;
  let bytes = 0;
  return {
    async add(line) {
      file ??= await folder.create(NAME);
      const text = Buffer.from(`${line}\n`);
      try {
        await file.appendFile(text);
      } catch (error) {
        await file.truncate(bytes);
        throw error;
      }
      hash.update(text);
      bytes += text.length;
    },
    async end() {
      if (file === null) return null;
      try {
        await file.datasync();
      } finally {
        await file.close();
      }
      return { name: NAME, sha256: hash.digest('hex'), bytes };
    },
  };
}
