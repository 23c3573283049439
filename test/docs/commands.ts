/** Whether a command of the documentation exists: parsed by the real command line, whose actions are taken out. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError, type Command } from 'commander';
import { createProgram } from '../../src/main/cli/program.js';
import { ROOT, type Block } from './pages.js';

const PLACEHOLDERS: Readonly<Record<string, string>> = { NAME: 'claude', CLIENT: 'claude', PORT: '7866', FILE: 'file' };
/** npm's own. */
const NPM = new Set(['start', 'test', 'link', 'pack', 'install']);

/** The commands of a block, one a line, without the comments. */
export const commandsOf = ({ code }: Block): string[] =>
  code
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '');

/** What is wrong with it; null where nothing is. */
export async function commandFault(line: string): Promise<string | null> {
  const [program = '', ...args] = shellWords(line.replace(/^(?:[A-Z_]+=\S+ )+/, ''));
  if (program === 'chaperone') return usageFault(args);
  if (program === 'npm') return npmFault(args);
  const file = args.find((arg) => arg.includes('/'));
  if (file === undefined || existsSync(join(ROOT, file)) || program === 'claude') return null;
  return `${line}: there is no ${file}`;
}

/** As `commandFault`, for a command in a sentence: it may leave its arguments out. */
export async function mentionFault(line: string): Promise<string | null> {
  const fault = await commandFault(line);
  return fault?.includes(': Missing argument ') === true ? null : fault;
}

async function usageFault(args: readonly string[]): Promise<string | null> {
  const program = createProgram();
  withoutActions(program);
  try {
    const words = args.map((arg) => PLACEHOLDERS[arg] ?? arg);
    await program.parseAsync(words, { from: 'user' });
    return null;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return null;
    return `chaperone ${args.join(' ')}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function withoutActions(command: Command): void {
  command.configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
  if (command.commands.length === 0) command.action(() => undefined);
  for (const below of command.commands) withoutActions(below);
}

function npmFault([verb = '', script = '']: readonly string[]): string | null {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
  if (verb === 'run' ? Object.hasOwn(scripts, script) : NPM.has(verb)) return null;
  return `there is no npm ${verb} ${script}`;
}

const shellWords = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, plain]) => single ?? double ?? plain ?? '');
