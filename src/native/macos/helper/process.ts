import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FromHelper, ToHelper } from './messages.js';

/** What a helper process starts with. */
export const HELPER_ENTRY = fileURLToPath(new URL('./helper-main.js', import.meta.url));

/** A started helper. Electron's utilityProcess can stand behind it as well. */
export interface HelperProcess {
  post(message: ToHelper): void;
  onMessage(listener: (message: FromHelper<never>) => void): void;
  /** Once, however it ended; `how` is for people. */
  onEnd(listener: (how: string) => void): void;
  /** At once: a process that hangs in a call of the system hears nothing else. */
  kill(): void;
}

/** Under Node; the child's JavaScript thread is the main thread of its process. */
export function forkHelper(entry = HELPER_ENTRY): HelperProcess {
  const child = fork(entry, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] });
  return {
    post: (message) => {
      if (child.connected) child.send(message, () => undefined);
    },
    onMessage: (listener) => void child.on('message', listener),
    onEnd: (listener) => {
      child.once('error', (error) => listener(error.message));
      child.once('exit', (code, signal) => listener(signal ?? `code ${code}`));
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
