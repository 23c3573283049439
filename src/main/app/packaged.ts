/**
 * Where the packaged program starts: the menubar app, or one command of `chaperone` without app, windows or display. Electron waits for
 * this module before it opens anything, so a command that is awaited here and then exits never starts Electron's own parts.
 */
import { exitCode, printError } from '../cli/failure.js';
import { personFormatter } from '../cli/language.js';
import { createProgram } from '../cli/program.js';
import { parseCommand, forbiddenSwitch } from './command.js';

const words = await personFormatter(process.env);
const args = process.argv.slice(1);
const command = parseCommand(args);
if (command === null) await open();
else await run(command);

/** Refuses before anything listens or is shown. */
async function open(): Promise<void> {
  const refused = forbiddenSwitch(args);
  if (refused === null) return void (await import('./main.js'));
  process.stderr.write(`${words.text('cli.app.refused_switch', { name: refused })}\n`);
  process.exit(2);
}

async function run(given: string[]): Promise<void> {
  // Electron would show a dialog for these.
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  try {
    await createProgram(words).parseAsync(given, { from: 'user' });
  } catch (error) {
    return fail(error);
  }
  // Electron does not use `process.exitCode`.
  process.exit(process.exitCode ?? 0);
}

function fail(error: unknown): void {
  printError(error, words);
  process.exit(exitCode(error));
}
