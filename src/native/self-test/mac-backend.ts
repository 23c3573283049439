import { setImmediate as afterOthers } from 'node:timers/promises';
import type { RunProgram } from './mac-scripts.js';
import type { Witness } from './types.js';

/** By which the backend's helpers are known among the children of this process: processes of Node, or of Electron. */
const HELPER = /\bhelper-main\b|--utility-sub-type=node\.mojom\.NodeService\b/;

/** The backend's own processes, as the system lists them. */
export function createMacBackend(run: RunProgram, signal: AbortSignal): Pick<Witness, 'endBackend' | 'backendRuns'> {
  const helpers = async (): Promise<number[]> => {
    signal.throwIfAborted();
    const listed = await run(['/bin/ps', '-axo', 'pid=,ppid=,args=']);
    return listed.split('\n').flatMap((line) => {
      const [pid = '', parent = '', ...command] = line.trim().split(/\s+/);
      return Number(parent) === process.pid && HELPER.test(command.join(' ')) ? [Number(pid)] : [];
    });
  };
  return {
    async endBackend() {
      for (const pid of await helpers()) endNow(pid);
      await afterOthers();
    },
    backendRuns: async () => (await helpers()).length > 0,
  };
}

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
