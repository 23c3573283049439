import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { waitingBetween, createTcpClientFinder, shareScans, type SocketScan } from '../../src/native/peer/linux.js';
import { createCleanup } from '../transport/support.js';

const cleanup = createCleanup();

it('[req:LI-1] 150 who ask at once share one pass that begins after they asked', async () => {
  const passes: ((value: string) => void)[] = [];
  const ask = shareScans(() => new Promise<string>((resolve) => passes.push(resolve)));
  const first = ask();
  await setImmediate();
  const rest = Array.from({ length: 150 }, ask);
  await setImmediate();
  expect(passes).toHaveLength(1);
  passes[0]?.('before they asked');
  expect(await first).toBe('before they asked');
  await setImmediate();
  expect(passes).toHaveLength(2);
  passes[1]?.('after');
  expect(new Set(await Promise.all(rest))).toEqual(new Set(['after']));
});

it('a pass that fails fails only those who shared it', async () => {
  let times = 0;
  const ask = shareScans(() => (++times === 1 ? Promise.reject(new Error('broken')) : Promise.resolve(times)));
  const first = ask();
  await expect(first).rejects.toThrow('broken');
  expect(await ask()).toBe(2);
});

const [LOCAL, REMOTE] = [
  { address: '127.0.0.1', port: 0x1001 },
  { address: '127.0.0.1', port: 0x1002 },
];
const ROW = {
  local: '0100007F:1001',
  remote: '0100007F:1002',
  state: '01',
  uid: String(process.getuid?.()),
  inode: '77',
  queued: { out: 0, in: 0 },
};
const HOST_ROW = { ...ROW, local: ROW.remote, remote: ROW.local, inode: '78' };

it.each([
  [{ ...ROW, queued: { out: 3, in: 9 } }, { ...HOST_ROW, queued: { out: 9, in: 4 } }, 7],
  [ROW, ROW, null],
  [HOST_ROW, HOST_ROW, null],
  [{ ...ROW, queued: { out: NaN, in: 0 } }, HOST_ROW, null],
])('counts what a client has sent and nobody has read', (client, host, waiting) => {
  expect(waitingBetween([client, host], LOCAL, REMOTE)).toBe(waiting);
});

const heldBy = (...pids: number[]) => new Map([['77', new Set(pids)]]);

/** What one pass after the other finds; the last one for ever. */
function finderOf(...passes: SocketScan[]) {
  let at = 0;
  const read = () =>
    Promise.resolve(passes[Math.min(at++, passes.length - 1)] ?? { connections: [], holders: new Map() });
  const find = createTcpClientFinder('/nonexistent', read);
  return { find: () => find(LOCAL, REMOTE), passes: () => at };
}

it.each<[string, SocketScan[]]>([
  [
    'whose row stands twice in a table that changed while it was read',
    [{ connections: [ROW, ROW], holders: heldBy(9) }],
  ],
  [
    'whose row was missing from a table that changed while it was read',
    [
      { connections: [], holders: heldBy(9) },
      { connections: [ROW], holders: heldBy(9) },
    ],
  ],
  [
    'that is starting another process, which still holds its sockets',
    [
      { connections: [ROW], holders: heldBy(9, 10) },
      { connections: [ROW], holders: heldBy(9) },
    ],
  ],
])('[req:LI-5] finds a process %s', async (_which, passes) => {
  const { find } = finderOf(...passes);
  expect(await find()).toEqual({ pid: 9, socket: '77' });
});

it.each<[string, SocketScan]>([
  ['two processes share', { connections: [ROW], holders: heldBy(9, 10) }],
  ['two rows name with different sockets', { connections: [ROW, { ...ROW, inode: '78' }], holders: heldBy(9) }],
  ['is another user’s', { connections: [{ ...ROW, uid: '-2' }], holders: heldBy(9) }],
  ['no process holds', { connections: [ROW], holders: new Map() }],
])('[req:LI-5] names nobody for a socket that %s, after three passes', async (_which, pass) => {
  const { find, passes } = finderOf(pass);
  expect(await find()).toBeNull();
  expect(passes()).toBe(3);
});

it('[req:LI-1] others get their turn while a process with 2,000 files is read, and between two answers', async () => {
  const proc = cleanup.folder();
  const files = join(proc, '9', 'fd');
  mkdirSync(files, { recursive: true });
  for (let at = 0; at < 2_000; at += 1) symlinkSync('/dev/null', join(files, String(at)));
  const ask = createTcpClientFinder(proc);
  let turns = 0;
  const asked = Array.from({ length: 20 }, async () => {
    await ask({ address: '127.0.0.1', port: 1 }, { address: '127.0.0.1', port: 2 });
    return turns;
  });
  let over = false;
  const all = Promise.all(asked).finally(() => (over = true));
  while (!over) {
    await setImmediate();
    turns += 1;
  }
  const seen = await all;
  expect(seen[0]).toBeGreaterThan(10);
  expect(new Set(seen).size).toBe(20);
});
