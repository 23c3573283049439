/** The system's `ssh`; and why a host elsewhere cannot be had, by what it says, and what to do about it. */
import { message } from '../../messages/index.js';
import { WireError } from '../protocol/index.js';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { SshAddress } from './address.js';

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

/** Over those of the user's configuration: a connection of its own, in which nothing of this machine is reachable from the other one. */
const OPTIONS = [
  'BatchMode=yes',
  'ControlMaster=no',
  'ControlPath=none',
  'ConnectTimeout=20',
  'ServerAliveInterval=15',
  'ServerAliveCountMax=3',
  'LogLevel=INFO',
  'PermitLocalCommand=no',
  'RemoteCommand=none',
  'RequestTTY=no',
  'StreamLocalBindMask=0177',
  'StreamLocalBindUnlink=no',
  'Tunnel=no',
];

const MAX_SAID = 16 * 1024;

/** The system's `ssh`, with the user's own configuration: it checks keys, asks nothing, and ends with this process. */
interface SshRun {
  address: SshAddress;
  /** Run by the login shell there; fixed words. */
  command: string;
  /** `-L` values; without any, also those of the user's configuration are left out. */
  forwards: readonly string[];
  /** The program to start; tests give their own configuration by it. */
  program: readonly string[];
}

/** It ended before there was an answer. */
export class SshEnded extends Error {
  constructor(
    /** null where a signal ended it, or where there is no such program (`missing`). */
    readonly code: number | null,
    readonly said: string,
    readonly missing = false,
  ) {
    super('ssh has ended');
    this.name = 'SshEnded';
  }
}

export interface Ssh {
  pid: number;
  /** The first line of its output that is one. Rejects with {@link SshEnded}. */
  answer: Promise<string>;
  /** Never rejects. */
  ended: Promise<void>;
  /** What it printed to stderr lately. */
  said(): string;
  /** Ends the input of the command there. */
  endInput(): void;
  close(): void;
}

export function sshArguments({ address, command, forwards }: SshRun): string[] {
  const { user, host, port } = address;
  const all = [...OPTIONS, forwards.length === 0 ? 'ClearAllForwardings=yes' : 'ExitOnForwardFailure=yes'];
  return [
    '-T',
    '-a',
    '-x',
    ...all.flatMap((option) => ['-o', option]),
    ...forwards.flatMap((forward) => ['-L', forward]),
    ...(port === null ? [] : ['-p', String(port)]),
    ...(user === null ? [] : ['-l', user]),
    '--',
    host,
    command,
  ];
}

/** The other end of its input is this process, so that the command there, and `ssh` with it, end also where this process is killed. */
export function startSsh(run: SshRun, isAnswer: (line: string) => boolean): Ssh {
  const [program = 'ssh', ...before] = run.program;
  const child = spawn(program, [...before, ...sshArguments(run)], { stdio: 'pipe' });
  let said = '';
  child.stderr.on('data', (chunk) => (said = (said + String(chunk)).slice(-MAX_SAID)));
  child.stdin.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  const answer = answerOf(child, isAnswer, () => said);
  answer.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    answer,
    ended,
    said: () => said,
    endInput: () => child.stdin.end(),
    close: () => void child.kill('SIGTERM'),
  };
}

/** Login shells may print lines of their own before. */
function answerOf(
  child: ChildProcessWithoutNullStreams,
  isAnswer: (line: string) => boolean,
  said: () => string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (isAnswer(line)) resolve(line);
    });
    child.once('error', () => reject(new SshEnded(null, '', true)));
    child.once('close', (code) => reject(new SshEnded(code, said())));
  });
}
