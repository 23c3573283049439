/** Sockets for the tests of listener and client. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { expect } from 'vitest';
import { createProcessTable } from '../../src/native/peer/index.js';
import type { ProcessIdentity } from '../../src/native/peer/types.js';
import type { FramedTransport } from '../../src/main/transport/frames.js';
import { listenUnix, type UnixOptions } from '../../src/main/transport/unix.js';
import { createCleanup } from './support.js';

export function createSockets() {
  const cleanup = createCleanup();
  const processes = createProcessTable();

  async function listen(path: string, over: Partial<UnixOptions> = {}) {
    const arrived: { transport: FramedTransport; peer: ProcessIdentity }[] = [];
    const refused: string[] = [];
    const listener = await listenUnix({
      path,
      peerOf: processes.peerOf,
      onConnection: (transport, peer) => void arrived.push({ transport, peer }),
      onRefused: (reason) => void refused.push(reason),
      ...over,
    });
    return { ...cleanup.later(listener), arrived, refused };
  }

  /** A server of our own making, not through listenUnix. */
  function rawServer(path: string): Promise<Server> {
    const server = createServer((socket) => socket.on('error', () => undefined));
    cleanup.after(() => new Promise((resolve) => server.close(resolve)));
    return new Promise((resolve) => server.listen(path, () => resolve(server)));
  }

  function raw(path: string): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(path);
      cleanup.after(() => socket.destroy());
      socket.once('error', reject);
      socket.once('connect', () => resolve(socket));
    });
  }

  return { cleanup, processes, listen, rawServer, raw };
}

/** A socket file whose listener was killed. */
export async function staleSocket(path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const child = spawn(process.execPath, [
    '-e',
    `require('net').createServer().listen(${JSON.stringify(path)},()=>console.log('up'))`,
  ]);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  expect(existsSync(path)).toBe(true);
}
