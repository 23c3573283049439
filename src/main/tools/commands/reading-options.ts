import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { errno } from '../../../base/type-guards.js';
import { stepsInside } from '../../approvals/files.js';

/** The options with which a program only reads, as data, and the reading of its arguments by them. Whatever is not listed is refused. Pure. */

/** `text`, `names`: of no file. `paths`: files or folders. `pattern`: a pattern, then paths. `search`: as `pattern`, in the folder where no path is given. */
type Words = 'none' | 'text' | 'names' | 'paths' | 'pattern' | 'search';

export interface Reader {
  words: Words;
  /** Letters of options without and with a value. */
  flags?: string;
  values?: string;
  long?: readonly string[];
  /** Given as `--name=value`, or with the value as the next word. */
  longValues?: readonly string[];
  /** Given as `--name` or `--name=value`. */
  longEither?: readonly string[];
  /** `-5` stands for a number of lines. */
  counts?: true;
}

export interface Given {
  /** As given, each with its value. */
  options: readonly string[];
  words: readonly string[];
  /** Letters and names of the options, without values. */
  names: ReadonlySet<string>;
}

/** null where one of them is not known to only read. */
export function givenTo(reader: Reader, args: readonly string[]): Given | null {
  const options: string[] = [];
  const words: string[] = [];
  const names = new Set<string>();
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (arg === '--') return { options, words: [...words, ...args.slice(index + 1)], names };
    if (!arg.startsWith('-') || arg === '-') {
      words.push(arg);
      continue;
    }
    const found = arg.startsWith('--') ? longOption(reader, arg) : shortOptions(reader, arg);
    if (found === null) return null;
    for (const name of found.names) names.add(name);
    options.push(arg);
    if (!found.takesNext) continue;
    index += 1;
    const value = args[index];
    if (value === undefined) return null;
    options.push(value);
  }
  return { options, words, names };
}

interface Option {
  names: readonly string[];
  takesNext: boolean;
}

function longOption({ long = [], longValues = [], longEither = [] }: Reader, arg: string): Option | null {
  const [name, value] = splitOnce(arg.slice(2));
  if (longEither.includes(name)) return { names: [name], takesNext: false };
  if (longValues.includes(name)) return { names: [name], takesNext: value === undefined };
  return long.includes(name) && value === undefined ? { names: [name], takesNext: false } : null;
}

function splitOnce(text: string): [string, string?] {
  const at = text.indexOf('=');
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function shortOptions({ flags = '', values = '', counts }: Reader, arg: string): Option | null {
  const letters = [...arg.slice(1)];
  if (counts === true && /^-\d+$/.test(arg)) return { names: [], takesNext: false };
  const names: string[] = [];
  for (const [at, letter] of letters.entries()) {
    names.push(letter);
    if (values.includes(letter)) return { names, takesNext: at === letters.length - 1 };
    if (!flags.includes(letter)) return null;
  }
  return { names, takesNext: false };
}

const SEARCHES = {
  long: ['ignore-case', 'line-number', 'count', 'invert-match', 'word-regexp', 'line-regexp', 'fixed-strings', 'files-with-matches', 'files-without-match', 'no-filename', 'with-filename', 'only-matching', 'quiet', 'no-messages'],
  longValues: ['max-count', 'after-context', 'before-context', 'context', 'regexp'],
  longEither: ['color', 'colour'],
} as const; // prettier-ignore

/** By the name of the program. None of these options writes, runs something else, follows links, or reads a list of files. */
export const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['ls', { words: 'paths', flags: 'laA1htrSRdFisopxCmngGBkqQUXcuv', long: ['all', 'almost-all', 'human-readable', 'recursive', 'reverse', 'directory', 'classify', 'size', 'inode', 'full-time', 'group-directories-first', 'no-group'], longValues: ['sort', 'time-style'], longEither: ['color'] }],
  ['cat', { words: 'paths', flags: 'nAbsETve', long: ['number', 'number-nonblank', 'show-all', 'show-ends', 'show-tabs', 'squeeze-blank', 'show-nonprinting'] }],
  ['head', { words: 'paths', flags: 'qv', values: 'nc', counts: true, long: ['quiet', 'verbose'], longValues: ['lines', 'bytes'] }],
  ['tail', { words: 'paths', flags: 'qv', values: 'nc', counts: true, long: ['quiet', 'verbose'], longValues: ['lines', 'bytes'] }],
  ['wc', { words: 'paths', flags: 'lwcmL', long: ['lines', 'words', 'bytes', 'chars', 'max-line-length'] }],
  ['grep', { words: 'pattern', flags: 'rinclLowxvEFGqshHIaPbz', values: 'eABCm', counts: true, long: [...SEARCHES.long, 'recursive', 'extended-regexp', 'basic-regexp', 'perl-regexp', 'text', 'byte-offset', 'null'], longValues: [...SEARCHES.longValues, 'include', 'exclude', 'exclude-dir'], longEither: SEARCHES.longEither }],
  ['rg', { words: 'search', flags: 'inclowxvFqshHIaPSUNb', values: 'eABCmtTg', long: [...SEARCHES.long, 'smart-case', 'case-sensitive', 'multiline', 'no-heading', 'heading', 'column', 'files', 'trim', 'no-line-number'], longValues: [...SEARCHES.longValues, 'glob', 'type', 'type-not', 'max-depth', 'sort', 'max-columns', 'color'] }],
  ['pwd', { words: 'none', flags: 'PL' }],
  ['echo', { words: 'text', flags: 'neE' }],
  ['which', { words: 'names', flags: 'a' }],
]); // prettier-ignore

