/** SO_PEERCRED, SO_PEERPIDFD and FIONREAD through koffi. Called by the Linux process table only. */
import { closeSync, readFileSync } from 'node:fs';
import koffi from 'koffi';

export interface PeerCredentials {
  pid: number;
  uid: number;
  /** False once the process that connected is known to have ended, so that its pid may be another's. */
  alive(): boolean;
  release(): void;
}

const SOL_SOCKET = 1;
const SO_PEERCRED = 17;
const SO_PEERPIDFD = 77;
const FIONREAD = 0x541b;

/** Throws when the descriptor is no connected Unix socket. */
export function loadPeerCredentials(): (socketFd: number) => PeerCredentials {
  const libc = koffi.load(null);
  const getsockopt = libc.func(
    'int getsockopt(int fd, int level, int name, _Out_ uint8_t *value, _Inout_ uint32_t *length)',
  );

  function readOption(fd: number, name: number, bytes: number): Buffer | null {
    const value = Buffer.alloc(bytes);
    const length = [bytes];
    const failed: unknown = getsockopt(fd, SOL_SOCKET, name, value, length);
    return failed === 0 && length[0] === bytes ? value : null;
  }

  return (socketFd) => {
    const ucred = readOption(socketFd, SO_PEERCRED, 12);
    const pid = ucred?.readInt32LE(0) ?? 0;
    if (ucred === null || pid <= 0) throw new Error('the kernel names no process for this socket');
    const pidFd = readOption(socketFd, SO_PEERPIDFD, 4)?.readInt32LE(0) ?? null;
    return {
      pid,
      uid: ucred.readUInt32LE(4),
      alive: () => pidFd === null || /^Pid:\s*[1-9]/m.test(readFileSync(`/proc/self/fdinfo/${pidFd}`, 'utf8')),
      release: () => {
        if (pidFd !== null) closeSync(pidFd);
      },
    };
  };
}

/** How many bytes a socket holds that were not read yet; null where the kernel does not tell. */
export function loadWaitingBytes(): (socketFd: number) => number | null {
  const ioctl = koffi.load(null).func('int ioctl(int fd, unsigned long request, ...)');
  return (socketFd) => {
    const count = Buffer.alloc(4);
    const failed: unknown = ioctl(socketFd, FIONREAD, 'void *', count);
    return failed === 0 ? count.readInt32LE(0) : null;
  };
}
