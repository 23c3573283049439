/** posix_spawn of macOS through koffi. Signatures and flags: spawn.h and sys/spawn.h, where attributes and actions are pointers; the two of responsibility have no header. */
import koffi from 'koffi';

export const SYSTEM_LIBRARY = '/usr/lib/libSystem.B.dylib';

/** sys/spawn.h. */
export const FLAGS = {
  defaultSignals: 0x0004,
  signalMask: 0x0008,
  suspended: 0x0080,
  newSession: 0x0400,
  closeOthers: 0x4000,
} as const;

const WNOHANG = 1;
/** sigset_t has 32 bits there. */
const ALL_SIGNALS = 0xffffffff;

interface Attributes {
  pointer: BigUint64Array;
  setFlags(flags: number): void;
  /** False where the system refuses. */
  disclaim(): boolean;
  free(): void;
}

interface Streams {
  pointer: BigUint64Array;
  free(): void;
}

interface Spawned {
  streams: Streams;
  attributes: Attributes;
  argv: readonly string[];
  env: readonly string[];
}

export interface SpawnCalls {
  /** Signals are as a program expects them: none ignored, none blocked. */
  attributes(): Attributes;
  /** Those that the program gets. */
  streams(fds: readonly number[]): Streams;
  spawn(path: string, how: Spawned): { error: number; pid: number };
  /** The process whose permissions count for this one. */
  responsible(pid: number): number;
  /** As waitpid gives it; null while it runs. */
  exitStatus(pid: number): number | null;
}

/** Throws where a function is missing. */
export function bindSpawnCalls(library: string): SpawnCalls {
  const system = koffi.load(library);
  const func = (prototype: string) => {
    const bound = system.func(prototype);
    return (...given: unknown[]): number => Number(bound(...given));
  };
  const initAttributes = func('int posix_spawnattr_init(void *attributes)');
  const destroyAttributes = func('int posix_spawnattr_destroy(void *attributes)');
  const setFlags = func('int posix_spawnattr_setflags(void *attributes, short flags)');
  const setDefault = func('int posix_spawnattr_setsigdefault(void *attributes, const uint32_t *signals)');
  const setMask = func('int posix_spawnattr_setsigmask(void *attributes, const uint32_t *signals)');
  const disclaim = func('int responsibility_spawnattrs_setdisclaim(void *attributes, int disclaim)');
  const initActions = func('int posix_spawn_file_actions_init(void *actions)');
  const destroyActions = func('int posix_spawn_file_actions_destroy(void *actions)');
  const inherit = func('int posix_spawn_file_actions_addinherit_np(void *actions, int fd)');
  const spawn = func(
    'int posix_spawn(_Out_ int *pid, const char *path, void *actions, void *attributes, const char **argv, const char **env)',
  );
  const responsible = func('int responsibility_get_pid_responsible_for_pid(int pid)');
  const waitpid = func('int waitpid(int pid, _Out_ int *status, int options)');

  return {
    attributes() {
      const pointer = new BigUint64Array(1);
      assertDone('posix_spawnattr_init', initAttributes(pointer));
      assertDone('posix_spawnattr_setsigdefault', setDefault(pointer, [ALL_SIGNALS]));
      assertDone('posix_spawnattr_setsigmask', setMask(pointer, [0]));
      return {
        pointer,
        setFlags: (flags) => assertDone('posix_spawnattr_setflags', setFlags(pointer, flags)),
        disclaim: () => disclaim(pointer, 1) === 0,
        free: () => void destroyAttributes(pointer),
      };
    },
    streams(fds) {
      const pointer = new BigUint64Array(1);
      assertDone('posix_spawn_file_actions_init', initActions(pointer));
      for (const fd of fds) assertDone('posix_spawn_file_actions_addinherit_np', inherit(pointer, fd));
      return { pointer, free: () => void destroyActions(pointer) };
    },
    spawn(path, { streams, attributes, argv, env }) {
      const pid = [0];
      const error = spawn(pid, path, streams.pointer, attributes.pointer, [...argv, null], [...env, null]);
      return { error, pid: pid[0] ?? 0 };
    },
    responsible,
    exitStatus(pid) {
      const status = [0];
      return waitpid(pid, status, WNOHANG) === pid ? (status[0] ?? 0) : null;
    },
  };
}

function assertDone(call: string, error: number): void {
  if (error !== 0) throw new Error(`${call}: ${error}`);
}
