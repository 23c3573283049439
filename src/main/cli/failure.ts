/** What the person reads when a command cannot do it, and the exit code: 1 it failed, 2 the command was wrong, 3 no host runs. */
import { CommanderError } from 'commander';
import { WireError } from '../protocol/index.js';

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
  if (error instanceof Failure) return void process.stderr.write(`${error.message}\n`);
  if (error instanceof WireError) return void process.stderr.write(`${error.message}\n${error.next}\n`);
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
