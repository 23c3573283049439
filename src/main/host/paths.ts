/** Where the host's files lie. Called by discovery, and by the command line before it loads anything else. */
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import envPaths from 'env-paths';

export interface HostPaths {
  config: string;
  state: string;
  runtime: string;
  /** CHAPERONE_HOME is set: nothing is written outside it, except a socket whose path would be too long. */
  isolated: boolean;
}

export function hostPaths(env: Record<string, string | undefined>): HostPaths {
  const home = env['CHAPERONE_HOME'];
  if (home) {
    const root = resolve(home);
    return { config: join(root, 'config'), state: join(root, 'state'), runtime: join(root, 'run'), isolated: true };
  }
  const platform = envPaths('chaperone', { suffix: '' });
  const state = process.platform === 'linux' ? platform.log : platform.data;
  return { config: platform.config, state, runtime: runtimeFolder(env), isolated: false };
}

function runtimeFolder(env: Record<string, string | undefined>): string {
  const given = env['XDG_RUNTIME_DIR'];
  return given ? join(given, 'chaperone') : join(tmpdir(), `chaperone-${userName()}`);
}

export function userName(): string {
  return String(process.getuid?.() ?? 'user');
}
