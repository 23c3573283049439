/** The `chaperone` command. Arguments come in, an exit code goes out. */
import { endWithReader } from './broken-pipe.js';
import { exitCode, printError } from './failure.js';
import { personFormatter } from './language.js';
import { ownCommand } from './launcher.js';
import { createProgram, LONG_RUNNING } from './program.js';
import { PROGRAM_NAME } from '../protocol/local-command.js';

const keepRunning = endWithReader();
const words = await personFormatter(process.env);

/** For the help, where the name alone does not start this program. */
function commandHint(): string {
  const command = ownCommand();
  return command === PROGRAM_NAME ? '' : `\n${words.text('cli.help.local_command', { command })}`;
}

try {
  await createProgram(words)
    .addHelpText('after', commandHint)
    .hook('preAction', (_, command) => {
      if (LONG_RUNNING.has(command.name())) keepRunning();
    })
    .parseAsync();
} catch (error) {
  printError(error, words);
  process.exitCode = exitCode(error);
}
