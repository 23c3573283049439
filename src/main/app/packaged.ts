/**
 * Where the packaged program starts: the menubar app, or one command of `chaperone` without app, windows or display. Electron waits for
 * this module before it opens anything, so a command that is awaited here, and then ends the process, is served by Node's loop alone.
 */
import { exitCode, tell } from '../cli/failure.js';
import { createProgram } from '../cli/program.js';
import { commandOf } from './command.js';

const command = commandOf(process.argv.slice(1));
if (command === null) await import('./main.js');
else await run(command);

async function run(words: string[]): Promise<void> {
  // Electron's own answer to these is a box on the screen.
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  try {
    await createProgram().parseAsync(words, { from: 'user' });
  } catch (error) {
    return fail(error);
  }
  // Electron's exit does not look at this by itself.
  process.exit(process.exitCode ?? 0);
}

function fail(error: unknown): void {
  tell(error);
  process.exit(exitCode(error));
}
