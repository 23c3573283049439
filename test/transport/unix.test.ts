import { spawn } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProcessIdentity } from '../../src/native/peer/types.js';
import { UnsafePathError } from '../../src/main/transport/private-paths.js';
import { SocketInUseError } from '../../src/main/transport/unix.js';
import { record, self } from './support.js';
import { createSockets, staleSocket } from './unix-support.js';
import { waitFor } from '../support/eventually.js';

const { cleanup, listen, rawServer, raw } = createSockets();

describe('listenUnix', () => {
  it('[req:TP-54] [req:DS-3-1] [req:GT-1.3-1] makes folder and socket ours alone, and takes the socket away when it closes', async () => {
    const path = join(cleanup.folder(), 'deep', 'host.sock');
    const { close } = await listen(path);
    expect(lstatSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
    await close();
    expect(existsSync(path)).toBe(false);
  });

  it('leaves the umask as it was', async () => {
    const before = process.umask();
    await listen(join(cleanup.folder(), 's'));
    expect(process.umask()).toBe(before);
  });

  it('tightens a folder of ours that others could read', async () => {
    const folder = join(cleanup.folder(), 'wide');
    mkdirSync(folder, { mode: 0o755 });
    await listen(join(folder, 's'));
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  });

  it('[req:DS-3-1] refuses a path of 104 bytes and takes one of 103', async () => {
    const folder = cleanup.folder();
    const fill = (total: number): string => join(folder, 'x'.repeat(total - Buffer.byteLength(folder) - 1));
    await expect(listen(fill(104))).rejects.toThrow(/104/);
    await listen(fill(103));
  });

  it('refuses a linked folder, a linked socket and a file in its place', async () => {
    const base = cleanup.folder();
    mkdirSync(join(base, 'real'), { mode: 0o700 });
    symlinkSync(join(base, 'real'), join(base, 'link'));
    await expect(listen(join(base, 'link', 's'))).rejects.toThrow(UnsafePathError);
    symlinkSync('/dev/null', join(base, 'real', 'a'));
    await expect(listen(join(base, 'real', 'a'))).rejects.toThrow(UnsafePathError);
    writeFileSync(join(base, 'real', 'b'), 'precious');
    await expect(listen(join(base, 'real', 'b'))).rejects.toThrow(UnsafePathError);
    expect(existsSync(join(base, 'real', 'b'))).toBe(true);
  });

  it.runIf(process.getuid?.() === 0)('[req:DS-3-18] refuses a folder that belongs to another user', async () => {
    const { chownSync } = await import('node:fs');
    const folder = join(cleanup.folder(), 'theirs');
    mkdirSync(folder, { mode: 0o700 });
    chownSync(folder, 65534, 65534);
    await expect(listen(join(folder, 's'))).rejects.toThrow(/another user/);
  });

  it('takes over a stale socket', async () => {
    const path = join(cleanup.folder(), 'run', 's');
    await staleSocket(path);
    const { arrived } = await listen(path);
    await raw(path);
    await waitFor(() => expect(arrived).toHaveLength(1));
  });

  it('[req:TP-54] never takes a live socket away, and names who holds it', async () => {
    const path = join(cleanup.folder(), 's');
    await rawServer(path);
    const before = lstatSync(path).ino;
    const failure = await listen(path).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SocketInUseError);
    expect(failure).toMatchObject({ pid: process.pid, message: expect.stringContaining('Another host runs') });
    expect(lstatSync(path).ino).toBe(before);
    await raw(path);
  });

  it('lets exactly one of several racing over a stale socket have it', async () => {
    const path = join(cleanup.folder(), 'run', 's');
    await staleSocket(path);
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => listen(path)));
    expect(results.filter((each) => each.status === 'fulfilled')).toHaveLength(1);
    await raw(path);
  });

  it('knows the peer by the kernel’s word', async () => {
    const path = join(cleanup.folder(), 's');
    const { arrived } = await listen(path);
    const child = spawn(process.execPath, ['-e', `require('net').connect(${JSON.stringify(path)})`]);
    cleanup.after(() => child.kill());
    await waitFor(() => expect(arrived[0]?.peer).toMatchObject({ pid: child.pid, parentPid: process.pid }));
  });

  it('[req:DS-3-5] turns away another user, a process that cannot be known, and everyone over the limits', async () => {
    const path = join(cleanup.folder(), 's');
    const answers: (() => ProcessIdentity)[] = [
      () => self({ uid: 12345 }),
      () => {
        throw new Error('gone');
      },
      () => self({ pid: 1 }),
      () => self({ pid: 1 }),
      () => self({ pid: 2 }),
      () => self({ pid: 3 }),
    ];
    const { arrived, refused } = await listen(path, {
      peerOf: () => answers.shift()?.() ?? self(),
      maxPerProcess: 1,
      maxConnections: 2,
    });
    const sockets: Socket[] = [];
    for (let count = 0; count < 6; count++) {
      sockets.push(await raw(path));
      await waitFor(() => expect(arrived.length + refused.length).toBe(count + 1));
      arrived.at(-1)?.transport.accept();
    }
    expect(arrived.map(({ peer }) => peer.pid)).toEqual([1, 2]);
    expect(refused).toEqual([
      expect.stringContaining('another user'),
      expect.stringContaining('gone'),
      expect.stringContaining('process 1 already holds'),
      expect.stringContaining('already 2 connections'),
    ]);
    await waitFor(() =>
      expect(sockets.map((each) => each.closed || each.readableEnded)).toEqual([true, true, false, true, false, true]),
    );
  });

  it('[req:PR-9] lets what has said nothing yet make room: its own for a process, the greediest one’s for all', async () => {
    const path = join(cleanup.folder(), 's');
    const pids = [1, 2, 2, 2, 3, 1, 1];
    const { arrived, refused } = await listen(path, {
      peerOf: () => self({ pid: pids.shift() ?? 9 }),
      maxPerProcess: 2,
      maxConnections: 3,
    });
    const closed: number[] = [];
    const come = async () => {
      const count = arrived.length;
      await raw(path);
      await waitFor(() => expect(arrived).toHaveLength(count + 1));
      arrived[count]?.transport.onClose(() => closed.push(count));
    };
    await come();
    arrived[0]?.transport.accept();
    for (const gone of [[], [], [1], [1, 2]]) {
      await come();
      expect(closed).toEqual(gone);
    }
    for (const { transport } of arrived) transport.accept();
    await raw(path);
    await waitFor(() => expect(refused).toEqual([expect.stringContaining('already 3 connections')]));
    expect(closed).toEqual([1, 2]);
  });

  it.runIf(process.getuid?.() === 0 && existsSync('/usr/bin/setpriv'))(
    '[req:GT-1.3-1] turns away a real process of another user',
    async () => {
      const folder = cleanup.folder();
      const path = join(folder, 's');
      const { arrived, refused } = await listen(path);
      chmodSync(folder, 0o755);
      chmodSync(path, 0o666);
      const script = `require('net').connect(${JSON.stringify(path)}).on('error',()=>process.exit(3)).on('close',()=>process.exit(4)).resume()`;
      const child = spawn(
        '/usr/bin/setpriv',
        ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, '-e', script],
        { cwd: '/' },
      );
      const code = await new Promise((resolve) => child.once('exit', resolve));
      expect(code).toBe(4);
      expect(refused).toEqual([expect.stringContaining('uid 65534')]);
      expect(arrived).toEqual([]);
    },
  );

  it('gives a place back when a connection ends, and ends them all when it closes', async () => {
    const path = join(cleanup.folder(), 's');
    const { arrived, close } = await listen(path, { maxConnections: 1 });
    (await raw(path)).destroy();
    await waitFor(async () => {
      await raw(path);
      expect(arrived).toHaveLength(2);
    });
    const second = arrived[1]?.transport;
    const seen = second === undefined ? null : record(second);
    await close();
    expect(seen?.ends).toEqual(['the host is closing']);
  });
});

it('[req:GT-6.2-3] holds back a sender whose reader is slow, and loses nothing', async () => {
  const path = join(cleanup.folder(), 's');
  const { arrived } = await listen(path);
  const socket = await raw(path);
  socket.pause();
  await waitFor(() => expect(arrived).toHaveLength(1));
  let sent = 0;
  const message = 'x'.repeat(1024 * 1024);
  const all = (async () => {
    for (; sent < 20; sent++) await arrived[0]?.transport.send(message);
  })();
  await waitFor(() => expect(sent).toBeGreaterThanOrEqual(0));
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toBeLessThan(20);
  let bytes = 0;
  socket.on('data', (chunk) => (bytes += chunk.length));
  socket.resume();
  await all;
  await waitFor(() => expect(bytes).toBeGreaterThan(20 * message.length));
});
