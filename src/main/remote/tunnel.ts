/** One SSH connection that forwards the host's socket, and its page where asked. Two runs of `ssh`: the first asks where the socket is. */
import { mkdtempSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { VERSION } from '../protocol/local-command.js';
import type { SshAddress } from './address.js';
import { faultOf, remoteError, SshEnded, startSsh, type Ssh } from './ssh.js';
import { isWhereLine, readWhere, type HostPlace } from './where.js';

export interface TunnelOptions {
  address: SshAddress;
  /** What starts Chaperone there; a fixed word or path. */
  command: string;
  /** Starts a host there where none runs. */
  start: boolean;
  /** Forwards the port of its page to the same port here. */
  page: boolean;
  /** For tests: what starts `ssh`. */
  program?: readonly string[];
}

export type Tunnel = Awaited<ReturnType<typeof openTunnel>>;

/** Connecting, and starting a host on a slow machine. */
const ANSWER_MS = 90_000;

/** Rejects with WireError. */
export async function openTunnel(options: TunnelOptions, signal: AbortSignal) {
  const { address, command, start } = options;
  const asked = run(options, `${command} where${start ? ' --start' : ''} --token`, [], signal);
  asked.endInput();
  const found = await placeIn(asked, address).finally(asked.close);
  const folder = mkdtempSync(join(tmpdir(), 'chaperone-ssh-'));
  const socket = join(folder, 'host.sock');
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const forwards = [`${socket}:${found.socket}`, ...(options.page ? pageForwards(found.url) : [])];
  const ssh = run(options, `${command} where --token`, forwards, signal);
  const close = (): void => {
    ssh.close();
    remove();
  };
  void ssh.ended.then(remove);
  try {
    // It answers once everything is forwarded; the host may be another one by now.
    const host = await placeIn(ssh, address, portOf(found.url));
    if (host.socket !== found.socket || host.url !== found.url) throw remoteError(address.text, 'unreachable');
    return {
      host,
      /** Of this machine. */
      socket,
      /** The process that listens there. */
      pid: ssh.pid,
      ended: ssh.ended,
      said: ssh.said,
      close,
    };
  } catch (thrown) {
    close();
    throw thrown;
  }
}

function run(options: TunnelOptions, command: string, forwards: readonly string[], signal: AbortSignal): Ssh {
  const { address, program = ['ssh'] } = options;
  signal.throwIfAborted();
  const ssh = startSsh({ address, command, forwards, program }, isWhereLine);
  const late = setTimeout(ssh.close, ANSWER_MS);
  ssh.answer.then(
    () => clearTimeout(late),
    () => clearTimeout(late),
  );
  signal.addEventListener('abort', ssh.close, { once: true });
  void ssh.ended.then(() => signal.removeEventListener('abort', ssh.close));
  return ssh;
}

async function placeIn(ssh: Ssh, { text }: SshAddress, port?: number): Promise<HostPlace> {
  const line = await ssh.answer.catch((thrown: unknown) => Promise.reject(endedError(thrown, text, port)));
  const where = readWhere(line);
  if (where === null) throw remoteError(text, 'untrusted');
  if (series(where.chaperone) !== series(VERSION))
    throw remoteError(text, 'version', { ours: VERSION, theirs: where.chaperone });
  if (where.host !== null) return where.host;
  throw remoteError(text, 'no_host', where.fault === undefined ? {} : { output: where.fault });
}

function endedError(thrown: unknown, address: string, port?: number): unknown {
  if (!(thrown instanceof SshEnded)) return thrown;
  const { code, said, missing } = thrown;
  return remoteError(address, missing ? 'no_ssh' : faultOf(code, said), {
    output: said,
    ...(port === undefined ? {} : { port }),
  });
}

/** Hosts of one series understand each other. */
const series = (version: string): string => version.split('.').slice(0, 2).join('.');

export const portOf = (url: string): number => Number(new URL(url).port);

/** Both addresses of the loopback that this machine has: pages name neither, but `localhost`. */
function pageForwards(url: string): string[] {
  const port = portOf(url);
  const both = Object.values(networkInterfaces())
    .flat()
    .some((one) => one?.address === '::1');
  return ['127.0.0.1', ...(both ? ['[::1]'] : [])].map((own) => `${own}:${port}:localhost:${port}`);
}
