/** The libSystem calls the macOS process table needs, through koffi. Only bytes cross; macos.ts reads them. */
import koffi from 'koffi';

export type MacosCalls = ReturnType<typeof loadMacosCalls>;

/** Where processes come between asking for their number and for themselves. */
const SPARE_PIDS = 64;
const PID_BYTES = 4;

const SOL_LOCAL = 0;
const SOL_SOCKET = 0xffff;
const SO_NREAD = 0x1020;
const PATH_BYTES = 4096;
const CTL_KERN = 1;
const KERN_PROCARGS2 = 49;
const ARGUMENT_BYTES = 1024 * 1024;

/** `library` is that of a stand-in in tests. */
export function loadMacosCalls(library = '/usr/lib/libSystem.B.dylib') {
  const system = koffi.load(library);
  const getsockopt = system.func(
    'int getsockopt(int fd, int level, int name, _Out_ uint8_t *value, _Inout_ uint32_t *length)',
  );
  const pidInfo = system.func('int proc_pidinfo(int pid, int flavor, uint64_t arg, _Out_ uint8_t *buffer, int size)');
  const pidPath = system.func('int proc_pidpath(int pid, _Out_ uint8_t *buffer, uint32_t size)');
  const sysctl = system.func(
    'int sysctl(int *name, uint32_t count, _Out_ uint8_t *value, _Inout_ size_t *length, void *next, size_t nextLength)',
  );
  const listAll = system.func('int proc_listallpids(_Out_ uint8_t *buffer, int size)');
  const countAll = system.func('int proc_listallpids(void *buffer, int size)');
  const getsid = system.func('int getsid(int pid)');
  const responsible = optional(() => system.func('int responsibility_get_pid_responsible_for_pid(int pid)'));
  const count = (value: unknown): number => (typeof value === 'number' ? value : Number(value));

  function readOption(fd: number, level: number, option: number, bytes: number): Buffer | null {
    const value = Buffer.alloc(bytes);
    const length = [bytes];
    return count(getsockopt(fd, level, option, value, length)) === 0 && length[0] === bytes ? value : null;
  }

  return {
    /** getsockopt(SOL_LOCAL, option); null when the kernel refuses. */
    socketOption: (fd: number, option: number, bytes: number): Buffer | null =>
      readOption(fd, SOL_LOCAL, option, bytes),
    /** How many bytes a socket holds that were not read yet; null when the kernel refuses. */
    waitingBytes: (fd: number): number | null => readOption(fd, SOL_SOCKET, SO_NREAD, 4)?.readInt32LE(0) ?? null,
    /** proc_pidinfo(pid, flavor, 0); null when it does not fill the structure. */
    processInfo(pid: number, flavor: number, bytes: number): Buffer | null {
      const value = Buffer.alloc(bytes);
      return count(pidInfo(pid, flavor, 0, value, bytes)) === bytes ? value : null;
    },
    /** proc_pidpath. */
    processPath(pid: number): string | null {
      const value = Buffer.alloc(PATH_BYTES);
      const length = count(pidPath(pid, value, PATH_BYTES));
      return length > 0 ? value.toString('utf8', 0, length) : null;
    },
    /** sysctl(KERN_PROCARGS2): program, arguments and environment. */
    processArguments(pid: number): Buffer | null {
      const value = Buffer.alloc(ARGUMENT_BYTES);
      const length: (number | bigint)[] = [ARGUMENT_BYTES];
      if (count(sysctl([CTL_KERN, KERN_PROCARGS2, pid], 3, value, length, null, 0)) !== 0) return null;
      return value.subarray(0, count(length[0]));
    },
    /** proc_listallpids. */
    pids(): number[] {
      const buffer = Buffer.alloc((count(countAll(null, 0)) + SPARE_PIDS) * PID_BYTES);
      const found = Math.min(count(listAll(buffer, buffer.length)), buffer.length / PID_BYTES);
      return Array.from({ length: Math.max(0, found) }, (_, at) => buffer.readInt32LE(at * PID_BYTES));
    },
    /** getsid: the pid of the session's leader; null where there is no such process. */
    session: (pid: number): number | null => positive(count(getsid(pid))),
    /** The process whose permissions count for this one, which its children share also once it has ended; null where the system does not tell. */
    responsible: (pid: number): number | null => (responsible === null ? null : positive(count(responsible(pid)))),
  };
}

const positive = (pid: number): number | null => (pid > 0 ? pid : null);

/** It is in no header. */
function optional<T>(bind: () => T): T | null {
  try {
    return bind();
  } catch {
    return null;
  }
}
