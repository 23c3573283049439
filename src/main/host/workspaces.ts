import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Caller, Recorder } from '../pipeline/ports.js';

/** Where the evidence of an MCP call goes: the agent's folder if it is a valid workspace, else the state folder. */
export function createWorkspaces(recorder: Pick<Recorder, 'workspace'>, stateFolder: string) {
  const unsuitable = new Set(['/', homedir()].map((path) => resolve(path)));
  const lookups = new Map<string, Promise<string>>();

  async function lookUp(folder: string): Promise<string> {
    const fits = await recorder.workspace(folder).catch(() => null);
    return fits === null || fits.hidden ? stateFolder : folder;
  }

  return async ({ agent }: Caller): Promise<string> => {
    const { cwd } = agent;
    if (cwd === null || unsuitable.has(resolve(cwd))) return stateFolder;
    // Concurrent calls share one lookup, so that they keep their order.
    const lookup = lookups.get(cwd) ?? lookUp(cwd).finally(() => lookups.delete(cwd));
    lookups.set(cwd, lookup);
    return lookup;
  };
}
