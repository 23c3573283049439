/** Which script an interpreter runs, from its command line. Pure but for the path lookup it is given. */
import { basename, isAbsolute, resolve } from 'node:path';

interface Command {
  executable: string;
  argv: string[];
  cwd: string | null;
  /** The real path of an existing file, or null. */
  resolve(path: string): string | null;
}

interface Interpreter {
  /** Options whose value is the next argument. */
  valued: readonly string[];
  /** Letters that, alone or in a cluster, put the program on the command line, name a module or read it from input: there is no script then. */
  inline: string;
  /** Long options and sub-commands that mean the same. */
  inlineWords?: readonly string[];
  /** Sub-commands that stand before the script. */
  subcommands?: readonly string[];
}

const NODE: Interpreter = {
  valued: ['-r', '--require', '--import', '--loader', '--experimental-loader', '-C', '--conditions', '--env-file', '--title', '--icu-data-dir', '--openssl-config', '--watch-path'],
  inline: 'epi',
  inlineWords: ['--eval', '--print', '--interactive', '--test'],
}; // prettier-ignore
const SHELL: Interpreter = { valued: ['-o', '+o', '-O', '+O', '--rcfile', '--init-file'], inline: 'csi' };
const INTERPRETERS = new Map<string, Interpreter>([
  ['node', NODE],
  ['nodejs', NODE],
  ['bun', { ...NODE, subcommands: ['run'] }],
  ['deno', { valued: ['-c', '--config', '--import-map', '--lock', '-L', '--log-level', '--location'], inline: '', inlineWords: ['eval', 'repl', 'test', 'task'], subcommands: ['run'] }],
  ['python', { valued: ['-W', '-X', '--check-hash-based-pycs'], inline: 'cm' }],
  ['pypy', { valued: ['-W', '-X'], inline: 'cm' }],
  ['ruby', { valued: ['-I', '-r', '-C', '-E', '-K'], inline: 'e' }],
  ['perl', { valued: ['-I'], inline: 'eE' }],
  ['bash', SHELL],
  ['sh', SHELL],
  ['dash', SHELL],
  ['zsh', SHELL],
  ['ksh', SHELL],
  ['fish', SHELL],
]); // prettier-ignore

/** Name of the interpreter without version, or null: `python3.12` is `python`. */
export function interpreterName(executable: string): string | null {
  const name = basename(executable)
    .replace(/ \(deleted\)$/, '')
    .replace(/[-\d.]+$/, '')
    .toLowerCase();
  return INTERPRETERS.has(name) ? name : null;
}

/** Absolute path of the script, links resolved; null where there is none or it cannot be told. */
export function scriptOf(command: Command): string | null {
  const interpreter = INTERPRETERS.get(interpreterName(command.executable) ?? '');
  if (interpreter === undefined) return null;
  const at = indexOfScript(command.argv, interpreter);
  const given = command.argv[at];
  if (given === undefined) return null;
  if (isAbsolute(given)) return command.resolve(given);
  return command.cwd === null ? null : command.resolve(resolve(command.cwd, given));
}

/** What stands before the script; all arguments where there is none. */
export function optionsBeforeScript(executable: string, argv: readonly string[]): string[] {
  const interpreter = INTERPRETERS.get(interpreterName(executable) ?? '');
  const at = interpreter === undefined ? 1 : indexOfScript(argv, interpreter);
  return argv.slice(1, at).filter((argument) => argument !== '--');
}

/** Beyond the last argument where there is no script. */
function indexOfScript(argv: readonly string[], interpreter: Interpreter): number {
  for (let at = 1; at < argv.length; at++) {
    const argument = argv[at] ?? '';
    if (argument === '--') return at + 1;
    if (argument === '-' || isInline(argument, interpreter)) break;
    if (interpreter.valued.includes(argument)) at++;
    else if (!/^[-+]/.test(argument) && interpreter.subcommands?.includes(argument) !== true) return at;
  }
  return argv.length;
}

function isInline(argument: string, { inline, inlineWords = [], valued }: Interpreter): boolean {
  if (inlineWords.includes(argument.replace(/=.*$/s, ''))) return true;
  if (valued.includes(argument) || !/^-[^-]/.test(argument)) return false;
  return [...argument.slice(1)].some((letter) => inline.includes(letter));
}
