/** Switches for Electron, set by an AppImage's launcher or by a person. */
const ALLOWED_SWITCH = /^--(no-sandbox|disable-gpu|ozone-platform(-hint)?=.*|enable-features=.*|disable-features=.*)$/;
const CLI_SCRIPT = /\.asar[\\/]dist[\\/]main[\\/]cli[\\/]index\.js$/;
const HELP_OR_VERSION = /^(-h|--help|-v|--version)$/;

/** These would let another program see and press what only the person may, or run its code here. Chromium also accepts one hyphen. */
const FORBIDDEN_SWITCH =
  /^--?(remote-debugging-(port|pipe|address)|remote-allow-origins|inspect.*|js-flags|load-extension|disable-web-security|disable-site-isolation-trials|host-rules|host-resolver-rules|proxy-.*)(=|$)/;

/** The first switch with which the app refuses to start; null when there is none. */
export function forbiddenSwitch(args: readonly string[]): string | null {
  return args.find((word) => FORBIDDEN_SWITCH.test(word)) ?? null;
}

/**
 * The command of `chaperone` in the packaged program's arguments; null starts the app. Where `process.execPath` is started with the
 * script first, as Node needs it, the script is left out: Electron does not run as Node here.
 */
export function parseCommand(args: readonly string[]): string[] | null {
  const start = args.findIndex((word) => !ALLOWED_SWITCH.test(word));
  const [first, ...rest] = start < 0 ? [] : args.slice(start);
  if (first === undefined) return null;
  if (CLI_SCRIPT.test(first)) return rest;
  if (first === 'app') return null;
  return first.startsWith('-') && !HELP_OR_VERSION.test(first) ? null : [first, ...rest];
}
