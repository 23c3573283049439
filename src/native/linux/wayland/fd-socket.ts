/**
 * A Unix socket that carries file descriptors, through koffi, because sockets of Node carry none. Comes in: a path. Goes out: bytes and
 * descriptors as they arrive. Nothing here ever waits: the kernel tells of what arrives by SIGIO, and all that is there is read then.
 */
import { closeSync, createReadStream, createWriteStream } from 'node:fs';
import koffi from 'koffi';

const AF_UNIX = 1;
const SOCK_STREAM = 1;
const SOCK_FLAGS = 0o2000000 | 0o4000;
const [F_SETFL, F_SETOWN] = [4, 8];
const [O_NONBLOCK, O_ASYNC] = [0o4000, 0o20000];
const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;
const MSG_CMSG_CLOEXEC = 0x40000000;
const [EINTR, EAGAIN] = [4, 11];
const [SOL_SOCKET, SCM_RIGHTS] = [1, 1];
const CONTROL_HEADER = 16;
const MAX_FDS = 28;
const READ_BYTES = 64 * 1024;
/** A compositor that takes nothing for so long is lost. */
const MAX_QUEUED_BYTES = 1024 * 1024;
const RETRY_MS = 2;

export interface FdSocket {
  /** In order. The descriptors are closed once they are sent. */
  send(bytes: Buffer, fds: readonly number[]): void;
  close(): void;
}

interface Listener {
  /** Descriptors are the listener's to close. */
  data(bytes: Buffer, fds: number[]): void;
  /** Once, and not after `close`. */
  ended(): void;
}

const alignUp = (bytes: number): number => Math.ceil(bytes / 8) * 8;

function loadCalls() {
  const libc = koffi.load(null);
  const vector = koffi.struct({ base: 'void *', length: 'size_t' });
  const header = koffi.struct({
    name: 'void *',
    nameLength: 'uint32_t',
    vectors: koffi.pointer(vector),
    count: 'size_t',
    control: 'void *',
    controlLength: 'size_t',
    flags: 'int',
  });
  return {
    socket: libc.func('int socket(int domain, int type, int protocol)'),
    connect: libc.func('int connect(int fd, const uint8_t *address, uint32_t length)'),
    fcntl: libc.func('int fcntl(int fd, int command, ...)'),
    sendmsg: libc.func('sendmsg', 'intptr_t', ['int', koffi.pointer(header), 'int']),
    recvmsg: libc.func('recvmsg', 'intptr_t', ['int', koffi.inout(koffi.pointer(header)), 'int']),
  };
}

function addressOf(path: string): Buffer {
  const name = Buffer.from(path);
  if (name.length > 107) throw new Error('its path is too long');
  const address = Buffer.alloc(110);
  address.writeUInt16LE(AF_UNIX, 0);
  name.copy(address, 2);
  return address;
}

