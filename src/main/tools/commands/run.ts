/** Runs a command; what keeps it from being started is a refusal with its reason. */
import { CommandError, type CommandRequest, type FinishedCommand } from '../../../native/process/index.js';
import { message } from '../../../messages/index.js';
import type { WireError } from '../../protocol/index.js';
import { invalidRequest, isWellFormed } from '../parameters.js';
import type { ToolDeps } from '../tool.js';
import * as z from 'zod';
import { ruleError } from '../../protocol/input-errors.js';

/** `shown` names the command in a refusal. */
export function runOrRefuse(
  shell: ToolDeps['shell'],
  command: CommandRequest,
  shown: string,
  signal: AbortSignal,
): Promise<FinishedCommand> {
  return shell.run(command, signal).catch((thrown: unknown) => {
    throw thrown instanceof CommandError ? notStarted(thrown, shown) : thrown;
  });
}

const REASONS = new Map([
  ['ENOENT', 'missing'],
  ['EACCES', 'forbidden'],
  ['ENOEXEC', 'no_program'],
  ['E2BIG', 'arguments'],
  ['ECANCELED', 'ending'],
  ['ESUPERVISOR', 'supervisor'],
  ['EDISCLAIM', 'disclaim'],
] as const);

const NEXT_STEPS = new Map([
  ['EDISCLAIM', 'Tell the person: commands cannot be run on this version of macOS until Chaperone is updated.'],
]);
const OTHER_COMMAND = 'Give a program on the PATH or its whole path, and its arguments in args; or use shell.';

function notStarted({ code, message: reason }: CommandError, command: string): WireError {
  const why = [...REASONS].find(([known]) => known === code)?.[1] ?? 'other';
  const next = NEXT_STEPS.get(code) ?? OTHER_COMMAND;
  return invalidRequest(message('error.command_not_started', { why, reason, command }), code, next);
}

const MAX_SCRIPT_LENGTH = 200_000;

export const scriptSchema = z
  .string()
  .min(1)
  .max(MAX_SCRIPT_LENGTH)
  .refine((one) => !one.includes('\0'), ruleError('input.nul'))
  .refine(isWellFormed, ruleError('input.half_character'));
