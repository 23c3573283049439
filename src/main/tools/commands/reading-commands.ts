/**
 * Commands that only read the agent's workspace, which run without a request. Comes in: the words of one simple command. Goes out: what
 * is run in their place, by its whole path, or null. What is not known to only read is asked about, whatever it looks like.
 */
import { lstat, realpath, stat, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  findReads,
  givenTo,
  READERS,
  TELL_VERSION,
  type Given,
  type Reader,
  mayRead,
  SECRET_FILES,
  SECRET_FOLDERS,
  withEitherCase,
  type Place,
  isSecret,
} from './reading-options.js';
import { errno } from '../../../base/type-guards.js';
import { stepsInside } from '../../approvals/files.js';

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

const SHOWN = ['stat', 'shortstat', 'numstat', 'name-only', 'name-status', 'summary', 'compact-summary', 'no-color', 'no-renames'] as const; // prettier-ignore
const CHANGES = { flags: 'puwbMRs', long: [...SHOWN, 'patch', 'no-patch', 'minimal', 'patience', 'histogram', 'ignore-all-space', 'ignore-space-change', 'ignore-blank-lines', 'ignore-space-at-eol'], either: ['unified', 'word-diff', 'color', 'diff-filter', 'diff-algorithm', 'find-renames'] } as const; // prettier-ignore
const COMMITS = { long: ['oneline', 'abbrev-commit', 'no-decorate', 'no-notes'], either: ['decorate', 'date', 'abbrev', 'pretty', 'format'] } as const; // prettier-ignore

interface GitReader extends Reader {
  /** Shows what is in files, so that those with secrets are left out. */
  content?: true;
  /** Takes the options of a diff. */
  diffs?: true;
}

const COMMANDS: ReadonlyMap<string, GitReader> = new Map<string, GitReader>([
  ['status', { words: 'paths', flags: 'sb', long: ['short', 'branch', 'long', 'show-stash', 'ahead-behind', 'no-ahead-behind'], longEither: ['porcelain', 'untracked-files', 'ignored'] }],
  ['log', { words: 'paths', diffs: true, values: 'n', counts: true, flags: 'iEFs', long: [...SHOWN, ...COMMITS.long, 'no-patch', 'graph', 'all', 'no-merges', 'merges', 'first-parent', 'reverse', 'follow', 'topo-order', 'date-order', 'regexp-ignore-case'], longValues: ['max-count', 'skip', 'since', 'until', 'after', 'before', 'author', 'committer', 'grep'], longEither: [...COMMITS.either, 'color', 'branches', 'tags', 'remotes'] }],
  ['diff', { words: 'paths', content: true, diffs: true, flags: CHANGES.flags, long: [...CHANGES.long, 'staged', 'cached', 'merge-base', 'check', 'exit-code', 'quiet'], longEither: CHANGES.either }],
  ['show', { words: 'paths', content: true, diffs: true, flags: CHANGES.flags, long: [...CHANGES.long, ...COMMITS.long], longEither: [...CHANGES.either, ...COMMITS.either] }],
  ['branch', { words: 'none', flags: 'arv', long: ['all', 'remotes', 'list', 'show-current', 'verbose', 'no-color'], longEither: ['color', 'sort'] }],
]); // prettier-ignore

/** Placeholders that only tell what a commit holds: `%G…` runs a program that checks signatures. */
const FORMAT = /^[^%]*(%([HhTtPpdDsfbBenN%]|[ac][nNeEldDrtiIsh]|x[0-9a-f]{2}|C(red|green|blue|yellow|reset|\([\w ,]+\)))[^%]*)*$/; // prettier-ignore
const REVISION_OR_PATH = /^[\w./@^~{}+:,-]+$/;

/** Git commands that only read, and how they are run: without helpers, hooks, pagers, filters, submodules, or the settings of anybody. */
interface GitRun {
  args: string[];
  env: Record<string, string>;
}

/** null: it does more than read, or the repository could make it. */
async function gitReads(args: readonly string[], place: Place): Promise<GitRun | null> {
  const [name = '', ...rest] = args;
  const reader = COMMANDS.get(name);
  const given = reader === undefined ? null : givenTo(reader, rest);
  if (reader === undefined || given === null || !given.options.every(hasPlainFormat)) return null;
  if (given.words.length > 0 && reader.words === 'none') return null;
  const at = rest.indexOf('--');
  const paths = at < 0 ? [] : rest.slice(at + 1);
  const before = given.words.slice(0, given.words.length - paths.length);
  if (!before.every((word) => REVISION_OR_PATH.test(word)) || !given.words.every(isInside)) return null;
  const repository = await plainRepository(place);
  if (repository === null) return null;
  const added = [
    ...(reader.diffs === true ? NO_HELPERS : []),
    ...(name === 'status' || name === 'diff' ? NO_SUBMODULES : []),
  ];
  const left = reader.content === true ? WITHOUT_SECRETS : [];
  const separated = at < 0 ? left : ['--', ...paths, ...left];
  return {
    args: [...SETTINGS, name, ...given.options, ...added, ...before, ...separated],
    env: environmentIn(repository),
  };
}

function hasPlainFormat(option: string): boolean {
  const [, format] = /^--(?:format|pretty)=(.*)$/s.exec(option) ?? [];
  return format === undefined || FORMAT.test(format);
}

