/** Finds the client end of a loopback TCP connection in /proc/net/tcp and tcp6. Called by the Linux process table. */
import { readFile } from 'node:fs/promises';
import { isIPv4, isIPv6 } from 'node:net';
import type { TcpEndpoint } from './types.js';

const ESTABLISHED = '01';
const MAPPED_PREFIX = '0000000000000000FFFF0000';

/**
 * Inode of the client's socket; null unless established rows of our own user with one and the same inode fit. `local` is the
 * client's own address, `remote` is ours. The kernel gives the table in parts: a row stands in two of them where others came meanwhile.
 */
export function socketInode(
  rows: readonly TcpConnection[],
  local: TcpEndpoint,
  remote: TcpEndpoint,
  uid: number,
): string | null {
  const from = kernelForms(local);
  const to = kernelForms(remote);
  const fitting = rows.filter(
    (row) => from.includes(row.local) && to.includes(row.remote) && row.state === ESTABLISHED,
  );
  const [row] = fitting;
  if (row === undefined || fitting.some((one) => one.inode !== row.inode || one.uid !== row.uid)) return null;
  return row.uid === String(uid) && /^[1-9]\d*$/.test(row.inode) ? row.inode : null;
}

/** What the client has sent and nobody has read, on either side of the connection; null where a side of it is not told. */
export function waitingBetween(rows: readonly TcpConnection[], local: TcpEndpoint, remote: TcpEndpoint): number | null {
  const [client, host] = [kernelForms(local), kernelForms(remote)];
  const most = (from: string[], to: string[], of: 'in' | 'out'): number =>
    Math.max(...rows.filter((row) => from.includes(row.local) && to.includes(row.remote)).map((row) => row.queued[of]));
  const waiting = most(client, host, 'out') + most(host, client, 'in');
  return Number.isFinite(waiting) ? waiting : null;
}

export interface TcpConnection {
  local: string;
  remote: string;
  state: string;
  /** Bytes that wait to be sent, and to be read. */
  queued: { out: number; in: number };
  uid: string;
  inode: string;
}

export async function readTcpConnections(proc: string): Promise<TcpConnection[]> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((table) => readTable(`${proc}/net/${table}`)));
  return tables.flatMap(rowsOf);
}

function rowsOf(table: string): TcpConnection[] {
  return table
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, local, remote, state, queues = '', , , uid, , inode] = line.trim().split(/\s+/);
      if (local === undefined || remote === undefined || state === undefined) return [];
      const [out = NaN, into = NaN] = queues.split(':').map((count) => parseInt(count, 16));
      const queued = { out, in: into };
      return uid === undefined || inode === undefined ? [] : [{ local, remote, state, queued, uid, inode }];
    });
}

function readTable(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

/** How the kernel may print an endpoint: an IPv4 address also stands mapped in the IPv6 table. */
function kernelForms({ address, port }: TcpEndpoint): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
  if (isIPv4(plain)) return [ipv4Hex(plain), MAPPED_PREFIX + ipv4Hex(plain)].map((form) => form + suffix);
  return isIPv6(plain) ? [ipv6Hex(plain) + suffix] : [];
}

function ipv4Hex(address: string): string {
  return hex(address.split('.').map(Number).reverse());
}

/** Each 32-bit word in host order, which is little-endian on everything this runs on. */
function ipv6Hex(address: string): string {
  const [head = '', tail = ''] = address.split('::');
  const groups = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16)));
  const before = groups(head);
  const after = groups(tail);
  const middle = address.includes('::') ? Array<number>(8 - before.length - after.length).fill(0) : [];
  const bytes = [...before, ...middle, ...after].flatMap((group) => [group >> 8, group & 0xff]);
  return [0, 4, 8, 12].map((at) => hex(bytes.slice(at, at + 4).reverse())).join('');
}

function hex(bytes: number[]): string {
  return bytes.map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join('');
}
