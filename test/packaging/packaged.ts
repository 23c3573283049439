import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface Packaged {
  run(words: string[]): Promise<Ended>;
  /** Starts `host` and resolves with its address. */
  host(): Promise<string>;
  close(): Promise<void>;
}

/** Electron calls the packaged program's module with its own name and the words behind it; Node does the same for code without a file. */
export function startPackaged(folder: string, home: string): Packaged {
  const start = `await import(${JSON.stringify(pathToFileURL(join(folder, 'dist/main/bundled/packaged.js')).href)})`;
  const env = { PATH: process.env['PATH'], HOME: home, CHAPERONE_HOME: home, CHAPERONE_BACKEND: 'simulated' };
  const started = new Map<ChildProcess, Promise<unknown>>();
  mkdirSync(home, { mode: 0o700 });

  function launch(words: string[]): ChildProcess {
    const args = ['--input-type=module', '-e', start, '--', ...words];
    const child = spawn(process.execPath, args, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
    started.set(child, new Promise((resolve) => child.on('close', resolve)));
    return child;
  }

  return {
    run: (words) =>
      new Promise((resolve) => {
        const child = launch(words);
        let [stdout, stderr] = ['', ''];
        child.stdout?.on('data', (chunk) => (stdout += String(chunk)));
        child.stderr?.on('data', (chunk) => (stderr += String(chunk)));
        child.on('close', (code) => resolve({ code, stdout, stderr }));
      }),
    host: () =>
      new Promise((resolve, reject) => {
        const child = launch(['host', '--port', '0']);
        let words = '';
        child.stderr?.on('data', (chunk) => (words += String(chunk)));
        child.stdout?.on('data', (chunk) => {
          words += String(chunk);
          const url = /^http:\/\/localhost:\d+$/m.exec(words)?.[0];
          if (url !== undefined) resolve(url);
        });
        child.on('close', () => reject(new Error(words)));
      }),
    async close() {
      for (const child of started.keys()) if (child.exitCode === null) child.kill();
      await Promise.all(started.values());
    },
  };
}
