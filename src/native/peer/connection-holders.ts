/**
 * Which processes hold the other end of a Unix socket. The kernel names who connected; whoever got that end since, by fork or by
 * a message, speaks with that name. Comes in: a descriptor or an inode. Goes out: processes. Linux only.
 */
import { fstatSync } from 'node:fs';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import koffi from 'koffi';
import { LRUCache } from 'lru-cache';
import { listPids, readEffectiveUid, readLink, readNames, readStat, readTextFile } from './proc-files.js';

const AF_UNIX = 1;
const AF_NETLINK = 16;
const SOCK_RAW_CLOEXEC = 0o2000003;
const NETLINK_SOCK_DIAG = 4;
const MSG_DONTWAIT = 0x40;
const SOCK_DIAG_BY_FAMILY = 20;
const NLM_F_REQUEST = 1;
const UDIAG_SHOW_PEER = 4;
const UNIX_DIAG_PEER = 2;
const HEADER_BYTES = 16;
/** Of a set of signals: SIGCHLD. */
const CHILD_SIGNAL = 1n << 16n;
const ANSWER_BYTES = HEADER_BYTES + 16;

/** The inode of the end that this descriptor is connected to, see sock_diag(7); null where the kernel does not tell. */
export function loadPeerEnd(): (socketFd: number) => string | null {
  const libc = koffi.load(null);
  const socket = libc.func('int socket(int domain, int type, int protocol)');
  const send = libc.func('int64_t send(int fd, const uint8_t *bytes, size_t length, int flags)');
  const receive = libc.func('int64_t recv(int fd, _Out_ uint8_t *bytes, size_t length, int flags)');
  const close = libc.func('int close(int fd)');

  return (socketFd) => {
    const kernel: unknown = socket(AF_NETLINK, SOCK_RAW_CLOEXEC, NETLINK_SOCK_DIAG);
    if (typeof kernel !== 'number' || kernel < 0) return null;
    try {
      const question = questionAbout(fstatSync(socketFd).ino);
      const answer = Buffer.alloc(4096);
      if (Number(send(kernel, question, question.length, 0)) !== question.length) return null;
      // The kernel answers before `send` returns.
      const length = Number(receive(kernel, answer, answer.length, MSG_DONTWAIT));
      return peerIn(answer.subarray(0, Math.max(0, length)));
    } finally {
      close(kernel);
    }
  };
}

function questionAbout(inode: number): Buffer {
  const question = Buffer.alloc(HEADER_BYTES + 24);
  question.writeUInt32LE(question.length, 0);
  question.writeUInt16LE(SOCK_DIAG_BY_FAMILY, 4);
  question.writeUInt16LE(NLM_F_REQUEST, 6);
  question.writeUInt8(AF_UNIX, HEADER_BYTES);
  question.writeUInt32LE(0xffffffff, HEADER_BYTES + 4);
  question.writeUInt32LE(inode, HEADER_BYTES + 8);
  question.writeUInt32LE(UDIAG_SHOW_PEER, HEADER_BYTES + 12);
  question.fill(0xff, HEADER_BYTES + 16);
  return question;
}

function peerIn(answer: Buffer): string | null {
  if (answer.length < ANSWER_BYTES || answer.readUInt16LE(4) !== SOCK_DIAG_BY_FAMILY) return null;
  for (let at = ANSWER_BYTES; at + 8 <= answer.length;) {
    const [bytes, kind] = [answer.readUInt16LE(at), answer.readUInt16LE(at + 2)];
    if (kind === UNIX_DIAG_PEER) return String(answer.readUInt32LE(at + 4));
    if (bytes < 4) return null;
    at += (bytes + 3) & ~3;
  }
  return null;
}

export interface Holders {
  pids: number[];
  /** Processes of the same user that could hold it too: what they hold is not in a list that may be read. */
  hidden: number[];
}

/** Asked with the inode of a connection's other end, and the process that connected. */
export type ConnectionHolders = ReturnType<typeof createConnectionHolders>;

