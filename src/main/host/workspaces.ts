import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Caller, Recorder } from '../pipeline/ports.js';

/** A folder that was no workspace is not looked at again for so long. */
const UNFIT_MS = 1_000;
const MAX_UNFIT = 200;

/** Where the evidence of an MCP call goes: the agent's folder if it is a valid workspace, else the state folder. */
export function createWorkspaces(recorder: Pick<Recorder, 'workspace'>, stateFolder: string) {
  const unsuitable = new Set(['/', homedir()].map((path) => resolve(path)));
  const lookups = new Map<string, Promise<string>>();
  const unfit = new LRUCache<string, true>({ max: MAX_UNFIT, ttl: UNFIT_MS });

  async function lookUp(folder: string): Promise<string> {
    const found = await recorder.workspace(folder).catch(() => null);
    if (found !== null && !found.hidden) return folder;
    unfit.set(folder, true);
    return stateFolder;
  }

  return async ({ agent }: Caller): Promise<string> => {
    const { cwd } = agent;
    if (cwd === null || unsuitable.has(resolve(cwd)) || unfit.has(cwd)) return stateFolder;
    // Concurrent calls share one lookup, so that they keep their order.
    const lookup = lookups.get(cwd) ?? lookUp(cwd).finally(() => lookups.delete(cwd));
    lookups.set(cwd, lookup);
    return lookup;
  };
}
