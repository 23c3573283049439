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
