/** Why a host elsewhere cannot be had, by what `ssh` says, and what to do about it. */
import { message } from '../../messages/index.js';
import { WireError } from '../protocol/index.js';

export type RemoteFault =
  | 'no_ssh'
  | 'key_unknown'
  | 'key_changed'
  | 'login'
  | 'no_name'
  | 'unreachable'
  | 'forwarding'
  | 'port'
  | 'no_chaperone'
  | 'no_host'
  | 'no_token'
  | 'version'
  | 'untrusted'
  | 'other';

/** First match wins. These sentences of OpenSSH are in English whatever the language is set to. */
const SAID: readonly (readonly [RegExp, RemoteFault])[] = [
  [/REMOTE HOST IDENTIFICATION HAS CHANGED/, 'key_changed'],
  [/Host key verification failed|host key is known for/, 'key_unknown'],
  [/Permission denied|Too many authentication failures|No supported authentication/i, 'login'],
  [/Could not resolve hostname/, 'no_name'],
  [/cannot listen to port|Address already in use/, 'port'],
  [/administratively prohibited|forwarding request failed|forwarding is disabled/i, 'forwarding'],
  [/Connection (?:refused|timed out|reset|closed)|No route to host|Network is unreachable|Operation timed out|banner exchange|kex_exchange_identification|Broken pipe|not responding/, 'unreachable'], // prettier-ignore
  [/command not found|not found$|No such file or directory$/m, 'no_chaperone'],
];

/** Trying again later can help. */
const PASSING: ReadonlySet<RemoteFault> = new Set<RemoteFault>(['no_name', 'unreachable', 'other']);
const COMMAND_NOT_FOUND = 127;
const MAX_OUTPUT = 300;

/** `ssh` has ended: `code` null where a signal ended it. */
export function faultOf(code: number | null, said: string): RemoteFault {
  if (code === COMMAND_NOT_FOUND) return 'no_chaperone';
  return SAID.find(([pattern]) => pattern.test(said))?.[1] ?? 'other';
}

interface Said {
  output?: string;
  ours?: string;
  theirs?: string;
  port?: number;
}

export function remoteError(
  address: string,
  why: RemoteFault,
  { output = '', ours, theirs, port }: Said = {},
): WireError {
  const last = plain(output).trim().slice(-MAX_OUTPUT);
  const facts = { ours: ours ?? '', theirs: plain(theirs ?? ''), port: String(port ?? '') };
  const said = last === '' ? 'other' : 'yes';
  return new WireError(
    'DESKTOP_HOST_NOT_READY',
    message('remote.failed', { address, why, said, output: last, ...facts }),
    { reason: `remote_${why}`, next: message('next.remote', { address: address.replace(/^ssh:\/\//, ''), why }) },
    PASSING.has(why),
  );
}

/** The other machine chooses some of these words: nothing of them acts on a terminal. */
const plain = (text: string): string => text.replace(/\r\n/g, '\n').replace(/[^\P{C}\n]/gu, '\uFFFD');
