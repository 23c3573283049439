import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditTokenDigest, createProcessTable } from '../../src/native/peer/index.js';
import { createLinuxTable } from '../../src/native/peer/linux.js';
import type { ProcessIdentity } from '../../src/native/peer/types.js';
import { socketFd } from '../../src/base/process-stat.js';
import { scriptProcesses } from './support.js';
import { waitFor } from '../support/eventually.js';

const { cleanup, start, script, said } = scriptProcesses();
const onLinux = process.platform === 'linux';

describe.runIf(onLinux)('the process table', () => {
  it('knows a process by its start, executable, script and folder', async () => {
    const processes = createProcessTable();
    const { path, folder } = script(`console.log('up'); setInterval(() => {}, 1000)`, 'my (odd) script) R.cjs');
    const child = start('my (odd) script) R.cjs', [], folder);
    await said(child);
    const found = processes.lookup(child.pid ?? 0);
    expect(found).toEqual({
      pid: child.pid,
      startTime: expect.stringMatching(/^\d+$/),
      uid: process.getuid?.(),
      executable: realpathSync(process.execPath),
      script: path,
      cwd: folder,
      parentPid: process.pid,
      image: expect.stringMatching(/^\d+:\d+:\d+$/),
    });
    expect(processes.lookup(child.pid ?? 0)).toEqual(found);
  });

  it('resolves links, so that a launcher is known by what it starts', async () => {
    const { path, folder } = script(`console.log('up'); setInterval(() => {}, 1000)`);
    symlinkSync(path, join(folder, 'launcher'));
    const child = start(join(folder, 'launcher'));
    await said(child);
    expect(createProcessTable().lookup(child.pid ?? 0)?.script).toBe(path);
  });

  it('knows nobody who is not there', () => {
    const processes = createProcessTable();
    for (const pid of [0, -1, 1.5, NaN, 2 ** 30]) expect(processes.lookup(pid)).toBeNull();
    expect(processes.lineage(2 ** 30)).toEqual([]);
  });

  it('knows no process that has ended, also where its parent never asks for it', async () => {
    const parent = spawn('/bin/sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] }); // prettier-ignore
    cleanup.after(() => parent.kill('SIGKILL'));
    const pid = Number(await said(parent));
    const processes = createProcessTable();
    await waitFor(() => expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/State:\s+Z/));
    expect(processes.lookup(pid)).toBeNull();
  });

  it('tells the lineage, nearest first', () => {
    const chain = createProcessTable().lineage(process.pid);
    expect(chain[0]?.pid).toBe(process.pid);
    expect(chain[1]?.pid).toBe(process.ppid);
    expect(chain.slice(1).map(({ pid }) => pid)).toEqual(chain.slice(0, -1).map(({ parentPid }) => parentPid));
  });

  it('ends a lineage that runs in a circle', () => {
    const proc = cleanup.folder();
    for (const [pid, parent] of [[7, 8], [8, 7]] as const) fakeProcess(proc, pid, parent); // prettier-ignore
    expect(
      createLinuxTable(proc, () => never())
        .lineage(7)
        .map(({ pid }) => pid),
    ).toEqual([7, 8]);
  });

  it('reads names with parentheses and newlines', () => {
    const proc = cleanup.folder();
    fakeProcess(proc, 7, 3, 'evil) R 1 1 1 (x\n');
    expect(createLinuxTable(proc, () => never()).lookup(7)).toMatchObject({
      parentPid: 3,
      startTime: '4242',
      uid: 1000,
    });
  });
});

function never(): never {
  throw new Error('not asked');
}

function fakeProcess(proc: string, pid: number, parent: number, name = 'x'): void {
  mkdirSync(join(proc, String(pid)), { recursive: true });
  const rest = Array.from({ length: 17 }, () => '0').join(' ');
  writeFileSync(join(proc, String(pid), 'stat'), `${pid} (${name}) S ${parent} ${rest} 4242 0 0\n`);
  writeFileSync(join(proc, String(pid), 'status'), 'Name: x\nUid:\t0\t1000\t0\t0\n');
}

describe.runIf(onLinux)('peerOf', () => {
  it('names the client to the server and the listener to the client', async () => {
    const processes = createProcessTable();
    const path = join(cleanup.folder(), 's');
    const arrived: Socket[] = [];
    const server = createServer(
      { allowHalfOpen: true },
      (socket) => void arrived.push(socket.on('error', () => undefined)),
    );
    cleanup.after(() => server.close());
    await new Promise<void>((resolve) => server.listen(path, resolve));
    const child = start(script(`require('net').connect(process.argv[2])`).path, [path]);
    await waitFor(() => expect(arrived).toHaveLength(1));
    const [socket] = arrived;
    if (socket === undefined) throw new Error('nobody came');
    expect(processes.peerOf(socketFd(socket))).toMatchObject({ pid: child.pid, uid: process.getuid?.() });
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    expect(() => processes.peerOf(socketFd(socket))).toThrow('ended');
    arrived.forEach((each) => each.destroy());
  });

  it('throws for descriptors that are no Unix socket', () => {
    const processes = createProcessTable();
    const fd = openSync('/dev/null', 'r');
    cleanup.after(() => closeSync(fd));
    expect(() => processes.peerOf(fd)).toThrow();
    expect(() => processes.peerOf(999_999)).toThrow();
  });

  it('believes nobody whose process ended while it was looked at', () => {
    const released: number[] = [];
    const table = createLinuxTable('/proc', () => ({
      pid: process.pid,
      uid: 0,
      alive: () => false,
      release: () => void released.push(1),
    }));
    expect(() => table.peerOf(1)).toThrow('ended');
    expect(released).toEqual([1]);
  });
});

