/** The `chaperone` command. Arguments come in, an exit code goes out. */
import { existsSync, statSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { message } from '../../messages/index.js';
import { hostPaths } from '../host/paths.js';
import { EXIT, exitCode, Failure, printError } from './failure.js';
import { personFormatter } from './language.js';
import { ownCommand } from './launcher.js';
import { createProgram, LONG_RUNNING } from './program.js';
import { PROGRAM_NAME } from '../protocol/local-command.js';

/** The code of a program that SIGPIPE ended, as `cat` and `git` are. */
const EXIT_CODE = 141;

/** Ends this process without a word once what it prints has no reader (`chaperone tools | head -1`). Returns how to stop that. */
function endWithReader(): () => void {
  const streams = [process.stdout, process.stderr];
  const end = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(EXIT_CODE);
  };
  for (const stream of streams) stream.on('error', end);
  return () => streams.forEach((stream) => stream.off('error', end));
}

const keepRunning = endWithReader();
const words = await personFormatter(process.env);

/** For the help, where the name alone does not start this program. */
function commandHint(): string {
  const command = ownCommand();
  return command === PROGRAM_NAME ? '' : `\n${words.text('cli.help.local_command', { command })}`;
}

/** Type of the procfs, in statfs(2). Node tries for ever to make a folder there. */
const PROCFS = 0x9fa0;

/** Said before a command trips over each of the files that cannot be there. */
function assertHomeTakesFiles(): void {
  const { config, state } = hostPaths(process.env);
  for (const folder of [config, state]) {
    let path = folder;
    while (!existsSync(path)) path = dirname(path);
    if (!statSync(path).isDirectory() || statfsSync(path).type === PROCFS)
      throw new Failure(message('cli.home_takes_no_files', { path }), EXIT.usage);
  }
}

try {
  await createProgram(words)
    .addHelpText('after', commandHint)
    .hook('preAction', (_, command) => {
      assertHomeTakesFiles();
      if (LONG_RUNNING.has(command.name())) keepRunning();
    })
    .parseAsync();
} catch (error) {
  printError(error, words);
  process.exitCode = exitCode(error);
}
