/** `chaperone app`: starts the menubar app from this terminal. A second start shows the running one. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isUnconfirmed, startApart, type StartSystem } from '../host/start-apart.js';
import { message } from '../../messages/index.js';
import { Failure, END_SIGNALS } from './failure.js';

/** Resolves with the exit code of a program of Electron's; signals are passed on. Rejects where it would not answer for itself. */
export async function runApart(argv: [string, ...string[]], system: StartSystem = {}): Promise<number> {
  try {
    const { pid, started, exited } = startApart(argv, system);
    // From the first moment: a signal that ended this process alone would leave the program running.
    for (const signal of END_SIGNALS) process.on(signal, () => process.kill(pid, signal));
    await started;
    const { exitCode } = await exited;
    return exitCode ?? 0;
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Failure(message(isUnconfirmed(thrown) ? 'cli.app.not_apart' : 'cli.app.not_started', { why }));
  }
}

/** Path of Electron's executable where it is installed, else null. Never downloads it. */
export function electronBinary(): string | null {
  const folder = packageFolder();
  if (folder === null) return null;
  const binary = join(process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(folder, 'dist'), executableName(folder));
  return existsSync(binary) ? binary : null;
}

function packageFolder(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  } catch {
    return null;
  }
}

/** The package stores the executable's path in path.txt after the download. */
function executableName(folder: string): string {
  try {
    return readFileSync(join(folder, 'path.txt'), 'utf8').trim();
  } catch {
    return process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron';
  }
}

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
  const code = await runApart([binary, main, ...argumentsOf(flags)]);
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