describe.runIf(onLinux)('tcpClient', () => {
  const reach = async (target: string, listenOn: { host: string; ipv6Only?: boolean }) => {
    const processes = createProcessTable();
    const found: (ProcessIdentity | null)[] = [];
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      const { localAddress = '', localPort = 0, remoteAddress = '', remotePort = 0 } = socket;
      const ends = [
        { address: remoteAddress, port: remotePort },
        { address: localAddress, port: localPort },
      ] as const;
      void processes.tcpClient(...ends).then((client) => {
        found.push(client);
        socket.destroy();
      });
    });
    cleanup.after(() => server.close());
    await new Promise<void>((resolve) => server.listen({ port: 0, ...listenOn }, resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const child = start(script(`require('net').connect(+process.argv[2], process.argv[3]).on('error',()=>{}); setInterval(()=>{},1000)`).path, [String(port), target]); // prettier-ignore
    await waitFor(() => expect(found).toHaveLength(1));
    return { child, found: found[0] };
  };

  it.each([
    ['IPv4', '127.0.0.1', { host: '127.0.0.1' }],
    ['IPv6', '::1', { host: '::1' }],
    ['an IPv6 socket on an IPv4 address', '::ffff:127.0.0.1', { host: '127.0.0.1' }],
    ['a server that sees mapped addresses', '127.0.0.1', { host: '::', ipv6Only: false }],
  ])('finds the process behind %s', async (_, target, listenOn) => {
    const { child, found } = await reach(target, listenOn);
    expect(found?.pid).toBe(child.pid);
  });

  it('is unclear where two processes hold the socket', async () => {
    const processes = createProcessTable();
    const text = `const c = require('child_process');
      const s = require('net').connect(+process.argv[2], '127.0.0.1', () => {
        c.spawn('sleep', ['60'], { stdio: ['ignore', 'ignore', 'ignore', s._handle.fd] }); s.write('shared');
      }); setInterval(()=>{}, 1000)`;
    const found: unknown[] = [];
    const server = createServer((socket) => {
      socket
        .on('error', () => undefined)
        .once('data', () => {
          const { localAddress = '', localPort = 0, remoteAddress = '', remotePort = 0 } = socket;
          const ends = [
            { address: remoteAddress, port: remotePort },
            { address: localAddress, port: localPort },
          ] as const;
          void processes.tcpClient(...ends).then((client) => {
            found.push(client);
            socket.destroy();
          });
        });
    });
    cleanup.after(() => server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const child = spawn(
      process.execPath,
      [script(text).path, String(typeof address === 'object' ? address?.port : 0)],
      { detached: true, stdio: 'ignore' },
    );
    cleanup.after(() => process.kill(-(child.pid ?? 0), 'SIGKILL'));
    await waitFor(() => expect(found).toEqual([null]));
  });

  it('is unclear for a connection that is not there, or addresses that are none', async () => {
    const processes = createProcessTable();
    expect(await processes.tcpClient({ address: '127.0.0.1', port: 1 }, { address: '127.0.0.1', port: 2 })).toBeNull();
    expect(await processes.tcpClient({ address: '', port: 1 }, { address: 'x', port: 2 })).toBeNull();
  });

  const row = (local: string, remote: string, state: string, uid: number, inode: string): string => `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000 ${String(uid).padStart(5)}        0 ${inode} 1 0 20 4 0 10 -1`; // prettier-ignore
  const mine = process.getuid?.() ?? 0;
  const client = '0100007F:C350';
  const server = '0100007F:1F90';
  const cases: [string, string[], boolean][] = [
    ['an established row of ours', [row(client, server, '01', mine, '77')], true],
    ['another user’s row', [row(client, server, '01', mine + 1, '77')], false],
    ['a row without inode', [row(client, server, '01', mine, '0')], false],
    ['a row that is closing', [row(client, server, '08', mine, '77')], false],
    ['the server’s row only', [row(server, client, '01', mine, '77')], false],
    ['two rows', [row(client, server, '01', mine, '77'), row(client, server, '01', mine, '78')], false],
  ];
  it.each(cases)('reads %s', async (_, rows, clear) => {
    const proc = cleanup.folder();
    mkdirSync(join(proc, 'net'));
    writeFileSync(join(proc, 'net', 'tcp'), ['header', ...rows, ''].join('\n'));
    fakeProcess(proc, 9, 1);
    mkdirSync(join(proc, '9', 'fd'));
    for (const inode of ['77', '78', '0']) symlinkSync(`socket:[${inode}]`, join(proc, '9', 'fd', inode));
    const table = createLinuxTable(proc, () => never());
    const found = await table.tcpClient({ address: '127.0.0.1', port: 50000 }, { address: '127.0.0.1', port: 8080 });
    expect(found?.pid ?? null).toBe(clear ? 9 : null);
  });
});

it('makes sixteen hex digits that differ with pid, start, user and executable', () => {
  const one: ProcessIdentity = {
    pid: 1,
    startTime: '2',
    uid: 3,
    executable: '/x',
    script: null,
    cwd: null,
    parentPid: 0,
  };
  const others: Partial<ProcessIdentity>[] = [
    {},
    { pid: 12, startTime: '' },
    { startTime: '3' },
    { uid: 4 },
    { executable: '/y' },
  ];
  const digests = others.map((over) => auditTokenDigest({ ...one, ...over }));
  expect(new Set(digests).size).toBe(others.length);
  for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{16}$/);
  expect(auditTokenDigest({ ...one, script: '/s', cwd: '/c', parentPid: 9 })).toBe(digests[0]);
});

it('refuses a socket that has no descriptor', () => {
  const socket = connect({ host: '127.0.0.1', port: 1 });
  socket.on('error', () => undefined).destroy();
  expect(() => socketFd(socket)).toThrow('no file descriptor');
});
