/** Stands in for Electron's utility processes by processes of Node, as documented: a port for messages, `pid` only while it runs, an asking `kill`. */
import { fork, type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { ForkOptions } from 'electron';
import type { AppStandIn } from './app.js';

const ENTRY = join(import.meta.dirname, 'utility-main.mjs');

export class UtilityProcessStandIn extends EventEmitter {
  pid: number | undefined;
  readonly #child: ChildProcess;

  constructor(modulePath: string, args: readonly string[], { env = process.env }: ForkOptions) {
    super();
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
    this.#child = fork(ENTRY, [modulePath, ...args], {
      serialization: 'advanced',
      stdio: [...stdio],
      execArgv: [],
      env: { ...env },
    });
    this.#child.once('spawn', () => {
      this.pid = this.#child.pid;
      this.emit('spawn');
    });
    this.#child.on('message', (message) => this.emit('message', message));
    this.#child.once('exit', (code, signal) => {
      this.pid = undefined;
      this.emit('exit', code ?? constants.signals[signal ?? 'SIGKILL']);
    });
  }

  postMessage(message: unknown): void {
    if (this.#child.connected) this.#child.send(message as object, () => undefined);
  }

  /** False where there is no process. */
  kill(): boolean {
    return this.pid !== undefined && this.#child.kill('SIGTERM');
  }
}

export interface UtilityProcesses {
  fork(modulePath: string, args?: string[], options?: ForkOptions): UtilityProcessStandIn;
}

export const createUtilityProcesses = (app: AppStandIn): UtilityProcesses => ({
  fork(modulePath, args = [], options = {}) {
    if (!app.isReady()) throw new Error('utilityProcess cannot be created before app is ready.');
    return new UtilityProcessStandIn(modulePath, args, options);
  },
});
