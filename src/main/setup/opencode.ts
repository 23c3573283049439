/** OpenCode's settings. Version 1 has servers under `mcp`, version 2 under `mcp.servers`; version 2 reads the form of version 1 too, but not the other way round. */
import { isTable, valueAt, type ClientEntry, type Format } from './edit.js';
import { JSONC } from './jsonc.js';

/** Writes the form of version 2 only where the file has it already. Entries come in and go out in the form of version 1. */
export const OPENCODE: Format = {
  read: (text, path) => {
    const place = placeIn(text, path);
    const entry = JSONC.read(text, place);
    return place === path ? entry : inFirstForm(entry);
  },
  write: (text, path, value) => {
    const place = placeIn(text, path);
    return JSONC.write(text, place, place === path || !isTable(value) ? value : inSecondForm(value));
  },
  remove: (text, path) => JSONC.remove(text, placeIn(text, path)),
};

/** An entry in the first form stays where it is. A server may also be called `servers`. */
function placeIn(text: string, path: readonly string[]): readonly string[] {
  const above = path.slice(0, -1);
  const servers = JSONC.read(text, [...above, 'servers']);
  if (JSONC.read(text, path) !== undefined || !isTable(servers) || typeof servers['type'] === 'string') return path;
  return [...above, 'servers', ...path.slice(-1)];
}

function inSecondForm({ timeout, ...same }: ClientEntry): ClientEntry {
  return timeout === undefined ? same : { ...same, timeout: { execution: timeout } };
}

function inFirstForm(entry: unknown): unknown {
  return isTable(entry) ? { ...entry, timeout: valueAt(entry, ['timeout', 'execution']) } : entry;
}
