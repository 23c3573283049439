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

/**
 * What makes a program run other code than its own: variables and options, reviewed for each runtime. Data, and the questions
 * asked of it. Sources: ld.so(8), `node --help`, `python3 --help-env`, perlrun(1), the manuals of the others.
 */

/** A variable that changes which code is loaded, by the runtime that reads it. Values that are harmless are told in `HARMLESS`. */
const VARIABLES = {
  loader: /^(LD_.*|GCONV_PATH|OPENSSL_(CONF|MODULES|ENGINES)|DYLD_.*)$/,
  node: /^(NODE_.*|ELECTRON_.*|BUN_.*|DENO_.*|VSCODE_INSPECTOR_OPTIONS|TS_NODE_.*|TSX_.*)$/,
  python: /^PYTHON.*$/,
  perl: /^(PERL5?(OPT|LIB|DB)|PERL5DB.*|PERL_MM_OPT|PERLLIB)$/,
  others: /^(RUBY(OPT|LIB|SHELL)|GEM_(PATH|HOME)|BUNDLE_.*|JAVA_(TOOL_)?OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|JAVA_OPTS|CLASSPATH|DOTNET_(STARTUP_HOOKS|ADDITIONAL_DEPS|SHARED_STORE)|COR(ECLR)?_.*|MONO_(PATH|CONFIG|ENV_OPTIONS)|LUA_(INIT|PATH|CPATH).*|PHPRC|PHP_INI_SCAN_DIR|R_PROFILE.*|JULIA_LOAD_PATH|TCLLIBPATH|GUILE_LOAD_(COMPILED_)?PATH)$/,
} as const; // prettier-ignore

/** Of those above; they load nothing. */
const HARMLESS: ReadonlySet<string> = new Set([
  'NODE_ENV', 'NODE_NO_WARNINGS', 'NODE_VERSION', 'NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA', 'NODE_USE_ENV_PROXY',
  'NODE_DISABLE_COLORS', 'NODE_PENDING_DEPRECATION', 'NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'NODE_UNIQUE_ID',
  'ELECTRON_NO_ATTACH_CONSOLE', 'ELECTRON_OZONE_PLATFORM_HINT', 'BUN_INSTALL', 'DENO_INSTALL', 'DENO_DIR',
  'PYTHONUNBUFFERED', 'PYTHONDONTWRITEBYTECODE', 'PYTHONIOENCODING', 'PYTHONUTF8', 'PYTHONHASHSEED', 'PYTHONNOUSERSITE', 'PYTHONSAFEPATH',
]); // prettier-ignore

interface Runtime {
  variables: readonly (keyof typeof VARIABLES)[];
  /** Options before the script that load no code; any other may. */
  options: RegExp;
  /** One of these must be given: without, the user's own start-up files run first. */
  needs?: RegExp;
  /** Below the home folder: modules that are found there take the place of missing ones. */
  mustBeAbsent?: readonly string[];
}

/** Interpreters whose code can be named: the script, and what the system has installed beside it. */
const RUNTIMES: Readonly<Record<string, Runtime>> = {
  node: {
    variables: ['loader', 'node'],
    options: /^--(no-warnings|no-deprecation|trace-warnings|enable-source-maps|use-system-ca|max-old-space-size=\d+|max-semi-space-size=\d+|stack-size=\d+)$/,
    mustBeAbsent: ['.node_modules', '.node_libraries'],
  },
  python: { variables: ['loader', 'python'], options: /^-[uBEsSIOqPbv]+$/, needs: /^-[uBEOqPbvSs]*[Is]/ },
  perl: { variables: ['loader', 'perl'], options: /^-[wTtWX]+$/ },
}; // prettier-ignore
/** The same programs under other names. */
const ALIASES: Readonly<Record<string, string>> = { nodejs: 'node' };
/** A program of its own could have any runtime inside; shells, which have none of these, are never told. */
const COMPILED: Runtime = { variables: ['loader', 'node', 'python', 'perl', 'others'], options: /^/ };

/** null: an interpreter that reads more than its script, such as start-up files, or that runs whatever its search path names. */
export function runtimeOf(interpreter: string | null): Runtime | null {
  if (interpreter === null) return COMPILED;
  return RUNTIMES[ALIASES[interpreter] ?? interpreter] ?? null;
}

/** The first variable that could bring in other code, or null. */
export function loadingVariable(environment: readonly string[], runtime: Runtime): string | null {
  const found = environment.find((entry) => {
    const name = nameOf(entry);
    if (name === 'NODE_OPTIONS') return !hasHarmlessOptions(entry);
    return !HARMLESS.has(name) && runtime.variables.some((kind) => VARIABLES[kind].test(name));
  });
  return found === undefined ? null : nameOf(found);
}

/** The first option that could bring in other code, or null; `''` where one that keeps other code out is missing. */
export function loadingOption(options: readonly string[], { options: harmless, needs }: Runtime): string | null {
  const found = options.find((option) => !harmless.test(option));
  if (found !== undefined) return found;
  return needs === undefined || options.some((option) => needs.test(option)) ? null : '';
}

const nameOf = (entry: string): string => entry.replace(/=.*$/s, '');

function hasHarmlessOptions(entry: string): boolean {
  const given = entry.slice('NODE_OPTIONS='.length).split(/\s+/);
  const options = given.filter((option) => option !== '');
  return RUNTIMES['node'] !== undefined && loadingOption(options, RUNTIMES['node']) === null;
}
