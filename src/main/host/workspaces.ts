import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Caller, Recorder } from '../action/ports.js';

/** Where the evidence of an MCP call goes: the agent's own folder when that is a real workspace, else the state folder. */
export function createWorkspaces(recorder: Pick<Recorder, 'workspace'>, stateFolder: string) {
  const unfit = new Set(['/', homedir()].map((path) => resolve(path)));
  return async ({ agent }: Caller): Promise<string> => {
    if (agent.cwd === null || unfit.has(resolve(agent.cwd))) return stateFolder;
    const fits = await recorder.workspace(agent.cwd).catch(() => null);
    return fits === null || fits.hidden ? stateFolder : agent.cwd;
  };
}