interface Look {
  /** Did not hold it. They cannot get it without the peer, which alone did: only what started since is looked at again. */
  without: Set<number>;
  others: number[];
  /** What the peer's children left when they ended: one of them could have passed on what it inherited. */
  reaped: string | null;
}

/** Nobody but the process that connected holds it. */
export const isAlone = (held: Holders | null, peer: number): boolean =>
  held?.pids.length === 1 && held.pids[0] === peer && held.hidden.length === 0;
const isLetGo = (held: Holders | null): boolean => held?.pids.length === 0 && held.hidden.length === 0;
const isSame = (one: Holders | null, other: Holders | undefined): boolean =>
  one !== null && other !== undefined && isDeepStrictEqual(one, other);

/** `passes`: it may have it for a moment, on the way to another. `unreadable`: what it holds may never be read. */
type Found = 'nothing' | 'holds' | 'passes' | 'unreadable';
type Finder = (pid: number) => Found;

const SLICE_MS = 2;
const PASSES = 3;
const MIN_LOOKS = 5;
const PATIENCE_MS = 2000;
const FIRST_PAUSE_MS = 5;
const LAST_PAUSE_MS = 80;
const MAX_CONNECTIONS = 512;

/** `patienceMs`: for how long it looks again at most, with pauses. */
export function createConnectionHolders({
  proc = '/proc',
  patienceMs = PATIENCE_MS,
  pause = async (ms: number): Promise<void> => setTimeout(ms),
} = {}) {
  const known = new LRUCache<string, Look>({ max: MAX_CONNECTIONS });
  const found = new LRUCache<string, { holders: Holders | null }>({ max: MAX_CONNECTIONS });
  /** What the last looks ended with. */
  const stayed = new LRUCache<string, Holders>({ max: MAX_CONNECTIONS });
  const running = new Map<string, Promise<void>>();
  const keyOf = (socket: string, peer: number) => `${socket} ${peer}`;

  /** What is still known of the last look, with those that hold it now; null: anything could have changed. */
  function still(last: Look | undefined, find: Finder, peer: number): Holders | null {
    if (last === undefined) return null;
    const others = holdersAmong(last.others, find);
    if (others.pids.length + others.hidden.length > 0) return others;
    if (last.others.length > 0 || last.reaped === null || last.reaped !== reapedBy(proc, peer)) return null;
    const started = listPids(proc).filter((pid) => !last.without.has(pid));
    if (started.some((pid) => readStat(proc, pid)?.parentPid === peer)) return null;
    const holders = holdersAmong(started, find, (pid) => last.without.add(pid));
    last.others = [...holders.pids, ...holders.hidden].filter((pid) => pid !== peer);
    return holders;
  }

  /**
   * Looks again while the last look does not hold, or shows what may be gone a moment later: a descriptor on its way, or a child
   * that is being started. That takes long on a busy machine, so it is waited for, but not again for the same processes.
   */
  async function lookUntilKnown(socket: string, peer: number, find: Finder): Promise<void> {
    const key = keyOf(socket, peer);
    const deadline = performance.now() + patienceMs;
    for (let looks = 1; ; looks++) {
      await lookAtAll(socket, peer, find);
      const holders = still(known.get(key), find, peer);
      const same = isSame(holders, stayed.get(key));
      const lasts = performance.now() > deadline || same;
      found.set(key, { holders });
      if (isAlone(holders, peer) || isLetGo(holders) || (looks >= MIN_LOOKS && lasts)) break;
      // Key rings and password managers hide for as long as they run.
      if (same && holders?.hidden.every((pid) => find(pid) === 'unreadable') === true) break;
      await pause(Math.min(FIRST_PAUSE_MS * 2 ** (looks - 1), LAST_PAUSE_MS));
    }
    const holders = found.get(key)?.holders;
    if (holders != null) stayed.set(key, holders);
  }

  async function lookAtAll(socket: string, peer: number, find: Finder): Promise<void> {
    const look: Look = { without: new Set(), others: [], reaped: reapedBy(proc, peer) };
    let began = performance.now();
    // A child that is being started, and what others are being sent, are gone a moment later.
    let open = listPids(proc);
    for (let pass = 0; pass < PASSES; pass++) {
      look.others = [];
      for (const pid of open) {
        if (find(pid) === 'nothing') look.without.add(pid);
        else if (pid !== peer) look.others.push(pid);
        if (performance.now() - began < SLICE_MS) continue;
        await setImmediate();
        began = performance.now();
      }
      open = look.others;
    }
    known.set(keyOf(socket, peer), look);
  }

  return {
    /** Looks at every process, a few at a time; null where what is known already still holds. */
    look(socket: string, peer: number): Promise<void> | null {
      const [key, find] = [keyOf(socket, peer), finderOf(proc, socket, peer)];
      const underWay = running.get(key);
      if (underWay !== undefined) return underWay;
      const holders = still(known.get(key), find, peer);
      found.set(key, { holders });
      // What only may hold it, as a descriptor on its way to a new process, is gone a moment later.
      if (holders?.hidden.length === 0) return null;
      const look = lookUntilKnown(socket, peer, find).finally(() => running.delete(key));
      running.set(key, look);
      return look;
    },
    /** As of the last look; null: there was none, or processes came and went too fast for it. */
    of: (socket: string, peer: number): Holders | null => found.get(keyOf(socket, peer))?.holders ?? null,
  };
}

