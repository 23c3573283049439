/** Other processes at the far end of the host's sockets: bytes only pass through them, so the kernel names them and not the test. */
import { spawn, type ChildProcess } from 'node:child_process';
import { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';

export interface Other {
  pid: number;
  stream: Duplex;
  /** What it said on stderr once it has ended: the error's code where the connection was refused. */
  ended: Promise<string>;
  close(): Promise<void>;
}

const RELAY = `
  const socket = require('node:net').connect(JSON.parse(process.argv[1]));
  process.stdin.pipe(socket);
  socket.pipe(process.stdout);
  socket.on('error', (error) => { process.stderr.write(error.code); process.exit(3); });
  socket.on('close', () => process.exit(0));
`;

type Target = { path: string } | { host: string; port: number };

/** A child process that connects there, as another user where `uid` is given. */
export function connectAs(target: Target, { uid }: { uid?: number } = {}): Other {
  const user = uid === undefined ? {} : { uid, gid: uid };
  const child = spawn(process.execPath, ['-e', RELAY, JSON.stringify(target)], { cwd: '/', env: {}, ...user });
  const ended = Promise.all([buffer(child.stderr), gone(child)]).then(([words]) => words.toString());
  child.stdin.on('error', () => undefined);
  return {
    pid: child.pid ?? 0,
    stream: Duplex.from({ readable: child.stdout, writable: child.stdin }),
    ended,
    async close() {
      child.kill('SIGKILL');
      await gone(child);
    },
  };
}

export function gone(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once('close', (code) => resolve(code)));
}
