/** `chaperone app`: starts the menubar app from this terminal. A second start shows the running one. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { message } from '../../messages/index.js';
import { runApart } from './apart.js';
import { electronBinary } from './electron.js';
import { Failure } from './failure.js';

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
