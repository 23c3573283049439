import { homedir } from 'node:os';

/** What a program needs to find its way; secrets, and whatever else the host was started with, stay here. */
const PLAIN = new Set(['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR', 'DISPLAY', 'XAUTHORITY', 'WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS', 'SSH_AUTH_SOCK']); // prettier-ignore
const FAMILIES = /^(LC_[A-Z]+|XDG_[A-Z_]+)$/;
/** Of a private desktop, what leads to it; home and folders stay the person's own. */
const DESKTOP = ['DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR'];

/** The environment that commands start from. */
export function commandEnvironment(
  env: Record<string, string | undefined>,
  desktopEnv: Record<string, string> | null,
): Record<string, string> {
  const made = new Map([
    ['PATH', '/usr/local/bin:/usr/bin:/bin'],
    ['HOME', homedir()],
  ]);
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && value !== '' && (PLAIN.has(name) || FAMILIES.test(name))) made.set(name, value);
  for (const name of DESKTOP) {
    const value = desktopEnv?.[name];
    if (value !== undefined) made.set(name, value);
  }
  return Object.fromEntries(made);
}
