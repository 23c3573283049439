#!/usr/bin/env node
/** The `chaperone` command. Arguments come in, an exit code goes out. */
import { exitCode, tell } from './failure.js';
import { ownCommand } from './launcher.js';
import { createProgram } from './program.js';
import { PROGRAM } from '../protocol/own-command.js';

/** Under the help, where the name alone cannot be typed. */
function here(): string {
  const own = ownCommand();
  return own === PROGRAM ? '' : `\nOn this machine it is called:\n  ${own} <command>`;
}

try {
  await createProgram().addHelpText('after', here).parseAsync();
} catch (error) {
  tell(error);
  process.exitCode = exitCode(error);
}
