/** What the person reads when a command cannot do it, and the exit code: 1 it failed, 2 the command was wrong, 3 no host runs. */
import { CommanderError } from 'commander';
import { WireError } from '../protocol/index.js';
import { asCalledHere } from '../protocol/own-command.js';
import { ownCommand } from './launcher.js';

export const EXIT = { failed: 1, usage: 2, noHost: 3 } as const;

/** Says what happened and what to do next; shown without a stack. */
export class Failure extends Error {
  constructor(
    message: string,
    readonly code: number = EXIT.failed,
  ) {
    super(message);
    this.name = 'Failure';
  }
}

export function exitCode(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
  return error instanceof Failure ? error.code : EXIT.failed;
}

export function tell(error: unknown): void {
  if (error instanceof CommanderError) return;
  process.stderr.write(`${asCalledHere(inWords(error), ownCommand())}\n`);
}

/** The stack of a fault of ours is for whoever looks for it, not for everyone. */
function inWords(error: unknown): string {
  if (error instanceof Failure) return error.message;
  if (error instanceof WireError) return `${error.message}\n${nextAfter(error)}`;
  if (!(error instanceof Error)) return String(error);
  if (process.env['CHAPERONE_LOG'] === 'debug') return error.stack ?? error.message;
  return `Chaperone failed: ${error.message}\nWith CHAPERONE_LOG=debug it says where.`;
}

/** All names are told to an agent; a person lists them. */
function nextAfter({ details, next }: WireError): string {
  return details['reason'] === 'unknown_tool' ? '`chaperone tools` lists them.' : next;
}
