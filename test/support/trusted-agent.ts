/** Programs that connect to a host as agents that a person trusts, or as others that want to pass for them. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { eventually } from './eventually.js';
import { gone } from './other.js';
import { settle, type Person } from './person.js';
import { openRpc, type Rpc } from './rpc.js';
import type { Card } from '../../src/main/protocol/index.js';

const NODE = `
import { connect } from 'node:net';
import { spawn } from 'node:child_process';
const socket = connect(process.env.AGENT_SOCKET);
process.stdin.pipe(socket);
socket.pipe(process.stdout);
socket.on('close', () => process.exit(0));
process.on('SIGUSR2', () => {
  const child = spawn('/bin/sleep', ['60'], { stdio: ['ignore', 'ignore', 'ignore', socket._handle.fd] });
  process.once('SIGPWR', () => child.kill());
});
`;
const PYTHON = `
import os, select, signal, socket, sys
signal.signal(signal.SIGUSR1, lambda *_: os.execv(sys.executable, sys.orig_argv))
host = socket.socket(socket.AF_UNIX)
host.connect(os.environ['AGENT_SOCKET'])
while True:
    ready, _, _ = select.select([0, host], [], [])
    if 0 in ready:
        given = os.read(0, 65536)
        if not given: sys.exit(0)
        host.sendall(given)
    if host in ready:
        heard = host.recv(65536)
        if not heard: sys.exit(0)
        os.write(1, heard)
`;
const PERL = `
use IO::Socket::UNIX; use IO::Select;
my $host = IO::Socket::UNIX->new(Type => SOCK_STREAM, Peer => $ENV{AGENT_SOCKET}) or die;
my $select = IO::Select->new(\\*STDIN, $host);
for (;;) {
  for my $from ($select->can_read) {
    my $bytes = sysread($from, my $data, 65536) or exit;
    syswrite($from == $host ? \\*STDOUT : $host, $data);
  }
}
`;

/** Connects, leaves its end to a helper, then executes the program that is trusted: from then on the kernel's number for it names that one. */
export const HANDOVER = `
import os, select, socket, sys
node, script, kept = sys.argv[1:4]
host = socket.socket(socket.AF_UNIX)
ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
if os.fork() == 0:
    host = socket.socket(fileno=socket.recv_fds(theirs, 10, 1)[1][0])
    while True:
        ready, _, _ = select.select([0, host], [], [])
        if 0 in ready:
            given = os.read(0, 65536)
            if not given: sys.exit(0)
            host.sendall(given)
        if host in ready:
            heard = host.recv(65536)
            if not heard: sys.exit(0)
            os.write(1, heard)
host.set_inheritable(kept == 'kept')
host.connect(os.environ['AGENT_SOCKET'])
socket.send_fds(ours, [b'x'], [host.fileno()])
silent, open_end = os.pipe()
os.set_inheritable(open_end, True)
os.dup2(silent, 0)
os.dup2(os.open('/dev/null', os.O_WRONLY), 1)
os.execv(node, [node, script])
`;

/** Connects, sends all of BODY, then executes the program that is trusted, which has the connection alone from then on. */
export const WRITE_THEN_EXECUTE = `
import os, socket, sys
host = socket.socket(socket.AF_UNIX)
host.set_inheritable(True)
host.connect(os.environ['AGENT_SOCKET'])
host.sendall(os.environ['BODY'].encode())
os.execv(sys.argv[1], sys.argv[1:])
`;

export interface Started {
  child: ChildProcess;
  rpc: Rpc;
}

export interface Trusted {
  /** Counts as installed by the system. */
  folder: string;
  /** Does not. */
  elsewhere: string;
  scripts: Record<'node' | 'python' | 'perl', string>;
  write(file: string, text: string): void;
  /** Waits until what was written is older than a program that starts now. */
  settled(): Promise<void>;
  /** `until`: this process, and with it the host, does nothing else until the program has come that far. */
  start(
    command: readonly [string, ...string[]],
    env?: Record<string, string>,
    until?: (pid: number) => boolean,
  ): Promise<Started>;
  close(): Promise<void>;
}

export function openTrusted(place: () => { socketPath: string; workspace: string }): Trusted {
  const [folder, elsewhere] = ['system', 'own'].map((name) => realpathSync(mkdtempSync(join(tmpdir(), `chap-${name}-`)))); // prettier-ignore
  if (folder === undefined || elsewhere === undefined) throw new Error('unreachable');
  const scripts = { node: join(folder, 'agent.mjs'), python: join(folder, 'agent.py'), perl: join(folder, 'agent.pl') };
  const children: ChildProcess[] = [];
  let newest = '';
  const write = (file: string, text: string) => writeFileSync((newest = file), text);
  mkdirSync(join(elsewhere, 'home'));
  write(scripts.node, NODE);
  write(scripts.python, PYTHON);
  write(scripts.perl, PERL);
  return {
    folder,
    elsewhere,
    scripts,
    write,
    async settled() {
      await eventually(() => Date.now() - statSync(newest).ctimeMs).toBeGreaterThan(200);
    },
    async start([program, ...args], env = {}, until = () => true) {
      const { socketPath, workspace } = place();
      const own = { PATH: '/usr/bin:/bin', HOME: join(elsewhere, 'home'), AGENT_SOCKET: socketPath };
      const child = spawn(program, args, { env: { ...own, ...env }, cwd: '/', stdio: ['pipe', 'pipe', 'inherit'] });
      children.push(child);
      while (!until(child.pid ?? 0));
      if (child.stdout === null || child.stdin === null) throw new Error('unreachable');
      const stream = Duplex.from({ readable: child.stdout, writable: child.stdin });
      stream.on('error', () => undefined);
      const rpc = await openRpc(stream, workspace);
      // Once it has an answer, nothing that it sends is early.
      await rpc.call('desktop.health');
      return { child, rpc };
    },
    async close() {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(children.map(gone));
      for (const each of [folder, elsewhere]) rmSync(each, { recursive: true, force: true });
    },
  };
}

type Grant = 'once' | 'time' | 'session' | 'always';

/** What came of a call: the request that the person saw and allowed so, or null where none was shown. */
export async function askedFor(
  person: Person,
  call: Promise<{ error?: unknown }>,
  grant: Grant | ((card: Card) => Grant) = 'once',
): Promise<Card | null> {
  const before = person.seen.length;
  let answer: { error?: unknown } | null = null;
  const ended = call.then((one) => (answer = one));
  const shown = () =>
    person.seen.slice(before).flatMap((one) => (one.type === 'approvalRequested' ? [one.approval] : []))[0] ?? null;
  await eventually(() => answer !== null || shown() !== null).toBe(true);
  const card = shown();
  if (card !== null) {
    const given = typeof grant === 'string' ? grant : grant(card);
    if (!card.grants.some(({ kind }) => kind === given)) throw new Error(`no ${given}: ${JSON.stringify(card)}`);
    await settle(person, card, 'allow', { grant: given });
  }
  const { error } = await ended;
  // What was allowed may have changed since: that is not asked about here.
  if (card === null && error !== undefined) throw new Error(JSON.stringify(error));
  return card;
}

/** A container may not let its processes have namespaces of their own. */
export const cannotUnshare = (kind: string): boolean => spawnSync('unshare', [kind, '-f', 'true']).status !== 0;
