import { spawn, type ChildProcess } from 'node:child_process';
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCleanup } from '../transport/support.js';

/** Processes that run a script of the test, ended and removed after each test. */
export function scriptProcesses() {
  const cleanup = createCleanup();

  function start(script: string, args: string[] = [], cwd?: string): ChildProcess {
    const child = spawn(process.execPath, [script, ...args], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
    cleanup.after(() => child.kill('SIGKILL'));
    return child;
  }

  function script(text: string, name = 'client.cjs'): { path: string; folder: string } {
    const folder = realpathSync(cleanup.folder());
    writeFileSync(join(folder, name), text);
    return { path: join(folder, name), folder };
  }

  const said = (child: ChildProcess): Promise<string> =>
    new Promise((resolve) => child.stdout?.once('data', (data) => resolve(String(data).trim())));

  return { cleanup, start, script, said };
}
