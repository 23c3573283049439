/** Which entries of `gabp-apps.json` a person has confirmed, word for word, and the code that they start. Anything else counts as none. */
import { realpathSync, statSync } from 'node:fs';
import * as z from 'zod';
import { digestOf } from '../approvals/index.js';
import { readPrivate, writePrivate } from '../approvals/files.js';
import { placeOf } from '../../native/peer/program-places.js';
import type { PlannedFile } from '../approvals/plan.js';
import type { AppEntry } from './config.js';
import type { LaunchedCode } from './launched-code.js';

export interface Confirmations {
  has(name: string, entry: AppEntry): boolean;
  /** Whether it needs no other confirmation now. */
  stands(name: string, entry: AppEntry, code: LaunchedCode): boolean;
  /** Paths of what was replaced since the entry was confirmed. */
  changed(name: string, files: readonly PlannedFile[]): string[];
  /** Throws when it is not on disk: then it is not confirmed. */
  add(name: string, entry: AppEntry, files: readonly PlannedFile[]): void;
}

/** By path: owner and content; of a folder, where it lies. */
const filesSchema = z.record(z.string(), z.string());
const confirmedSchema = z.strictObject({ entry: z.string(), files: filesSchema });
type Confirmed = z.infer<typeof confirmedSchema>;
const fileSchema = z.strictObject({ version: z.literal(3), confirmed: z.record(z.string(), confirmedSchema) });

/** `file` null: what was confirmed earlier does not count, and nothing is kept. */
export function createConfirmations(file: string | null, log: (thrown: unknown) => void): Confirmations {
  const confirmed = new Map<string, Confirmed>(file === null ? [] : load(file, log));
  /** Confirmed in this run of the host. */
  const recent = new Set<string>();

  const has: Confirmations['has'] = (name, entry) => confirmed.get(name)?.entry === entryDigest(name, entry);
  function changed(name: string, files: readonly PlannedFile[]): string[] {
    const [before, now] = [confirmed.get(name)?.files ?? {}, contentOf(files)];
    const paths = new Set([...Object.keys(before), ...Object.keys(now)]);
    return [...paths].filter((path) => before[path] !== now[path]);
  }

  return {
    has,
    changed,
    stands: (name, entry, { files, untold }) =>
      has(name, entry) && changed(name, files).length === 0 && (recent.has(name) || untold === null),
    add(name, entry, files) {
      const one = { entry: entryDigest(name, entry), files: contentOf(files) };
      const next = new Map(confirmed).set(name, one);
      if (file !== null) writePrivate(file, { version: 3, confirmed: Object.fromEntries(next) });
      confirmed.set(name, one);
      recent.add(name);
    },
  };
}

/** What the system has installed stays the same when the system updates it. */
const contentOf = (files: readonly PlannedFile[]): Confirmed['files'] =>
  Object.fromEntries(
    files.map(({ path, identity, sha256 }) => {
      const facts = statSync(path, { throwIfNoEntry: false });
      const owner = facts?.uid ?? 'none';
      const content = facts?.isDirectory() === true ? realpathSync(path) : (sha256 ?? identity);
      return [path, placeOf(path) === 'system' ? 'system' : `${owner} ${content}`];
    }),
  );

/** Over everything in the entry, defaults included. */
export const entryDigest = (name: string, entry: AppEntry): string => digestOf({ name, entry });

function load(file: string, log: (thrown: unknown) => void): [string, Confirmed][] {
  try {
    const found = readPrivate(file);
    return found === null ? [] : Object.entries(fileSchema.parse(found).confirmed);
  } catch (thrown) {
    log(thrown);
    return [];
  }
}
