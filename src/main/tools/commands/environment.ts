import { homedir } from 'node:os';
import type { SupervisorProgram } from '../../../native/process/index.js';

/** Variables that commands inherit. All others, such as secrets, are not passed on. */
const PASSED_NAMES = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'SSH_AUTH_SOCK',
]);
const PASSED_PATTERN = /^(LC_[A-Z]+|XDG_[A-Z_]+)$/;

/** Dependencies of the command tools. */
export function commandDependencies(
  options: { env: Record<string, string | undefined>; supervisor?: SupervisorProgram },
  desktopEnv: Record<string, string> | null,
) {
  return {
    commandEnv: commandEnvironments(options.env, desktopEnv),
    ...(options.supervisor === undefined ? {} : { supervisor: options.supervisor }),
  };
}

/** Builds the environments of commands. From a private desktop only the variables that give access to it are used; folders stay the person's. */
export function commandEnvironments(
  env: Record<string, string | undefined>,
  desktopEnv: Record<string, string> | null,
) {
  const plain = new Map([
    ['PATH', '/usr/local/bin:/usr/bin:/bin'],
    ['HOME', homedir()],
  ]);
  const desktop = new Map<string, string>();
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value === '') continue;
    if (DESKTOP_VARIABLES.has(name)) desktop.set(name, value);
    else if (PASSED_NAMES.has(name) || PASSED_PATTERN.test(name)) plain.set(name, value);
  }
  for (const [name, value] of Object.entries(desktopEnv ?? {}))
    if (DESKTOP_VARIABLES.has(name)) desktop.set(name, value);
  return {
    /** Without access to display and session bus. */
    plain: Object.fromEntries(plain),
    /** With access to the desktop. */
    desktop: Object.fromEntries([...plain, ...desktop]),
  };
}

/** They lead to the person's session, or name it. */
const OF_SESSION =
  /^(?:SSH_AUTH_SOCK|XDG_(?:RUNTIME_DIR|SESSION_.*|SEAT.*|VTNR|CURRENT_DESKTOP|MENU_PREFIX|ACTIVATION_TOKEN))$/;

/** For an agent with a desktop of its own (null: not yet): nothing of the person's session, whatever the command asks for. */
export function ownCommandEnvironments(
  env: Record<string, string | undefined>,
  desktopEnv: Record<string, string> | null,
) {
  const rest = Object.entries(env).filter(([name]) => !DESKTOP_VARIABLES.has(name) && !OF_SESSION.test(name));
  return commandEnvironments(Object.fromEntries(rest), desktopEnv);
}

/** Environment variables that give access to the display, the session bus or the accessibility bus. */
const DESKTOP_VARIABLES: ReadonlySet<string> = new Set([
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'WAYLAND_SOCKET',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  'DBUS_STARTER_ADDRESS',
  'AT_SPI_BUS_ADDRESS',
]);

/** The first variable that a command may only have with `desktop: true`. */
export const desktopVariableIn = (environment: Readonly<Record<string, string>>): string | undefined =>
  Object.keys(environment).find((name) => DESKTOP_VARIABLES.has(name));
