/** Another machine, as far as SSH goes: a server on a loopback port with keys and configuration of its own, and an `ssh` that knows it. */
import { execFileSync, spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ENTRY } from './command.js';

export interface SshMachine {
  /** `ssh://far`, which the client's configuration knows. */
  address: string;
  /** The same machine by a way that needs no network: its configuration has a `ProxyCommand`. */
  proxied: string;
  /** Where `ssh` is this client, with its configuration. */
  env: { PATH: string };
  /** Forgets the server's key, or takes another one for it. */
  knowKey(which: 'none' | 'other' | 'own'): void;
  /** While it is on, `ssh` waits before it begins: there are no new connections. */
  hold(on: boolean): void;
  /** Ends every connection; the server stays. */
  drop(): void;
  /** Puts a program on the search path there. */
  install(name: string, script: string): void;
  /** As a person would, with `ssh -L`. */
  forward(here: string, there: string): { close(): Promise<void> };
  /** Pids of the connections. */
  connections(): number[];
  close(): Promise<void>;
}

const SSHD = '/usr/sbin/sshd';
const HELD = 'held';
export const sshInstalled = existsSync(SSHD);

/** The server's program. As root it wants a folder that only its own start script makes: on a new machine there is none. */
export function sshServer(): string {
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  return SSHD;
}

/** `env`: of every command there. `more`: lines of the server's configuration. */
export async function startSshMachine(env: Record<string, string>, more: readonly string[] = []): Promise<SshMachine> {
  const folder = mkdtempSync(join(tmpdir(), 'chp-ssh-'));
  const at = (name: string): string => join(folder, name);
  for (const key of ['host', 'other', 'user'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', at(key)]);
  const [port, bin] = [await freePort(), at('bin')];
  mkdirSync(bin);
  writeFileSync(join(bin, 'chaperone'), `#!/bin/sh\nexec ${process.execPath} ${ENTRY} "$@"\n`, { mode: 0o755 });
  writeFileSync(join(bin, 'ssh'), clientScript(at), { mode: 0o755 });
  const path = `${bin}:${process.env['PATH'] ?? ''}`;
  writeFileSync(at('authorized'), readFileSync(at('user.pub')));
  writeFileSync(at('sshd_config'), serverLines(at, port, { ...env, PATH: path }, more));
  writeFileSync(at('config'), clientLines(at, port));
  const server = spawn(sshServer(), ['-D', '-e', '-f', at('sshd_config')], { stdio: ['ignore', 'ignore', 'pipe'] });
  const proxy = createServer((socket) => {
    const other = connect(port, '127.0.0.1');
    for (const [end, far] of [[socket, other], [other, socket]] as const) end.on('error', () => undefined).on('close', () => far.destroy()); // prettier-ignore
    socket.pipe(other).pipe(socket);
  });
  await new Promise<void>((resolve) => proxy.listen(at('sshd.sock'), resolve));
  server.once('close', () => proxy.close());
  const machine = machineOf(server, folder, port, bin);
  machine.knowKey('own');
  await listening(server);
  return machine;
}

const clientScript = (at: (name: string) => string): string => `#!/bin/sh
while [ -e ${at(HELD)} ]; do sleep 0.05; done
exec /usr/bin/ssh -F ${at('config')} "$@"
`;

const PROXY = `const s=require('net').connect(process.argv[1]);process.stdin.pipe(s).pipe(process.stdout)`;

function clientLines(at: (name: string) => string, port: number): string {
  return [
    'Host far far-by-socket',
    'HostName 127.0.0.1',
    `Port ${port}`,
    `User ${userInfo().username}`,
    'Host far-by-socket',
    `ProxyCommand ${process.execPath} -e "${PROXY}" ${at('sshd.sock')}`,
    'Host *',
    `IdentityFile ${at('user')}`,
    'IdentitiesOnly yes',
    'IdentityAgent none',
    `UserKnownHostsFile ${at('known')}`,
    'GlobalKnownHostsFile none',
    '',
  ].join('\n');
}

/** Rejects where it ends before. */
function listening(server: ChildProcessByStdio<null, null, Readable>): Promise<void> {
  let said = '';
  return new Promise((resolve, reject) => {
    server.stderr.on('data', (chunk) => {
      said += String(chunk);
      if (said.includes('Server listening on')) resolve();
    });
    server.once('close', () => reject(new Error(`sshd has ended: ${said}`)));
  });
}

function serverLines(
  at: (name: string) => string,
  port: number,
  env: Record<string, string>,
  more: readonly string[],
): string {
  return [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${at('host')}`,
    `AuthorizedKeysFile ${at('authorized')}`,
    'PidFile none',
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'PermitRootLogin yes',
    `SetEnv ${Object.entries(env).map(([name, value]) => `"${name}=${value}"`).join(' ')}`, // prettier-ignore
    ...more,
    '',
  ].join('\n');
}

function machineOf(server: ChildProcess, folder: string, port: number, bin: string): SshMachine {
  const connections = (): number[] => serving(server.pid ?? 0);
  return {
    address: 'ssh://far',
    proxied: 'ssh://far-by-socket',
    env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` },
    knowKey(which) {
      const key =
        which === 'none' ? '' : readFileSync(join(folder, which === 'own' ? 'host.pub' : 'other.pub'), 'utf8');
      writeFileSync(join(folder, 'known'), key === '' ? '' : `[127.0.0.1]:${port} ${key}`);
    },
    connections,
    hold(on) {
      if (on) writeFileSync(join(folder, HELD), '');
      else rmSync(join(folder, HELD), { force: true });
    },
    forward(here, there) {
      const child = spawn(join(bin, 'ssh'), ['-N', '-L', `${here}:${there}`, 'far'], { stdio: 'ignore' });
      const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
      return {
        close() {
          child.kill();
          return ended;
        },
      };
    },
    install: (name, script) => writeFileSync(join(bin, name), script, { mode: 0o755 }),
    drop() {
      for (const pid of connections()) kill(pid);
    },
    async close() {
      const ended = new Promise((resolve) => server.once('close', resolve));
      for (const pid of connections()) kill(pid);
      server.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

/** Servers of single connections only, not what runs in them. */
function serving(parent: number): number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid: Number(pid), ...statOf(pid) }));
  return all.filter((one) => one.parent === parent && one.name.startsWith('sshd')).map(({ pid }) => pid);
}

function statOf(pid: string): { name: string; parent: number } {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = text.lastIndexOf(')');
    return { name: text.slice(text.indexOf('(') + 1, end), parent: Number(text.slice(end + 2).split(' ')[1]) };
  } catch {
    return { name: '', parent: -1 };
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
