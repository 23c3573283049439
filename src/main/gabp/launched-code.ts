/** What an entry starts: the files that it names, and what an interpreter could load from beside its script, or why that cannot be told. */
import { closeSync, existsSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join, resolve, sep } from 'node:path';
import {
  loadingOption,
  loadingVariable,
  runtimeOf,
  interpreterName,
  optionsBeforeScript,
  scriptOf,
} from '../../native/peer/script.js';
import { placeOf } from '../../native/peer/program-identity.js';
import { fileIdentities } from '../pipeline/file-identity.js';
import type { PlannedFile } from '../approvals/plan.js';
import { commandFileIdentities } from '../tools/commands/command-files.js';
import type { AppEntry, LaunchEntry } from './config.js';

export interface LaunchedCode {
  files: PlannedFile[];
  /** Why another run could execute other code although these files are the same; null where it could not. */
  untold: Untold | null;
}

export interface Untold {
  /** `what` starts any program, names no code, loads other code, or cannot be compared as a whole. */
  why: 'starts' | 'unnamed' | 'loads' | 'other';
  what: string;
}

type Variables = Readonly<Record<string, string>>;

/** Beyond these, nobody waits for the comparison. */
const MAX_ENTRIES = 5_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** They run what their arguments, their input or the current folder names. */
const STARTERS: ReadonlySet<string> = new Set([
  'env', 'nice', 'ionice', 'nohup', 'setsid', 'timeout', 'stdbuf', 'sudo', 'doas', 'su', 'runuser', 'setpriv', 'chroot', 'unshare', 'nsenter',
  'xargs', 'find', 'parallel', 'time', 'watch', 'script', 'screen', 'tmux', 'xterm', 'taskset', 'chrt', 'prlimit', 'strace', 'ltrace', 'gdb',
  'lldb', 'valgrind', 'systemd-run', 'dbus-run-session', 'dbus-launch', 'xvfb-run', 'flatpak', 'snap', 'bwrap', 'firejail', 'busybox', 'toybox',
  'start-stop-daemon', 'ssh', 'git', 'make', 'gmake', 'ninja', 'cmake', 'cargo', 'go', 'awk', 'gawk', 'mawk', 'sed', 'vi', 'vim', 'nvim', 'emacs',
  'csh', 'tcsh', 'mksh', 'pwsh', 'osascript', 'open', 'launchctl', 'arch', 'php', 'java', 'javaw', 'dotnet', 'mono', 'wine', 'wine64', 'lua', 'luajit', 'tclsh',
  'wish', 'expect', 'guile', 'rscript', 'r', 'julia', 'electron', 'pypy', 'qjs', 'gjs', 'cjs', 'racket', 'sbcl', 'erl', 'elixir', 'ocaml', 'ghc', 'm4',
]); // prettier-ignore
/** The loader of programs, and variables that say where programs and start-up files are. */
const LOADER = /^ld(-linux.*|-musl.*|\.so.*|\.bfd)?$/;
const SEARCH_VARIABLES = /^(PATH|HOME|ENV|BASH_ENV|SHELL|XDG_.*)$/;
const SETTINGS = /\.(json5?|jsonc|toml|ya?ml|ini|cfg|conf|properties|xml)$/i;
const SCRIPT_OF_A_SHELL = /\.(sh|bash|zsh|fish|ps1)$|\/[^./]+$/i;

/** `inherited`: the environment that the entry's variables are added to. */
export async function codeOf({ launch }: AppEntry, inherited: Variables): Promise<LaunchedCode> {
  if (launch === undefined) return { files: [], untold: null };
  const files = await commandFileIdentities([...launch.command, ...valuesOf(launch)], { folder: launch.folder });
  const beside = new Beside();
  const untold = look(launch, { ...inherited, ...launch.env }, files.map(({ path }) => path).slice(1), beside);
  if (untold !== null) return { files, untold };
  const named = new Set(files.map(({ path }) => path));
  const more = await fileIdentities([...beside.paths].filter((path) => !named.has(path)));
  return { files: [...files, ...more], untold };
}

const valuesOf = ({ env }: LaunchEntry): string[] => Object.values(env).flatMap((value) => value.split(delimiter));

function look(launch: LaunchEntry, env: Variables, named: readonly string[], beside: Beside): Untold | null {
  const [given, ...args] = launch.command;
  const program = realPath(given);
  const starter = [given, program ?? given].find((path) => isStarter(path));
  if (program === null || starter !== undefined || !isNative(program)) return { why: 'starts', what: given };
  const interpreter = interpreterName(program);
  const runtime = runtimeOf(interpreter);
  if (runtime === null || (interpreter === 'perl' && !isOfSystem(program))) return { why: 'loads', what: given };
  const search = Object.keys(launch.env).find((name) => SEARCH_VARIABLES.test(name));
  const variable =
    search ??
    loadingVariable(
      Object.entries(env).map((pair) => pair.join('=')),
      runtime,
    );
  if (variable !== null) return { why: 'loads', what: variable };
  const other = args.find((word) => isProgramOnPath(word, env['PATH'] ?? ''));
  const script =
    interpreter === null
      ? null
      : scriptOf({ executable: program, argv: launch.command, cwd: launch.folder, resolve: realPath });
  const shell = named.find((path) => SCRIPT_OF_A_SHELL.test(path) && realPath(path) !== script);
  const starts = other ?? shell;
  if (starts !== undefined) return { why: 'starts', what: starts };
  const own = interpreter === null ? [] : rootsOf(launch, { program, script }, runtime);
  return Array.isArray(own) ? beside.addAll([...own, ...namedFolders(launch, named)]) : own;
}

