/**
 * Commands in bubblewrap, where Linux has it: no network, none of the person's files but the workspace, and that alone can be written.
 * Comes in: a command and its workspace. Goes out: the command that runs it there.
 */
import { execFile } from 'node:child_process';
import { existsSync, lstatSync, readlinkSync, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/** `missing`: bubblewrap is not installed where only root can have put it. `forbidden`: the kernel does not let it. */
export type NoSandbox = 'platform' | 'missing' | 'forbidden';

export interface Sandboxed {
  argv: readonly [string, ...string[]];
  /** The only place that can be written, besides folders in memory. */
  workspace: string;
  folder: string;
  /** Besides that of the sandbox's own program. */
  environment: Readonly<Record<string, string>>;
}

const PROGRAM = '/usr/bin/bwrap';
const PROBE_MS = 5000;
const WRITABLE_BY_OTHERS = 0o022;
/** What programs of the system need; of all else there is nothing. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt', '/etc', '/nix/store'] as const;
/** Git runs what these say, later and outside. */
const HELD = ['.git/hooks', '.git/config'] as const;
const NAMESPACES = ['--unshare-all', '--unshare-user', '--new-session', '--die-with-parent', '--cap-drop', 'ALL'];

export interface Sandbox {
  /** Why there is none; null: there is. Looked at once. */
  missing(): Promise<NoSandbox | null>;
  wrap(command: Sandboxed): [string, ...string[]];
}

export function createSandbox(program: string = PROGRAM, platform: string = process.platform): Sandbox {
  let probed: Promise<NoSandbox | null> | null = null;
  return {
    missing: () => (probed ??= platform === 'linux' ? probe(program) : Promise.resolve('platform')),
    wrap: ({ argv, workspace, folder, environment }) => [
      program,
      ...NAMESPACES,
      ...SYSTEM.flatMap(systemFolder),
      ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', '/var/tmp', '--tmpfs', '/run'],
      ...['--bind', workspace, workspace],
      ...HELD.map((name) => join(workspace, name)).flatMap((path) => ['--ro-bind-try', path, path]),
      ...['--setenv', 'HOME', '/tmp', '--setenv', 'TMPDIR', '/tmp', '--unsetenv', 'SSH_AUTH_SOCK'],
      ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
      ...['--chdir', folder, '--', ...argv],
    ],
  };
}

async function probe(program: string): Promise<NoSandbox | null> {
  const facts: Stats | null = await stat(program).catch(() => null);
  if (facts === null || facts.uid !== 0 || (facts.mode & WRITABLE_BY_OTHERS) !== 0) return 'missing';
  const args = [
    ...NAMESPACES,
    ...SYSTEM.flatMap(systemFolder),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--',
    '/usr/bin/true',
  ];
  return new Promise((resolve) => {
    execFile(program, args, { env: {}, timeout: PROBE_MS }, (thrown) => resolve(thrown === null ? null : 'forbidden'));
  });
}

/** A link, such as /bin to usr/bin, stays one. */
function systemFolder(path: string): string[] {
  if (!existsSync(path)) return [];
  return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}
