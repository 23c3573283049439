import { hiddenKind } from '../../protocol/characters.js';

/** Formats commands for people, as a shell line that means exactly what will run. Pure. */

/** Words that need no quotes. */
const UNQUOTED = /^[\w@%+=:,./-]+$/;
/** Control, invisible and direction-changing characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]/u;
const NAMED = new Map([
  ['\n', '\\n'],
  ['\t', '\\t'],
  ['\r', '\\r'],
  ["'", "\\'"],
  ['\\', '\\\\'],
]);

/** Quotes a word for a shell, on one line and without invisible characters. */
export function shellQuote(word: string): string {
  if (UNQUOTED.test(word)) return word;
  if (!INVISIBLE.test(word)) return `'${word.replaceAll("'", `'\\''`)}'`;
  return `$'${[...word].map((one) => NAMED.get(one) ?? (INVISIBLE.test(one) ? escaped(one) : one)).join('')}'`;
}

function escaped(one: string): string {
  const code = one.codePointAt(0) ?? 0;
  return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
}

/** Everything that decides how a command runs. */
export interface CommandInput {
  command: string;
  args: readonly string[];
  folder: string;
  environment: Readonly<Record<string, string>>;
  stdin: string | null;
  shell: boolean;
}

export function argvOf({ command, args, shell }: CommandInput): [string, ...string[]] {
  return shell ? ['/bin/sh', '-c', command, 'sh', ...args] : [command, ...args];
}

/**
 * The whole command for a card, without its folder: environment and command on the first line, and below them, unquoted, the script
 * or the input. A script without environment, arguments and input is shown alone, unless it contains the word for "below" itself.
 */
export function commandText(asked: CommandInput): string {
  const { command, args, environment, stdin, shell } = asked;
  const set = Object.entries(environment).map(([name, value]) => `${name}=${shellQuote(value)}`);
  const below = shell && stdin === null;
  if (below && set.length === 0 && args.length === 0 && !command.includes('(below)')) return command;
  const words = below
    ? ['/bin/sh -c (below)', ...(args.length > 0 ? ['sh', ...args.map(shellQuote)] : [])]
    : argvOf(asked).map(shellQuote);
  const line = [...set, ...words, ...(stdin === null ? [] : ['< (below)'])].join(' ');
  const rest = below ? [command] : stdin === null ? [] : [stdin];
  return [line, ...rest].join('\n');
}

// Splits a script that is one simple command into its words. What a shell would do more with is refused.

const MAX_LENGTH = 4000;
/** Outside quotes these mean themselves to every shell. */
const PLAIN_SIGN = /^[\p{L}\p{N}_@%+=:,./^-]$/u;
/** Within double quotes these mean more than themselves. */
const ACTIVE = new Set(['$', '`', '\\', '!']);
/** Words that a shell takes for itself where a program would stand. */
const OF_THE_SHELL = new Set(
  '. : [ [[ { } ! if then elif else fi for while until do done case esac in select function time coproc source eval exec command builtin cd pushd popd export declare local typeset readonly set unset shift alias unalias trap umask ulimit wait jobs fg bg read return exit break continue hash type test let enable'.split(
    ' ',
  ),
);

/** null: more than one simple command, or anything of which a shell makes more than the words that stand there. */
export function simpleCommand(script: string): string[] | null {
  const words = wordsOf(script);
  const [program = ''] = words ?? [];
  if (words === null || program === '' || /^[A-Za-z_]\w*\+?=/.test(program) || OF_THE_SHELL.has(program)) return null;
  return words;
}

/** Words that go to a program as they are, where a person can read each of them. */
export function readableWords(words: readonly string[]): string[] | null {
  const [program = ''] = words;
  return program === '' || words.some(hides) ? null : [...words];
}

const hides = (word: string): boolean => [...word].some((one) => hiddenKind(one) !== null);

function wordsOf(script: string): string[] | null {
  if (script.length > MAX_LENGTH) return null;
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (const one of script) {
    if (hiddenKind(one) !== null) return null;
    if (quote !== null) {
      if (one === quote) quote = null;
      else if (quote === '"' && ACTIVE.has(one)) return null;
      else word = `${word ?? ''}${one}`;
    } else if (one === ' ') {
      if (word !== null) words.push(word);
      word = null;
    } else if (one === "'" || one === '"') {
      quote = one;
      word ??= '';
    } else if (PLAIN_SIGN.test(one) || (one === '~' && word !== null && /[\w^]$/.test(word)))
      word = `${word ?? ''}${one}`;
    else return null;
  }
  if (quote !== null) return null;
  return word === null ? words : [...words, word];
}

/** Absolute paths of macOS's own programs. */
export interface ScriptPrograms {
  osascript: string;
  osacompile: string;
}

/** null where the system has none. */
export function systemScripts(platform: string = process.platform): ScriptPrograms | null {
  return platform === 'darwin' ? { osascript: '/usr/bin/osascript', osacompile: '/usr/bin/osacompile' } : null;
}
