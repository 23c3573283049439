import type { UtilityProcess } from 'electron';
import type { StartHelper } from '../../native/open.js';

interface Forks {
  fork(entry: string, args: string[], options: Electron.ForkOptions): UtilityProcess;
}

/** Helpers of the macOS backend as processes of the app, so that what the person allows the app is theirs. Once the app is ready. */
export function createHelperStart(processes: Forks): StartHelper {
  return (entry) => {
    const child = processes.fork(entry, [], { serviceName: 'Chaperone desktop', stdio: 'inherit' });
    let killed = false;
    const kill = (): void => {
      killed = true;
      if (child.pid !== undefined) endNow(child.pid);
    };
    // Before it runs there is no process to end.
    child.once('spawn', () => killed && kill());
    return {
      post: (message) => child.postMessage(message),
      onMessage: (listener) => void child.on('message', listener),
      onEnd: (listener) => void child.once('exit', (code) => listener(`code ${code}`)),
      kill,
    };
  };
}

/** Electron's own `kill` asks; a process that hangs in a call of the system may not hear it. */
function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended, and is about to be told so.
  }
}