/** Tell their version, and do nothing else. Others, such as cargo and go, choose by a file of the folder what they start. */
export const TELL_VERSION: ReadonlySet<string> = new Set(['git', 'node', 'python3', 'gcc', 'make', 'rg', 'grep', 'ls', 'cat', 'find', 'bash', 'tar', 'perl']); // prettier-ignore

// `find`, where it only lists names.

const TESTS = new Set(['-name', '-iname', '-path', '-ipath', '-wholename', '-regex', '-iregex', '-type', '-size', '-mtime', '-mmin', '-ctime', '-atime', '-maxdepth', '-mindepth', '-perm', '-links']); // prettier-ignore
const WORDS = new Set(['!', '(', ')', '-not', '-a', '-and', '-o', '-or', '-print', '-print0', '-empty', '-prune', '-depth', '-true', '-false', '-readable', '-writable', '-executable', '-mount', '-xdev']); // prettier-ignore

/** The places it starts at, or null where it does more: runs, deletes, writes, follows links, or reads a list. */
export function findReads(args: readonly string[]): string[] | null {
  const at = args.findIndex((arg) => arg.startsWith('-') || arg === '!' || arg === '(');
  const places = at < 0 ? args : args.slice(0, at);
  const rest = at < 0 ? [] : args.slice(at);
  for (let index = 0; index < rest.length; index += 1) {
    const word = rest[index] ?? '';
    if (WORDS.has(word)) continue;
    if (!TESTS.has(word) || rest[index + 1] === undefined) return null;
    index += 1;
  }
  return [...places];
}

/** Where a command may read without a request: in the agent's workspace, without what may hold secrets. */
export interface Place {
  /** The agent's workspace, free of links. */
  root: string;
  /** Where the command runs: in it, free of links. */
  folder: string;
}

/** Data, not code: `tokens.ts` is no secret. */
const DATA = ['json', 'y*ml', 'toml', 'ini', 'txt', 'csv', 'xml', 'conf', 'sqlite*'];
/** Names of files that may hold secrets, whatever the case of their letters. */
export const SECRET_FILES: readonly string[] = [
  '.env', '.env.*', '.envrc', '*.env', '*.pem', '*.key', '*.p12', '*.pfx', '*.p8', '*.jks', '*.keystore', '*.kdbx', '*.ppk', '*.asc', '*.gpg', '*.age',
  'id_rsa*', 'id_dsa*', 'id_ecdsa*', 'id_ed25519*', '.netrc', '_netrc', '.npmrc', '.yarnrc*', '.pypirc', '.pgpass', '.my.cnf', '.htpasswd', '.git-credentials', '.dockercfg',
  '.boto', '.s3cfg', '.vault-token', '*.tfstate', '*.tfstate.*', '*.tfvars', '*.secret', '*.secrets', '*.token', 'credentials', 'secrets', 'cookies', '*_history',
  ...['secret', 'secrets', 'credential', 'credentials', 'password', 'passwords', 'token', 'tokens', 'cookies', 'service?account*'].flatMap((name) => DATA.map((end) => `*${name}.${end}`)),
]; // prettier-ignore
export const SECRET_FOLDERS: readonly string[] = ['.git', '.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.gcloud', '.password-store', '.secrets', 'secrets']; // prettier-ignore

/** The same pattern for programs that heed the case of letters. */
export const withEitherCase = (pattern: string): string =>
  pattern.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

const regexOf = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/[.]/g, '\\.').replaceAll('*', '.*').replaceAll('?', '.')}$`, 'isu');
const NAMES: readonly RegExp[] = [...SECRET_FILES, ...SECRET_FOLDERS].map(regexOf);

/** One of these names along a path is that of a file or folder that may hold secrets. */
export const isSecret = (steps: readonly string[]): boolean =>
  steps.some((step) => NAMES.some((name) => name.test(step)));

/** Whether it lies in the workspace, also behind its links, is no secret, and nothing but a file or folder; it may be missing. */
export async function mayRead({ root, folder }: Place, word: string): Promise<boolean> {
  if (word === '') return false;
  const path = resolve(folder, word);
  const real = await realOf(path);
  if (real === null) return false;
  const ways = [path, real].map((one) => stepsInside(root, one));
  if (ways.some((steps) => steps === null || isSecret(steps))) return false;
  const facts = await stat(real).catch(() => null);
  return facts === null || facts.isFile() || facts.isDirectory();
}

/** With the links along it resolved, as far as it exists; null where that cannot be told, as behind a link to what is missing. */
async function realOf(path: string): Promise<string | null> {
  const missing: string[] = [];
  for (let known = path; ; known = dirname(known)) {
    try {
      return join(await realpath(known), ...missing);
    } catch (thrown) {
      const isLink = await lstat(known).catch(() => null);
      if (errno(thrown) !== 'ENOENT' || isLink !== null || dirname(known) === known) return null;
      missing.unshift(basename(known));
    }
  }
}
