/** Errors of commands as text for the person, and the exit codes: 1 failed, 2 wrong usage, 3 no host runs, 4 not everything was run. */
import { CommanderError } from 'commander';
import { errno } from '../../base/type-guards.js';
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

/** With a stack only when debugging. Texts of our own say the next step themselves. */
function formatError(error: unknown, words: Formatter): string {
  if (error instanceof WireError) return `${words.format(error.text)}\n${nextAfter(error, words)}`;
  if (error instanceof Failure) return words.format(error.text);
  if (process.env['CHAPERONE_LOG'] === 'debug' && error instanceof Error) return error.stack ?? error.message;
  if (error instanceof MessageError) return words.format(error.text);
  const cause = writeFailure(error);
  if (cause !== null) return words.text('cli.cannot_write', { why: textOf(error), cause });
  return words.text('cli.failed', { why: textOf(error) });
}

function writeFailure(error: unknown): 'full' | 'other' | null {
  const code = errno(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'full';
  if (code === 'EROFS') return 'other';
  const aboutFile = error instanceof Error && 'path' in error;
  return aboutFile && (code === 'EACCES' || code === 'EPERM') ? 'other' : null;
}

/** Agents get all tool names in the error; a person lists tools and applications with a command. */
function nextAfter({ details, nextText }: WireError, { format, text }: Formatter): string {
  if (details['reason'] === 'unknown_tool') return text('cli.lists_tools');
  if (details['reason'] === 'unknown_app' || details['reason'] === 'not_running') return text('cli.lists_apps');
  return format(nextText);
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Replaces control and formatting characters: names and reasons come from agents and applications. */
export function terminalSafe(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '�');
}

/** What ends a command that runs until its starter is gone. */

export const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves at the first signal, or when stdin has ended. Needs somebody who reads stdin. */
export function stdinOrSignalEnd(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of END_SIGNALS) process.once(signal, () => resolve());
    for (const event of ['end', 'close', 'error']) process.stdin.once(event, () => resolve());
  });
}
