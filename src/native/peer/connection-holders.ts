/**
 * Which processes hold the other end of a Unix socket. The kernel names who connected; whoever got that end since, by fork or by
 * a message, speaks with that name. Comes in: a descriptor or an inode. Goes out: processes. Linux only.
 */
import { fstatSync } from 'node:fs';
import koffi from 'koffi';
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
  /** Processes of the same user, near the one that connected, whose files may not be read: they could hold it too. */
  hidden: number[];
}

/** Reads the open files of every process: a few milliseconds for each hundred of them. */
export function holdersOf(inode: string, peer: number, proc = '/proc'): Holders {
  const holders: Holders = { pids: [], hidden: [] };
  const own = process.getuid?.() ?? -1;
  const near = nearTo(proc, peer);
  for (const pid of listPids(proc)) {
    const files = readNames(`${proc}/${pid}/fd`);
    if (files.some((file) => readLink(`${proc}/${pid}/fd/${file}`) === `socket:[${inode}]`)) holders.pids.push(pid);
    else if (files.length === 0 && readEffectiveUid(proc, pid) === own && near(pid) && !isReadable(proc, pid))
      holders.hidden.push(pid);
  }
  return holders;
}

/** A process without open files has a folder for them all the same, and one that has ended has none that could be used. */
const isReadable = (proc: string, pid: number): boolean =>
  readLink(`${proc}/${pid}/cwd`) !== null || ['Z', 'X'].includes(readStat(proc, pid)?.state ?? 'X');

/** In its session or control group, which what it starts inherits. */
function nearTo(proc: string, peer: number): (pid: number) => boolean {
  const session = readStat(proc, peer)?.session;
  const group = readTextFile(`${proc}/${peer}/cgroup`);
  return (pid) =>
    pid !== peer && (readStat(proc, pid)?.session === session || readTextFile(`${proc}/${pid}/cgroup`) === group);
}
