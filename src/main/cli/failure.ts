/** Errors of commands as text for the person, and the exit codes: 1 failed, 2 wrong usage, 3 no host runs, 4 not everything was run. */
import { CommanderError } from 'commander';
import { MessageError, textOf, type Formatter, type Message } from '../../messages/index.js';
import { WireError } from '../protocol/index.js';
import { withLocalCommand } from '../protocol/local-command.js';
import { ownCommand } from './launcher.js';

export const EXIT = { failed: 1, usage: 2, noHost: 3, incomplete: 4 } as const;

/** An error whose text says what happened and what to do next; printed without a stack. */
export class Failure extends MessageError {
  constructor(
    text: Message,
    readonly code: number = EXIT.failed,
  ) {
    super(text);
    this.name = 'Failure';
  }
}

export function exitCode(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
  return error instanceof Failure ? error.code : EXIT.failed;
}

export function printError(error: unknown, words: Formatter): void {
  if (error instanceof CommanderError) return;
  process.stderr.write(`${withLocalCommand(formatError(error, words), ownCommand())}\n`);
}

/** With a stack only when debugging. */
function formatError(error: unknown, words: Formatter): string {
  if (error instanceof Failure) return words.format(error.text);
  if (error instanceof WireError) return `${words.format(error.text)}\n${nextAfter(error, words)}`;
  if (process.env['CHAPERONE_LOG'] === 'debug' && error instanceof Error) return error.stack ?? error.message;
  return words.text('cli.failed', { why: textOf(error) });
}

/** Agents get all tool names in the error; a person lists them with a command. */
function nextAfter({ details, nextText }: WireError, { format, text }: Formatter): string {
  return details['reason'] === 'unknown_tool' ? text('cli.lists_tools') : format(nextText);
}