/** Folders that the entry names, and those of the code that it names. */
function namedFolders(launch: LaunchEntry, named: readonly string[]): string[] {
  const words = [...launch.command.slice(1), ...valuesOf(launch)].map((word) => word.replace(/^-[^=]*=/s, ''));
  const code = named.filter((path) => !SETTINGS.test(path));
  return [
    ...words.map((word) => resolve(launch.folder, word)).filter(isFolder),
    ...code.map((path) => dirname(realPath(path) ?? path)),
  ];
}

/** Where an interpreter looks for modules besides the system's places. */
function rootsOf(
  { command, folder }: LaunchEntry,
  { program, script }: { program: string; script: string | null },
  runtime: Parameters<typeof loadingOption>[1],
): string[] | Untold {
  if (script === null || !statSync(script).isFile()) return { why: 'unnamed', what: command[0] };
  const option = loadingOption(optionsBeforeScript(program, command), runtime);
  if (option !== null && option !== '') return { why: 'loads', what: option };
  const isPython = interpreterName(program) === 'python';
  const above = ancestorsOf(script);
  const project = above.find((at) => ['package.json', 'pyproject.toml'].some((name) => existsSync(join(at, name))));
  const working = realPath(folder) ?? folder;
  const isWorking = working !== '/' && working !== homedir() && script.startsWith(working + sep);
  return [
    ...(project === undefined ? [] : [project]),
    ...(isWorking ? [working] : []),
    dirname(script),
    ...(isPython
      ? userModules(option === '')
      : [
          ...above.map((at) => join(at, 'node_modules')),
          ...['.node_modules', '.node_libraries'].map((name) => join(homedir(), name)),
        ]),
    // A virtual environment names its link; what it has installed lies beside that.
    ...(isPython
      ? [command[0], program].map((path) => dirname(realPath(dirname(path)) ?? dirname(path)))
      : [join(dirname(dirname(program)), 'lib', 'node')]),
  ];
}

/** Python runs start-up files from there unless it is told not to. */
function userModules(areUsed: boolean): string[] {
  const libraries = join(homedir(), '.local/lib');
  if (!areUsed || !isFolder(libraries)) return [];
  return readdirSync(libraries)
    .filter((name) => name.startsWith('python'))
    .map((name) => join(libraries, name));
}

/** Every file in these folders, as far as the system did not put it there. */
class Beside {
  readonly paths = new Set<string>();
  #entries = 0;
  #bytes = 0;

  addAll(roots: readonly string[]): Untold | null {
    for (const root of new Set(roots)) {
      if (!isFolder(root) || isOfSystem(root) || this.paths.has(root)) continue;
      if (!this.#add(root, realPath(root) ?? root)) return { why: 'other', what: root };
    }
    return null;
  }

  /** False where it is too much, cannot be read, or has links that lead out of it. */
  #add(folder: string, root: string): boolean {
    this.paths.add(folder);
    try {
      return readdirSync(folder).every((name) => this.#addOne(join(folder, name), root));
    } catch {
      return false;
    }
  }

  #addOne(path: string, root: string): boolean {
    if (this.paths.has(path)) return true;
    const real = realPath(path);
    const facts = real === null ? null : statSync(real);
    this.#entries += 1;
    this.#bytes += facts?.isFile() === true ? facts.size : 0;
    if (this.#entries > MAX_ENTRIES || this.#bytes > MAX_BYTES) return false;
    if (real !== null && !real.startsWith(root + sep) && !isOfSystem(real)) return false;
    if (facts?.isDirectory() === true && !isOfSystem(path)) return this.#add(path, root);
    this.paths.add(path);
    return true;
  }
}

const isOfSystem = (path: string): boolean => path === '/usr' || placeOf(realPath(path) ?? path) === 'system';

function isStarter(path: string): boolean {
  const name = basename(path).toLowerCase();
  return LOADER.test(name) || STARTERS.has(name) || STARTERS.has(name.replace(/[-\d.]+$/, ''));
}

/** A name that somebody would look for, also as the value of an option; or where to look. */
function isProgramOnPath(word: string, path: string): boolean {
  const name = word.replace(/^-[^=]*=/s, '');
  if (name.includes('=') && SEARCH_VARIABLES.test(name.replace(/=.*$/s, ''))) return true;
  return /^[^-/\0][^/\0]*$/.test(name) && path.split(delimiter).some((folder) => existsSync(join(folder, name)));
}

function ancestorsOf(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [above, ...ancestorsOf(above)];
}

/** ELF, and Mach-O on macOS: not a script, whose interpreter reads it again. */
function isNative(path: string): boolean {
  const start = Buffer.alloc(4);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, start, 0, 4, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
  const magics = process.platform === 'darwin' ? ['cffaedfe', 'cafebabe'] : ['7f454c46'];
  return magics.includes(start.toString('hex'));
}

function isFolder(path: string): boolean {
  const real = realPath(path);
  return real !== null && statSync(real, { throwIfNoEntry: false })?.isDirectory() === true;
}

function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}