/** Those of the processes that hold it, or could; `without` is told of each other one. */
function holdersAmong(pids: readonly number[], find: Finder, without?: (pid: number) => void): Holders {
  const holders: Holders = { pids: [], hidden: [] };
  for (const pid of pids) {
    const state = find(pid);
    if (state === 'nothing') without?.(pid);
    else (state === 'holds' ? holders.pids : holders.hidden).push(pid);
  }
  return holders;
}

/** null where its children leave no trace, because it ignores that they end. */
function reapedBy(proc: string, peer: number): string | null {
  const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readTextFile(`${proc}/${peer}/status`) ?? '')?.[1];
  const ignores = ignored === undefined || (BigInt(`0x${ignored}`) & CHILD_SIGNAL) !== 0n;
  return ignores ? null : (readStat(proc, peer)?.reaped ?? null);
}

/** Besides files: descriptors on their way, in a message that was not read yet, or given to the kernel's own queue of work. */
function finderOf(proc: string, socket: string, peer: number): Finder {
  const own = process.getuid?.() ?? -1;
  const near = nearTo(proc, peer);
  const hides = (pid: number, file: string, link: string): boolean =>
    link === 'anon_inode:[io_uring]' ||
    (link.startsWith('socket:') && /^scm_fds:\s*[1-9]/m.test(readTextFile(`${proc}/${pid}/fdinfo/${file}`) ?? ''));

  return (pid) => {
    if (pid === process.pid && pid !== peer) return 'nothing';
    const files = readNames(`${proc}/${pid}/fd`);
    const links = files.map((file) => readLink(`${proc}/${pid}/fd/${file}`) ?? '');
    if (links.includes(`socket:[${socket}]`)) return 'holds';
    if (files.length === 0)
      return readEffectiveUid(proc, pid) === own && near(pid) && runsUnseen(proc, pid) ? 'unreadable' : 'nothing';
    return pid !== peer && files.some((file, at) => hides(pid, file, links[at] ?? '')) && near(pid)
      ? 'passes'
      : 'nothing';
  };
}

/** A list of open files is empty where there are none, where they may not be read, and where the first thread has ended before the others. */
const runsUnseen = (proc: string, pid: number): boolean =>
  readNames(`${proc}/${pid}/task`).some((thread) => {
    const task = `${proc}/${pid}/task`;
    if (readStat(task, Number(thread))?.ending !== false) return false;
    return readLink(`${task}/${thread}/cwd`) === null || readNames(`${task}/${thread}/fd`).length > 0;
  });

/** In its session or control group, which what it starts inherits. */
function nearTo(proc: string, peer: number): (pid: number) => boolean {
  const session = readStat(proc, peer)?.session;
  const group = readTextFile(`${proc}/${peer}/cgroup`);
  return (pid) =>
    pid !== peer && (readStat(proc, pid)?.session === session || readTextFile(`${proc}/${pid}/cgroup`) === group);
}
