import { createHash } from 'node:crypto';
import { readFileSync, statSync, lstatSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, resolve, sep } from 'node:path';
import type { CodeSignatures } from './macos-signatures.js';
import type { ProcessIdentity } from './types.js';

type Process = Pick<ProcessIdentity, 'pid' | 'startTime'>;

/** An agent can run a program under conditions of its choice; an application is only acted on. */
export type Role = 'agent' | 'application';

/** What tells a program from every other, or why it cannot be told. */
export type Identified = { identity: string } | { untold: Untold };

export interface Untold {
  reason:
    | 'namespace'
    | 'traced'
    | 'interpreter'
    | 'variable'
    | 'option'
    | 'missing'
    | 'modules'
    | 'place'
    | 'script'
    | 'library'
    | 'written'
    | 'unknown';
  /** '' where not even its path is known. */
  program: string;
  /** The variable, option or file. */
  what: string;
}

/** Tells whether a process runs the program that something was granted to, whatever lies at its path by now. */
export interface ProgramIdentities {
  of(process: Process, role: Role): Identified;
  isSame(process: Process, role: Role, identity: string): boolean;
}

export const untold = (reason: Untold['reason'], program: string, what = ''): { untold: Untold } => ({
  untold: { reason, program, what },
});

const CODE = 'code ';
const FILE = 'file ';

/** By the code's signature; of a program without one by the content of its file, where that is older than the process. */
export function createProgramIdentities(
  signatures: CodeSignatures,
  lookup: (pid: number) => ProcessIdentity | null,
): ProgramIdentities {
  /** Between two looks at the process, so that the answer is not another one's. */
  function whileSame<T>({ pid, startTime }: Process, none: T, ask: (found: ProcessIdentity) => T): T {
    const found = lookup(pid);
    if (found?.startTime !== startTime) return none;
    const answer = ask(found);
    const after = lookup(pid);
    return after?.startTime === startTime && after.executable === found.executable ? answer : none;
  }

  return {
    of: (process) =>
      whileSame<Identified>(process, untold('unknown', ''), (found) => {
        const requirement = signatures.requirementOf(found.pid);
        if (requirement !== null) return { identity: CODE + requirement };
        const hash = hashOfFile(found);
        return hash === null ? untold('unknown', found.executable) : { identity: FILE + hash };
      }),
    isSame: (process, _role, identity) =>
      whileSame(process, false, (found) => {
        if (identity.startsWith(CODE)) return signatures.satisfies(found.pid, identity.slice(CODE.length));
        return signatures.requirementOf(found.pid) === null && identity === FILE + hashOfFile(found);
      }),
  };
}

/** null for a file that may have been written since the process began: the process could run what was there before. */
function hashOfFile({ executable, startTime }: ProcessIdentity): string | null {
  try {
    if (statSync(executable).ctimeMs / 1000 >= Number(startTime)) return null;
    return createHash('sha256').update(readFileSync(executable)).digest('hex');
  } catch {
    return null;
  }
}

// Where a program lies, and who could have put it there. Called for the names of agents and for what outlives a process.

/** `system`: only the system's administrator writes there. `installer`: where installers put programs for this user. */
type Place = 'system' | 'installer' | null;

export interface PlaceOptions {
  home?: string;
  /** Besides those of the system; whoever names them answers for who can write there. */
  systemFolders?: readonly string[];
}

const SYSTEM_FOLDERS: readonly string[] = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib64', '/opt', '/snap', '/nix/store', '/gnu/store', '/var/lib/flatpak'],
  '/System',
];

/** Where installers of clients and of language packages put programs; relative ones below the home folder. */
const INSTALLER_FOLDERS: readonly string[] = [
  ...['.local/bin', '.local/share/claude/versions', '.claude/local', '.local/share/cursor-agent', '.local/share/goose'],
  ...['.opencode/bin', '.codex/bin', '.junie', '.local/zed.app', '.local/share/JetBrains', '.local/share/code'],
  ...['.vscode/extensions', '.vscode-server', '.cursor', '.windsurf', '.cursor-server', 'Applications'],
  ...['.npm-global', '.npm-packages', '.nvm/versions', '.volta', '.asdf/installs', '.local/share/mise/installs'],
  ...[
    '.local/share/fnm',
    '.local/share/pnpm',
    '.bun/install',
    '.local/lib/node_modules',
    '.yarn',
    '.cargo/bin',
    'go/bin',
  ],
  ...['.local/share/uv/tools', '.local/share/pipx', '.local/share/flatpak'],
  // On macOS; administrators may write there.
  ...['/Applications', '/opt/homebrew', '/usr/local'],
];

const STICKY = 0o1000;
const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;

export function placeOf(path: string, { home = userInfo().homedir, systemFolders = [] }: PlaceOptions = {}): Place {
  if (!isAbsolute(path)) return null;
  if (systemFolders.some((one) => isWithin(path, one))) return 'system';
  if (SYSTEM_FOLDERS.some((one) => isWithin(path, one)) && isClosed(path)) return 'system';
  return INSTALLER_FOLDERS.some((one) => isWithin(path, resolve(home, one))) ? 'installer' : null;
}

/** In the folder that its agent works in. What was started from the home folder, as by a desktop's menu, has no such folder. */
export const isInWorkspace = (path: string, cwd: string | null, home = userInfo().homedir): boolean =>
  cwd !== null && cwd !== '/' && cwd !== home && isWithin(path, cwd);

const isWithin = (path: string, folder: string): boolean => path.startsWith(folder.replace(/\/+$/, '') + sep);

/** Neither the file nor a folder above it can be changed by this user. */
function isClosed(path: string): boolean {
  const groups = new Set(process.getgroups?.() ?? []);
  for (let at = path; ; at = dirname(at)) {
    const facts = lstatSync(at, { throwIfNoEntry: false });
    if (facts === undefined || facts.isSymbolicLink() || facts.uid !== 0) return false;
    const byGroup = (facts.mode & GROUP_WRITES) !== 0 && facts.gid !== 0 && groups.has(facts.gid);
    const sticky = facts.isDirectory() && (facts.mode & STICKY) !== 0;
    if ((facts.mode & OTHERS_WRITE) !== 0 || (byGroup && !sticky)) return false;
    if (dirname(at) === at) return true;
  }
}
