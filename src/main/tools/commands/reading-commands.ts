/**
 * Commands that only read the agent's workspace, which run without a request. Comes in: the words of one simple command. Goes out: what
 * is run in their place, by its whole path, or null. What is not known to only read is asked about, whatever it looks like.
 */
import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gitReads } from './reading-git.js';
import { findReads, givenTo, READERS, TELL_VERSION, type Given, type Reader } from './reading-options.js';
import { mayRead, SECRET_FILES, SECRET_FOLDERS, withEitherCase, type Place } from './reading-places.js';

export interface ReadingCommand {
  argv: [string, ...string[]];
  /** The whole environment. */
  env: Readonly<Record<string, string>>;
}

const MAX_WORDS = 100;
/** Nothing of the agent's or the person's: no variable that loads code or settings. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin:/usr/local/bin', HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' };
const LANGUAGE = /^(LANG|LANGUAGE|TZ|LC_[A-Z]+)$/;

export async function readingCommand(
  [name = '', ...args]: readonly string[],
  place: Place,
  env: Readonly<Record<string, string>>,
): Promise<ReadingCommand | null> {
  if (args.length > MAX_WORDS || (await hidesFiles(args, place))) return null;
  const program = await systemProgram(name);
  const reading = program === null ? null : await readingOf(program.slice(program.lastIndexOf('/') + 1), args, place);
  if (program === null || reading === null) return null;
  const language = Object.entries(env).filter(([variable]) => LANGUAGE.test(variable));
  return { argv: [program, ...reading.args], env: { ...Object.fromEntries(language), ...ENVIRONMENT, ...reading.env } };
}

interface Reading {
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
}

async function readingOf(name: string, args: readonly string[], place: Place): Promise<Reading | null> {
  if (TELL_VERSION.has(name) && args.length === 1 && args[0] === '--version') return { args };
  if (name === 'git') return gitReads(args, place);
  if (name === 'find') {
    const places = findReads(args);
    return places !== null && (await mayReadAll(places, place)) ? { args } : null;
  }
  const reader = READERS.get(name);
  const given = reader === undefined ? null : givenTo(reader, args);
  if (reader === undefined || given === null || !(await isWithin(reader, given, place))) return null;
  // It would search its empty input.
  const places = name === 'rg' && pathsAmong(reader.words, given).length === 0 ? ['.'] : [];
  return { args: [...given.options, ...withoutSecrets(name, given), ...separated(name, [...given.words, ...places])] };
}

/** Some systems take options only before the first name: one that could be both is no option. */
async function hidesFiles(args: readonly string[], { folder }: Place): Promise<boolean> {
  const options = args.filter((arg) => arg.startsWith('-') && !arg.includes('/'));
  const found = await Promise.all(options.map((arg) => lstat(join(folder, arg)).catch(() => null)));
  return found.some((facts) => facts !== null);
}

async function isWithin({ words: kind }: Reader, { words, names }: Given, place: Place): Promise<boolean> {
  if (kind === 'none') return words.length === 0;
  if (kind === 'text') return true;
  if (kind === 'names') return words.every((word) => !word.includes('/'));
  return mayReadAll(pathsAmong(kind, { words, names }), place);
}

/** The pattern of a search comes first, unless an option gives it. */
function pathsAmong(kind: Reader['words'], { words, names }: Pick<Given, 'words' | 'names'>): readonly string[] {
  const hasPattern = kind === 'paths' || ['e', 'regexp', 'files'].some((name) => names.has(name));
  return hasPattern ? words : words.slice(1);
}

async function mayReadAll(paths: readonly string[], place: Place): Promise<boolean> {
  const may = await Promise.all(paths.map((path) => mayRead(place, path)));
  return may.every(Boolean);
}

/** A search through folders leaves out the files that {@link mayRead} refuses by name. The last pattern counts. */
function withoutSecrets(name: string, { names }: Given): string[] {
  if (name === 'rg')
    return ['--no-config', ...[...SECRET_FILES, ...SECRET_FOLDERS].map((pattern) => `--iglob=!**/${pattern}`)];
  if (name !== 'grep' || !(names.has('r') || names.has('recursive'))) return [];
  return [
    ...SECRET_FILES.map((pattern) => `--exclude=${withEitherCase(pattern)}`),
    ...SECRET_FOLDERS.map((pattern) => `--exclude-dir=${withEitherCase(pattern)}`),
  ];
}

/** What begins like an option stays a name. */
const separated = (name: string, words: readonly string[]): readonly string[] =>
  words.length === 0 || name === 'echo' || name === 'which' ? words : ['--', ...words];

// Programs of the system, found where only its administrator can have put them.

/** In no other order, whatever the PATH says. */
const PLACES: readonly string[] = ['/usr/bin', '/bin', '/usr/local/bin'];
const NAME = /^[\w.+-]+$/;
const EXECUTABLE = 0o111;
const WRITABLE_BY_OTHERS = 0o022;

/** The path to run it by; null where the system has none, or somebody else could have replaced it. */
export async function systemProgram(name: string): Promise<string | null> {
  const named = NAME.test(name) ? PLACES.map((place) => join(place, name)) : [];
  for (const path of PLACES.includes(dirname(name)) ? [name] : named) {
    const real = await realpath(path).catch(() => null);
    if (real === null) continue;
    const isOurs = await Promise.all([path, real].map((one) => isOfTheSystem(dirname(one))));
    const facts = await stat(real).catch(() => null);
    const runs = facts?.isFile() === true && (facts.mode & EXECUTABLE) !== 0;
    return runs && isOurs.every(Boolean) && (await isOfTheSystem(real)) ? path : null;
  }
  return null;
}

async function isOfTheSystem(path: string): Promise<boolean> {
  const facts = await stat(path).catch(() => null);
  return facts !== null && facts.uid === 0 && (facts.mode & WRITABLE_BY_OTHERS) === 0;
}
