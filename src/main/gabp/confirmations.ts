/** Which entries of `gabp-apps.json` a person has confirmed, word for word. Anything else in the file counts as none. */
import * as z from 'zod';
import { digestOf } from '../approvals/index.js';
import { readPrivate, writePrivate } from '../approvals/files.js';
import type { AppEntry } from './config.js';

export interface Confirmations {
  has(name: string, entry: AppEntry): boolean;
  /** Throws when it is not on disk: then it is not confirmed. */
  add(name: string, entry: AppEntry): void;
}

const fileSchema = z.strictObject({ version: z.literal(1), confirmed: z.record(z.string(), z.string()) });

/** `file` null: what was confirmed earlier does not count, and nothing is kept. */
export function createConfirmations(file: string | null, log: (thrown: unknown) => void): Confirmations {
  const confirmed = new Map<string, string>(file === null ? [] : load(file, log));
  return {
    has: (name, entry) => confirmed.get(name) === entryDigest(name, entry),
    add(name, entry) {
      const next = new Map(confirmed).set(name, entryDigest(name, entry));
      if (file !== null) writePrivate(file, { version: 1, confirmed: Object.fromEntries(next) });
      confirmed.set(name, entryDigest(name, entry));
    },
  };
}

/** Over everything in the entry, defaults included. */
export const entryDigest = (name: string, entry: AppEntry): string => digestOf({ name, entry });

function load(file: string, log: (thrown: unknown) => void): [string, string][] {
  try {
    const found = readPrivate(file);
    return found === null ? [] : Object.entries(fileSchema.parse(found).confirmed);
  } catch (thrown) {
    log(thrown);
    return [];
  }
}