/** Names nothing outside, no secret, and no search of git’s own. */
function isInside(word: string): boolean {
  const path = word.includes(':') ? word.slice(word.indexOf(':') + 1) : word;
  const steps = path.split('/');
  return (
    !word.startsWith('/') && !word.startsWith(':') && !path.startsWith('/') && !steps.includes('..') && !isSecret(steps)
  );
}

const NO_HELPERS = ['--no-ext-diff', '--no-textconv', '--submodule=short'];
const NO_SUBMODULES = ['--ignore-submodules=all'];
const WITHOUT_SECRETS: readonly string[] = [
  ...SECRET_FILES.map((name) => `:(top,exclude,icase,glob)**/${name}`),
  ...SECRET_FOLDERS.map((name) => `:(top,exclude,icase,glob)**/${name}/**`),
];
/** A second time what {@link plainRepository} has seen to: what is written between that and the start runs nothing either. */
const SETTINGS: readonly string[] = [
  '--no-pager',
  '--no-optional-locks',
  ...[
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'core.sshCommand=/bin/false',
    'gpg.program=/bin/false',
    'gpg.ssh.program=/bin/false',
    'log.showSignature=false',
    'diff.submodule=short',
    'submodule.recurse=false',
    'protocol.allow=never',
    'credential.helper=',
  ].flatMap((setting) => ['-c', setting]),
];

const environmentIn = ({ git, tree }: Repository): Record<string, string> => ({
  GIT_DIR: git,
  GIT_WORK_TREE: tree,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_TERMINAL_PROMPT: '0',
});

interface Repository {
  git: string;
  tree: string;
}

const MAX_CONFIG_BYTES = 64 * 1024;
/** Must be there, as what they are. */
const PARTS = [
  ['', 'folder'],
  ['objects', 'folder'],
  ['refs', 'folder'],
  ['HEAD', 'file'],
  ['config', 'file'],
] as const;
/** With one of these, objects, settings or filters come from elsewhere. */
const ABSENT = ['commondir', 'config.worktree', 'objects/info/alternates', 'info/attributes', 'info/grafts'] as const;

/** The repository around the folder, where nothing in it can make git run, fetch or read anything else; git itself does not look for it. */
async function plainRepository({ root, folder }: Place): Promise<Repository | null> {
  let tree = folder;
  while ((await kindOf(join(tree, '.git'))) === null) {
    if (tree === root || stepsInside(root, dirname(tree)) === null) return null;
    tree = dirname(tree);
  }
  const git = join(tree, '.git');
  const kinds = await Promise.all(PARTS.map(async ([name, kind]) => (await kindOf(join(git, name))) === kind));
  const others = await Promise.all(ABSENT.map(async (name) => (await kindOf(join(git, name))) === null));
  if (![...kinds, ...others].every(Boolean)) return null;
  const attributes = await textOf(join(tree, '.gitattributes'));
  if (attributes === null || /filter/i.test(attributes)) return null;
  const config = await textOf(join(git, 'config'));
  return config !== null && isPlainConfig(config) ? { git, tree } : null;
}

/** null where nothing is there; `other` for links and all else. */
async function kindOf(path: string): Promise<'file' | 'folder' | 'other' | null> {
  try {
    const facts = await lstat(path);
    return facts.isFile() ? 'file' : facts.isDirectory() ? 'folder' : 'other';
  } catch (thrown) {
    return errno(thrown) === 'ENOENT' ? null : 'other';
  }
}

/** Empty where there is no such file, null where it is no plain and short one. */
async function textOf(path: string): Promise<string | null> {
  const kind = await kindOf(path);
  if (kind === null) return '';
  if (kind !== 'file') return null;
  const facts = await lstat(path);
  return facts.size > MAX_CONFIG_BYTES ? null : readFile(path, 'utf8').catch(() => null);
}

const SECTION = /^\[([a-z]+)(?: "([^"\\]*)")?\]$/i;
const SETTING = /^[ \t]*([a-z][a-z0-9-]*)[ \t]*=[ \t]*[^"\\]*$/i;
const IGNORED = /^[ \t]*([#;].*)?$/;
/** Settings that neither name a program nor lead anywhere else, in lower case and without the name within quotes. */
const HARMLESS = [
  'core\\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|abbrev|protectntfs|protecthfs)',
  'user\\.(name|email)|init\\.defaultbranch|color\\.[a-z]+|advice\\.[a-z]+|pull\\.(rebase|ff)|push\\.(default|autosetupremote|followtags)|fetch\\.prune',
  'rebase\\.(autosquash|autostash)|merge\\.(ff|conflictstyle)|commit\\.gpgsign|diff\\.(algorithm|renames|mnemonicprefix|noprefix|context)|status\\.(short|branch)',
  'log\\.(date|decorate|follow|abbrevcommit)|branch\\.(sort|autosetuprebase|[a-z-]+)|remote\\.(url|pushurl|fetch|push|tagopt|prune|gh-resolved)|submodule\\.(url|active)',
].join('|');
const HARMLESS_SETTING = new RegExp(`^(?:${HARMLESS})$`);

/** Every line is one that cannot be read in two ways, and every setting is harmless. Pure. */
export function isPlainConfig(text: string): boolean {
  let section: string | null = null;
  for (const line of text.split('\n')) {
    if (IGNORED.test(line)) continue;
    const [, found] = SECTION.exec(line) ?? [];
    const [, key] = SETTING.exec(line) ?? [];
    if (found !== undefined) section = found.toLowerCase();
    else if (key === undefined || section === null || !HARMLESS_SETTING.test(`${section}.${key.toLowerCase()}`))
      return false;
  }
  return true;
}
