import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * True when node_modules matches package-lock.json: every package that is not optional on this platform, in that version, and
 * no other. npm records what it installed in node_modules/.package-lock.json.
 */
export function modulesMatch(root) {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const present = readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === null || present === null) return false;
  for (const [path, entry] of wanted) {
    if (path === '' || entry.link === true) continue;
    const found = present.get(path);
    if (found === undefined ? entry.optional !== true : !same(found, entry)) return false;
  }
  return [...present.keys()].every((path) => wanted.has(path));
}

function same(found, entry) {
  return found.version === entry.version && found.integrity === entry.integrity;
}

function readPackages(file) {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')).packages ?? {}));
  } catch {
    return null;
  }
}
