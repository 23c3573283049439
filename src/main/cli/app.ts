/** `chaperone app`: starts the menubar app from this terminal. A second start shows the running one. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { message } from '../../messages/index.js';
import { electronBinary } from './electron.js';
import { Failure } from './failure.js';
import { END_SIGNALS } from './process-end.js';

const FLAGS = {
  port: '--port',
  workspaceRoot: '--workspace-root',
  backend: '--backend',
  display: '--display',
  policy: '--policy',
  http: '--http',
} as const;

/** `true`: given without a value. */
type AppFlags = { [name in keyof typeof FLAGS]?: string | true };

export async function app(flags: AppFlags): Promise<void> {
  const binary = electronBinary();
  const main = fileURLToPath(new URL('../app/main.js', import.meta.url));
  // The npm package is without the app.
  if (binary === null || !existsSync(main)) throw new Failure(message('cli.app.no_electron'));
  const code = await run(binary, [main, ...argumentsOf(flags)]);
  if (code !== 0) throw new Failure(message('cli.app.ended', { code }));
}

function argumentsOf(flags: AppFlags): string[] {
  return Object.entries(FLAGS).flatMap(([name, flag]) => {
    const value = Object.entries(flags).find(([each]) => each === name)?.[1];
    if (value === undefined) return [];
    if (value === true) return [flag];
    // Its value may be left out, so nothing that follows must be taken for it.
    return flag === FLAGS.http ? [`${flag}=${value}`] : [flag, value];
  });
}

function run(binary: string, args: string[]): Promise<number> {
  // With this variable Electron would run as plain Node.
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  return new Promise((resolve, reject) => {
    const child = spawn(binary, args, { stdio: 'inherit', env });
    for (const signal of END_SIGNALS) process.on(signal, () => child.kill(signal));
    child.on('error', (error) => reject(new Failure(message('cli.app.not_started', { why: error.message }))));
    child.on('close', (code, signal) => resolve(code ?? (signal === null ? 1 : 0)));
  });
}
