import { isAbsolute, normalize } from 'node:path';
import { message, MessageError } from '../../messages/index.js';

/** A machine to reach by SSH. */
export interface SshAddress {
  kind: 'ssh';
  /** As people write it. */
  text: string;
  user: string | null;
  host: string;
  port: number | null;
}

/** A socket of this machine that somebody forwards to a host elsewhere. */
interface SocketAddress {
  kind: 'unix';
  text: string;
  path: string;
}

export type Address = SshAddress | SocketAddress;

/** No character that `ssh`, its configuration or a shell could take for anything but a name, and none begins with a hyphen. */
const SSH =
  /^ssh:\/\/(?:([A-Za-z0-9_][A-Za-z0-9_.-]{0,63})@)?([A-Za-z0-9_][A-Za-z0-9_.-]{0,252}|\[[0-9A-Fa-f:.]{2,45}\])(?::([1-9]\d{0,4}))?\/?$/;
const UNIX = /^unix:\/\/(\/[^\0\n\r]{1,1023})$/;
const MAX_PORT = 65_535;

/** Throws MessageError for anything else than an address. */
export function parseAddress(text: string): Address {
  const ssh = SSH.exec(text);
  if (ssh !== null) {
    const [, user = null, host = '', digits] = ssh;
    const port = digits === undefined ? null : Number(digits);
    if (port === null || port <= MAX_PORT)
      return { kind: 'ssh', text: text.replace(/\/$/, ''), user, host: host.replace(/^\[|\]$/g, ''), port };
  }
  const path = UNIX.exec(text)?.[1];
  if (path !== undefined && isAbsolute(path) && normalize(path) === path) return { kind: 'unix', text, path };
  throw new MessageError(message('remote.no_address', { given: text.slice(0, 200) }));
}

/** What starts Chaperone on the other machine: words without anything that its shell would act on. */
const COMMAND = /^[A-Za-z0-9_./~][A-Za-z0-9_./~+@ -]{0,510}$/;

export function parseCommand(text: string): string {
  if (COMMAND.test(text)) return text;
  throw new MessageError(message('remote.no_command', { given: text.slice(0, 200) }));
}
