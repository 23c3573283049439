/** Environment variables that give access to the display, the session bus or the accessibility bus. */
export const DESKTOP_VARIABLES: ReadonlySet<string> = new Set([
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
