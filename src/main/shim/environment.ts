/** The environment of a host that the shim starts. The agent controls the shim's own environment, so nothing is inherited: each variable is listed here with the pattern it must match. */
import { realpathSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

const PATHS = new Map<string, string>([['darwin', '/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin']]);
const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const WORD = /^[A-Za-z0-9_.:@-]{1,128}$/;
const ABSOLUTE = /^\/[^\0\n]{0,1023}$/;

/** Variables of the person's session, and the pattern that a value must match to be passed on. */
const PASSED_VARIABLES = new Map<string, RegExp>([
  ['LANG', WORD],
  ['LC_ALL', WORD],
  ['TZ', /^:?[A-Za-z0-9_+./-]{1,128}$/],
  ['DISPLAY', /^:\d{1,5}(\.\d{1,2})?$/],
  ['XAUTHORITY', ABSOLUTE],
  ['WAYLAND_DISPLAY', /^[A-Za-z0-9_./-]{1,255}$/],
  ['DBUS_SESSION_BUS_ADDRESS', /^unix:(path|abstract)=[A-Za-z0-9_./,=%-]{1,512}$/],
  ['XDG_RUNTIME_DIR', ABSOLUTE],
  ['XDG_CONFIG_HOME', ABSOLUTE],
  ['XDG_STATE_HOME', ABSOLUTE],
  ['XDG_SESSION_TYPE', WORD],
  ['XDG_CURRENT_DESKTOP', WORD],
  ['XDG_SESSION_ID', WORD],
  ['HOME', ABSOLUTE],
  ['CHAPERONE_HOME', ABSOLUTE],
  ['CHAPERONE_LOG', /^(fatal|error|warn|info|debug|trace|silent)$/],
  ['CHAPERONE_BACKEND', /^simulated$/],
  ['PORT', /^\d{1,5}$/],
]);

/**
 * `home` is the user's home folder by the system's user database. Where HOME, XDG_* or CHAPERONE_HOME name other folders, the host
 * may read settings that the agent wrote, so its policy is never wider than `standard` then (`narrow`).
 */
export function hostEnvironment(env: Env, home: string, platform: string = process.platform): Record<string, string> {
  const fixed: Record<string, string> = { PATH: PATHS.get(platform) ?? DEFAULT_PATH, HOME: home };
  for (const [name, pattern] of PASSED_VARIABLES) {
    const value = env[name];
    if (value !== undefined && pattern.test(value)) fixed[name] = value;
  }
  const workspaceRoot = insideHome(env['WORKSPACE_ROOT'], home);
  if (workspaceRoot !== null) fixed['WORKSPACE_ROOT'] = workspaceRoot;
  return fixed;
}

/** The folder's real path where it is below home and not hidden; else null. */
export function insideHome(folder: string | undefined, home: string): string | null {
  if (folder === undefined || !isAbsolute(folder)) return null;
  try {
    const real = realpathSync(folder);
    const parts = relative(realpathSync(home), real).split(/[\\/]/);
    const inside = parts[0] !== '' && parts[0] !== '..' && !isAbsolute(parts.join('/'));
    return inside && !parts.some((part) => part.startsWith('.')) ? real : null;
  } catch {
    return null;
  }
}

/** True where settings are read from other folders than the default ones: whoever set the environment may have written them. */
export function settingsRelocated(env: Env, home: string): boolean {
  const moved = ['CHAPERONE_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME'].some(
    (name) => (env[name] ?? '') !== '',
  );
  return moved || (env['HOME'] ?? home) !== home;
}
