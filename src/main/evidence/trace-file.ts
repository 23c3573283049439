import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { EvidenceFileName } from '../protocol/index.js';
import { syncAndClose, type FileDigest } from './execution-folder.js';
import type { OpenFolder } from './folder-interface.js';

/** Writes trace.jsonl. */
interface ExecutionTrace {
  /** Keeps the line until `flush`. */
  add(line: string): void;
  /** Writes the lines that were added. */
  flush(): Promise<void>;
  /** Of the lines that were written; null for none. */
  digest(): FileDigest | null;
  /** Syncs and closes the file. Once, after the last `flush`. */
  close(): Promise<void>;
}

const NAME: EvidenceFileName = 'trace.jsonl';

export function createTrace(folder: OpenFolder): ExecutionTrace {
  const hash = createHash('sha256');
  let waiting: string[] = [];
  let file: FileHandle | null = null;
  let bytes = 0;
  return {
    add: (line) => void waiting.push(line),
    async flush() {
      if (waiting.length === 0) return;
      const text = Buffer.from(waiting.map((line) => `${line}\n`).join(''));
      waiting = [];
      file ??= await folder.create(NAME);
      try {
        await file.appendFile(text);
      } catch (error) {
        await file.truncate(bytes);
        throw error;
      }
      hash.update(text);
      bytes += text.length;
    },
    digest: () => (file === null ? null : { name: NAME, sha256: hash.copy().digest('hex'), bytes }),
    close: () => (file === null ? Promise.resolve() : syncAndClose(file)),
  };
}
