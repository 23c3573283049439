/** The command that starts the shim, as it stands in a client's configuration. Paths are absolute, because a client may have another PATH. */
import type { ClientEntry } from './edit.js';

export interface Launcher {
  command: string;
  /** `mcp` and, for a host on another machine, which. */
  args: readonly string[];
  /** Variables that the shim needs and clients do not pass on. */
  env?: Readonly<Record<string, string>>;
}

/** Of the entry in every client. */
export const NAME = 'chaperone';

/** The longest wait for a person, where the client's own limit for a call can be set. */
export const CALL_LIMIT_SECONDS = 30 * 60;

/** Adds CHAPERONE_HOME where it is set, so that the shim finds that host. */
export function withChaperoneHome(launcher: Launcher, env: Readonly<Record<string, string | undefined>>): Launcher {
  const home = env['CHAPERONE_HOME'] ?? '';
  return home === '' ? launcher : { ...launcher, env: { ...launcher.env, CHAPERONE_HOME: home } };
}

/** The shim then uses the host on that machine. */
export const withRemote = (launcher: Launcher, address: string, command?: string): Launcher => ({
  ...launcher,
  args: [...launcher.args, '--connect', address, ...(command === undefined ? [] : ['--command', command])],
});

/** The shim then answers with a handle a minute before the client's limit. */
export function withCallLimit(launcher: Launcher, seconds = CALL_LIMIT_SECONDS): Launcher {
  return { ...launcher, args: [...launcher.args, '--call-limit', String(seconds - 60)] };
}

/** `command` and `args`, then what else belongs in the entry, then the variables. */
export function commandEntry({ command, args, env }: Launcher, more: ClientEntry = {}): ClientEntry {
  return { command, args, ...more, ...(env === undefined ? {} : { env }) };
}