/** Throws where nothing listens at the path. */
export function connectFdSocket(path: string, listener: Listener): FdSocket {
  const calls = loadCalls();
  const fd: number = calls.socket(AF_UNIX, SOCK_STREAM | SOCK_FLAGS, 0);
  if (fd < 0) throw new Error(`no socket (${koffi.errno()})`);
  const address = addressOf(path);
  if (calls.connect(fd, address, address.length) !== 0) {
    const why = koffi.errno();
    closeSync(fd);
    throw new Error(`nothing answers there (error ${why})`);
  }
  const queue: { bytes: Buffer; fds: readonly number[] }[] = [];
  let open = true;
  let timer: NodeJS.Timeout | null = null;

  const close = (): void => {
    if (!open) return;
    open = false;
    // First, so that no signal can come any more once nobody listens.
    calls.fcntl(fd, F_SETFL, 'int', O_NONBLOCK);
    process.off('SIGIO', readAll);
    if (timer !== null) clearTimeout(timer);
    for (const { fds } of queue.splice(0)) fds.forEach((one) => closeSync(one));
    closeSync(fd);
  };
  const end = (): void => {
    if (!open) return;
    close();
    listener.ended();
  };

  const sendOne = (bytes: Buffer, fds: readonly number[]): number => {
    const control = fds.length === 0 ? null : rightsOf(fds);
    const vectors = [{ base: bytes, length: bytes.length }];
    const { length: controlLength } = control ?? [];
    const message = { name: null, nameLength: 0, vectors, count: 1, control, controlLength, flags: 0 };
    return Number(calls.sendmsg(fd, message, MSG_NOSIGNAL | MSG_DONTWAIT));
  };
  const flush = (): void => {
    timer = null;
    for (let first = queue[0]; open && first !== undefined; first = queue[0]) {
      const sent = sendOne(first.bytes, first.fds);
      if (sent < 0 && [EINTR, EAGAIN].includes(koffi.errno())) {
        timer = setTimeout(flush, RETRY_MS);
        return;
      }
      if (sent < 0) return end();
      first.fds.forEach((one) => closeSync(one));
      if (sent < first.bytes.length) queue[0] = { bytes: first.bytes.subarray(sent), fds: [] };
      else queue.shift();
    }
  };

  function readAll(): void {
    while (open) {
      const bytes = Buffer.alloc(READ_BYTES);
      const control = Buffer.alloc(256);
      const message = {
        name: null,
        nameLength: 0,
        vectors: [{ base: bytes, length: READ_BYTES }],
        count: 1,
        control,
        controlLength: 256,
        flags: 0,
      };
      const read = Number(calls.recvmsg(fd, message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC));
      if (read < 0 && koffi.errno() === EINTR) continue;
      if (read < 0 && koffi.errno() === EAGAIN) return;
      if (read <= 0) return end();
      listener.data(bytes.subarray(0, read), fdsIn(control.subarray(0, Number(message.controlLength))));
    }
  }

  process.on('SIGIO', readAll);
  calls.fcntl(fd, F_SETOWN, 'int', process.pid);
  calls.fcntl(fd, F_SETFL, 'int', O_NONBLOCK | O_ASYNC);
  return {
    send: (bytes, fds) => {
      if (!open) return fds.forEach((one) => closeSync(one));
      queue.push({ bytes, fds });
      if (queue.reduce((sum, one) => sum + one.bytes.length, 0) > MAX_QUEUED_BYTES) return end();
      if (timer === null) flush();
    },
    close,
  };
}

function rightsOf(fds: readonly number[]): Buffer {
  if (fds.length > MAX_FDS) throw new Error('too many descriptors');
  const length = CONTROL_HEADER + 4 * fds.length;
  const control = Buffer.alloc(alignUp(length));
  control.writeBigUInt64LE(BigInt(length), 0);
  control.writeInt32LE(SOL_SOCKET, 8);
  control.writeInt32LE(SCM_RIGHTS, 12);
  fds.forEach((one, index) => control.writeInt32LE(one, CONTROL_HEADER + 4 * index));
  return control;
}

function fdsIn(control: Buffer): number[] {
  const fds: number[] = [];
  for (let at = 0; at + CONTROL_HEADER <= control.length;) {
    const length = Number(control.readBigUInt64LE(at));
    if (length < CONTROL_HEADER || at + length > control.length) break;
    const isRights = control.readInt32LE(at + 8) === SOL_SOCKET && control.readInt32LE(at + 12) === SCM_RIGHTS;
    for (let place = at + CONTROL_HEADER; isRights && place + 4 <= at + length; place += 4)
      fds.push(control.readInt32LE(place));
    at += alignUp(length);
  }
  return fds;
}

/** Both ends of a new pipe. */
export function openPipe(): { from: number; to: number } {
  const pipe = koffi.load(null).func('int pipe2(_Out_ int *fds, int flags)');
  const ends = [-1, -1];
  const failed: unknown = pipe(ends, 0o2000000);
  const [from, to] = ends;
  if (failed !== 0 || from === undefined || to === undefined) throw new Error('no pipe');
  return { from, to };
}

/** Memory that can be given to another process: its descriptor. */
export function openMemory(name: string, bytes: number): number {
  const libc = koffi.load(null);
  const create = libc.func('int memfd_create(const char *name, unsigned int flags)');
  const resize = libc.func('int ftruncate(int fd, int64_t length)');
  const fd: number = create(name, 1);
  if (fd < 0 || resize(fd, bytes) !== 0) throw new Error(`no memory of ${bytes} bytes`);
  return fd;
}

/** Closes the descriptor; null where more than `limit` bytes come. Rejects where it cannot be read. */
export async function readAllFrom(fd: number, limit: number, signal: AbortSignal): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  const stream = createReadStream('', { fd, signal });
  for await (const part of stream) {
    if (!Buffer.isBuffer(part)) continue;
    size += part.length;
    if (size > limit) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Closes the descriptor. What the reader does not want is dropped. */
export function writeAllTo(fd: number, bytes: Buffer): void {
  const stream = createWriteStream('', { fd });
  stream.on('error', () => {});
  stream.end(bytes);
}
