#!/usr/bin/env node
/** The `chaperone` command. Arguments come in, an exit code goes out. */
import { exitCode, printError } from './failure.js';
import { ownCommand } from './launcher.js';
import { createProgram } from './program.js';
import { PROGRAM_NAME } from '../protocol/local-command.js';

/** For the help, where the name alone does not start this program. */
function commandHint(): string {
  const own = ownCommand();
  return own === PROGRAM_NAME ? '' : `\nOn this machine it is called:\n  ${own} <command>`;
}

try {
  await createProgram().addHelpText('after', commandHint).parseAsync();
} catch (error) {
  printError(error);
  process.exitCode = exitCode(error);
}
