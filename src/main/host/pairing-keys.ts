import { chmodSync, lstatSync, readFileSync, renameSync } from 'node:fs';
import * as z from 'zod';
import writeFileAtomic from 'write-file-atomic';
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
  remove(keyId: string): boolean;
}

/**
 * The public keys of paired pages, in one 0600 file. A file that cannot be trusted (unreadable, a link, writable by others)
 * is moved aside as `.broken`: every page must then be paired again.
 */
export function createKeys(file: string): Keys {
  let keys = load(file);

  function save(next: Map<string, PairedKey>) {
    const text = JSON.stringify({ version: 1, keys: [...next.values()] }, null, 2);
    writeFileAtomic.sync(file, `${text}\n`, { mode: 0o600 });
    keys = next;
  }

  return {
    get: (keyId) => keys.get(keyId),
    all: () => [...keys.values()],
    put: (key) => save(new Map(keys).set(key.keyId, key)),
    remove(keyId) {
      if (!keys.has(keyId)) return false;
      const next = new Map(keys);
      next.delete(keyId);
      save(next);
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
