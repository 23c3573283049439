import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { EvidenceFileName } from '../protocol/index.js';
import type { FileDigest } from './execution-folder.js';
import type { OpenFolder } from './folder-interface.js';

/** Writes trace.jsonl line by line. */
interface ExecutionTrace {
  add(line: string): Promise<void>;
  /** Closes the file; null when no line was written. */
  end(): Promise<FileDigest | null>;
}

const NAME: EvidenceFileName = 'trace.jsonl';

export function createTrace(folder: OpenFolder): ExecutionTrace {
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
