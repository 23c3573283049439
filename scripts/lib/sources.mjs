import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A hash of the paths, sizes and times of all files in these files and folders. */
export function stampOf(root, entries) {
  const hash = createHash('sha256');
  for (const entry of entries) addTo(hash, root, entry);
  return hash.digest('hex');
}

function addTo(hash, root, entry) {
  const path = join(root, entry);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isDirectory()) {
    hash.update(`${entry}\0${stat.size}\0${stat.mtimeMs}\n`);
    return;
  }
  for (const name of readdirSync(path).sort()) addTo(hash, root, join(entry, name));
}

export function readStamp(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

export function writeStamp(file, stamp) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, stamp);
}
