import { chmodSync, lstatSync, readFileSync, renameSync } from 'node:fs';
import * as z from 'zod';
import writeFileAtomic from 'write-file-atomic';
import { createLasting } from '../approvals/lasting.js';
import { publicKeySchema } from '../protocol/index.js';

const keySchema = z.object({
  keyId: z.string(),
  publicKey: publicKeySchema,
  pairedAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  by: z.string(),
});
export type PairedKey = z.infer<typeof keySchema>;

const fileSchema = z.object({ version: z.literal(1), keys: z.array(keySchema) });

export interface Keys {
  get(keyId: string): PairedKey | undefined;
  all(): PairedKey[];
  /** On disk when it returns. Throws, with nothing changed, when it cannot be written. */
  put(key: PairedKey): void;
  /** Counts at once, also where it cannot be written: that is tried again. */
  remove(keyId: string): boolean;
}

/**
 * The public keys of paired pages, in one 0600 file. A file that cannot be trusted (unreadable, a link, writable by others)
 * is moved aside as `.broken`: every page must then be paired again.
 */
export function createKeys(file: string): Keys {
  let keys = load(file);
  const disk = createLasting(() => write(keys));

  function write(next: Map<string, PairedKey>) {
    const text = JSON.stringify({ version: 1, keys: [...next.values()] }, null, 2);
    writeFileAtomic.sync(file, `${text}\n`, { mode: 0o600 });
  }

  return {
    get: (keyId) => keys.get(keyId),
    all() {
      disk.catchUp();
      return [...keys.values()];
    },
    put(key) {
      const next = new Map(keys).set(key.keyId, key);
      write(next);
      keys = next;
    },
    remove(keyId) {
      if (!keys.has(keyId)) return false;
      keys = new Map(keys);
      keys.delete(keyId);
      disk.tryWrite();
      return true;
    },
  };
}

function load(file: string): Map<string, PairedKey> {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats) return new Map();
  const found = stats.isFile() && (stats.mode & 0o022) === 0 ? parse(readFileSync(file, 'utf8')) : null;
  if (!found) {
    renameSync(file, `${file}.broken`);
    return new Map();
  }
  chmodSync(file, 0o600);
  return new Map(found.map((key) => [key.keyId, key]));
}

function parse(text: string): PairedKey[] | null {
  try {
    return fileSchema.safeParse(JSON.parse(text)).data?.keys ?? null;
  } catch {
    return null;
  }
}
