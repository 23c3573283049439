/** Real processes, which get another’s end of a connection in ways that a list of open files shows late, or not at all. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createConnectionHolders } from '../../src/native/peer/connection-holders.js';
import { eventually } from '../support/eventually.js';
import { gone } from '../support/other.js';

/** A peer, and a process that it started before it connected. Each line that it is given is done before it answers. */
const PEER = `
import ctypes, os, socket, sys, threading, time
ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
ready, take = os.pipe()
told, tell = os.pipe()
old = os.fork()
if old == 0:
    ours.close()
    while os.read(ready, 1):
        got = socket.recv_fds(theirs, 10, 1)
        os.write(tell, b'x')
theirs.close()
peer, host = socket.socketpair()
inode = os.fstat(peer.fileno()).st_ino
print(os.getpid(), old, inode, flush=True)
for line in sys.stdin:
    if line == 'pass\\n':
        child = os.fork()
        if child == 0:
            socket.send_fds(ours, [b'x'], [peer.fileno()])
            os._exit(0)
        os.waitpid(child, 0)
    if line == 'take\\n':
        os.write(take, b'x')
        os.read(told, 1)
    if line == 'share\\n':
        child = os.fork()
        if child == 0:
            threading.Thread(target=time.sleep, args=(60,)).start()
            ctypes.CDLL(None).pthread_exit(None)
        while b') Z ' not in open(f'/proc/{child}/stat', 'rb').read():
            time.sleep(0.01)
        print(child, flush=True)
        continue
    print('done', flush=True)
os.kill(old, 9)
`;

/** Has a descriptor of its own on its way until its input ends, as browsers have all the time. */
const BUSY = `
import os, socket, sys
ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
socket.send_fds(ours, [b'x'], [2])
print('sent', flush=True)
sys.stdin.read()
socket.recv_fds(theirs, 10, 1)
print('taken', flush=True)
sys.stdin.close()
`;

/** What hides here hides from every host on this machine, whose tests go on beside these. */
const IMPATIENT = { patienceMs: 200 };

let child: ChildProcessWithoutNullStreams;
let lines: AsyncIterator<string>;
let peer: number;
let old: number;
let socket: string;
beforeEach(async () => {
  child = spawn('/usr/bin/python3', ['-I', '-c', PEER]);
  lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const [own = '', other = '', inode = ''] = (await next()).split(' ');
  [peer, old, socket] = [Number(own), Number(other), inode];
});
afterEach(async () => {
  child.stdin.end();
  await gone(child);
});

const next = async () => String((await lines.next()).value);

async function tell(line: string): Promise<string> {
  child.stdin.write(`${line}\n`);
  return next();
}

test.runIf(process.platform === 'linux')('[req:ID-5] a process that was without the connection, and got it from one that has ended', async () => {
  const holders = createConnectionHolders();
  await holders.look(socket, peer);
  expect(holders.of(socket, peer)).toEqual({ pids: [peer], hidden: [] });
  expect(holders.look(socket, peer)).toBeNull();
  await tell('pass');
  await tell('take');
  await holders.look(socket, peer);
  expect(holders.of(socket, peer)?.pids).toEqual([old]);
}); // prettier-ignore

test.runIf(process.platform === 'linux')('[req:ID-5] a connection that is on its way to another process', async () => {
  const holders = createConnectionHolders(IMPATIENT);
  await tell('pass');
  await holders.look(socket, peer);
  expect(holders.of(socket, peer)).not.toEqual({ pids: [peer], hidden: [] });
  await tell('take');
  await holders.look(socket, peer);
  expect(holders.of(socket, peer)?.pids).toContain(old);
});

test.runIf(process.platform === 'linux')('[req:ID-5] what another program sends to itself for a moment is looked at again', async () => {
  const holders = createConnectionHolders(IMPATIENT);
  await holders.look(socket, peer);
  const other = spawn('/usr/bin/python3', ['-I', '-c', BUSY]);
  const said = createInterface({ input: other.stdout })[Symbol.asyncIterator]();
  expect((await said.next()).value).toBe('sent');
  const again = holders.look(socket, peer);
  expect(again).not.toBeNull();
  await again;
  other.stdin.end();
  expect((await said.next()).value).toBe('taken');
  await holders.look(socket, peer);
  expect(holders.of(socket, peer)).toEqual({ pids: [peer], hidden: [] });
  await gone(other);
}); // prettier-ignore

test.runIf(process.platform === 'linux')('[req:ID-5] what another program takes within a moment is waited for', async () => {
  const holders = createConnectionHolders();
  const other = spawn('/usr/bin/python3', ['-I', '-c', BUSY]);
  const said = createInterface({ input: other.stdout })[Symbol.asyncIterator]();
  expect((await said.next()).value).toBe('sent');
  onTestFinished(() => void other.kill('SIGKILL'));
  const look = holders.look(socket, peer);
  // Longer than a look takes: as on a busy machine.
  other.kill('SIGSTOP');
  await eventually(() => holders.of(socket, peer)).toEqual({ pids: [], hidden: [other.pid] });
  other.stdin.end();
  other.kill('SIGCONT');
  await look;
  expect(holders.of(socket, peer)).toEqual({ pids: [peer], hidden: [] });
  await gone(other);
}); // prettier-ignore

test.runIf(process.platform === 'linux')('[req:ID-5] a process that has it and whose first thread has ended', async () => {
  const holders = createConnectionHolders(IMPATIENT);
  const shared = Number(await tell('share'));
  try {
    await holders.look(socket, peer);
    // Other tests' processes may be about to start or end.
    expect(holders.of(socket, peer)).toEqual({ pids: [], hidden: expect.arrayContaining([shared]) as number[] });
  } finally {
    process.kill(shared);
  }
}); // prettier-ignore

test.runIf(process.platform === 'linux')('[req:ID-5] a process that hides for as long as it runs is waited for once', async () => {
  const shared = Number(await tell('share'));
  const proc = await mkdtemp(join(tmpdir(), 'proc-'));
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  try {
    for (const pid of [peer, shared]) await symlink(`/proc/${pid}`, join(proc, `${pid}`));
    const holders = createConnectionHolders({ proc, patienceMs: 0, pause });
    await holders.look(socket, peer);
    expect(pauses).not.toEqual([]);
    pauses.length = 0;
    await holders.look(socket, peer);
    expect(holders.of(socket, peer)).toEqual({ pids: [], hidden: [shared] });
    expect(pauses).toEqual([]);
  } finally {
    await rm(proc, { recursive: true });
    process.kill(shared);
  }
}); // prettier-ignore
