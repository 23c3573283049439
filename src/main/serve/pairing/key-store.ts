import { chmodSync, lstatSync, readFileSync, renameSync } from 'node:fs';
import * as z from 'zod';
import writeFileAtomic from 'write-file-atomic';
import { createDurableWriter } from '../../approvals/files.js';
import { publicKeySchema } from '../../protocol/index.js';

const keySchema = z.object({
  keyId: z.string(),
  publicKey: publicKeySchema,
  pairedAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  by: z.string(),
  /** The program that redeemed the link, as the kernel named it; null where it did not. */
  browser: z.string().nullable().default(null),
  /** Key ids of the pairings that this page has been told of and has dismissed. */
  told: z.array(z.string()).optional(),
});
export type PairedKey = z.infer<typeof keySchema>;

const pastSchema = keySchema.pick({ keyId: true, pairedAt: true, by: true, browser: true }).extend({
  endedAt: z.iso.datetime(),
});
/** A revoked pairing. */
type PastPairing = z.infer<typeof pastSchema>;

const fileSchema = z.object({
  version: z.literal(1),
  keys: z.array(keySchema),
  past: z.array(pastSchema).default([]),
  /** What the popover, which has no key, has dismissed. */
  popoverTold: z.array(z.string()).optional(),
});
type File = z.infer<typeof fileSchema>;

/** Older ones are forgotten. */
const MAX_PAST_PAIRINGS = 50;

/**
 * The public keys of paired pages, in one 0600 file. A file that cannot be trusted (unreadable, a link, writable by others)
 * is moved aside as `.broken`: every page must then be paired again.
 */
export function createKeyStore(file: string) {
  let state = load(file);
  const disk = createDurableWriter(() => write(state));
  const find = (keyId: string) => state.keys.find((key) => key.keyId === keyId);

  function write(next: File) {
    writeFileAtomic.sync(file, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 });
  }

  return {
    get: find,
    all(): PairedKey[] {
      disk.retry();
      return [...state.keys];
    },
    /** On disk when it returns. Throws, with nothing changed, when it cannot be written. */
    put(key: PairedKey): void {
      const known = find(key.keyId);
      const keys = known === undefined ? [...state.keys, key] : state.keys.map((one) => (one === known ? key : one));
      const next = { ...state, keys };
      write(next);
      state = next;
    },
    /** Takes effect at once; a failed write is tried again. */
    remove(keyId: string, endedAt: string): boolean {
      const key = find(keyId);
      if (key === undefined) return false;
      const { pairedAt, by, browser } = key;
      const past = [...state.past, { keyId, pairedAt, by, browser, endedAt }].slice(-MAX_PAST_PAIRINGS);
      state = { ...state, keys: state.keys.filter((one) => one !== key), past };
      disk.tryWrite();
      return true;
    },
    /** Latest last. */
    past: (): PastPairing[] => [...state.past],
    /** What the page of this key, or for null the popover, has dismissed. */
    dismissed: (keyId: string | null): readonly string[] =>
      (keyId === null ? state.popoverTold : find(keyId)?.told) ?? [],
    setDismissed(keyId: string | null, told: readonly string[]): void {
      state =
        keyId === null
          ? { ...state, popoverTold: [...told] }
          : { ...state, keys: state.keys.map((key) => (key.keyId === keyId ? { ...key, told: [...told] } : key)) };
      disk.tryWrite();
    },
  };
}

const NOTHING: File = { version: 1, keys: [], past: [] };

function load(file: string): File {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats) return NOTHING;
  const found = stats.isFile() && (stats.mode & 0o022) === 0 ? parse(readFileSync(file, 'utf8')) : null;
  if (!found) {
    renameSync(file, `${file}.broken`);
    return NOTHING;
  }
  chmodSync(file, 0o600);
  return withDismissed(found);
}

/** Files of earlier versions do not say what was dismissed, so their pairings are not announced. */
function withDismissed(file: File): File {
  const known = file.keys.map(({ keyId }) => keyId);
  const keys = file.keys.map((key) => ({ ...key, told: key.told ?? known }));
  return { ...file, keys, popoverTold: file.popoverTold ?? known };
}

function parse(text: string): File | null {
  try {
    return fileSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
