/**
 * The supervisor of one command: a separate process that starts the command, adopts orphaned descendants, and ends all of them
 * when the host requests it or is gone. The kernel closes the channel when the host ends, so no code of the host has to run.
 */
import { errno } from '../../base/type-guards.js';
import {
  endProcesses,
  createProcessSource,
  findCommandProcesses,
  type ProcessSource,
  type TableEntry,
} from './processes.js';
import { createDisclaimedStart, startChild, withMark, type StartCommand } from './disclaimed.js';
import type { FoundProcess, FromSupervisor, RunMessage, ToSupervisor } from './supervisor-messages.js';
import { openSync } from 'node:fs';
import koffi from 'koffi';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
/** How often the processes of a kept command are listed, to report when none runs any more. */
const KEPT_INTERVAL_MS = 2000;
/** Used where the host is gone before it has sent a command. */
const DEFAULT_GRACE_MS = 2000;

interface Current {
  /** 0 where it was not started. */
  pid: number;
  message: RunMessage;
  exited: Promise<unknown>;
  /** Where orphans cannot be adopted; null once it leads nothing, because another process may get its number. */
  leader: number | null;
}

/** Runs until the host ends it, or is gone. `library` is that of a stand-in of macOS in tests. */
export function supervise(platform: string = process.platform, library?: string): void {
  const start: StartCommand = platform === 'darwin' ? createDisclaimedStart(library) : startChild;
  // The supervisor must survive a Ctrl-C and signals from the command, because it has to end the command.
  for (const signal of SIGNALS) process.on(signal, () => undefined);
  const calls = becomeSubreaper(platform);
  let known: ProcessSource | null = null;
  let current: Current | null = null;
  let outlives = false;
  let ending: Promise<void> | null = null;

  function find(): FoundProcess[] {
    if (current === null) return [];
    const { pid, message, leader } = current;
    // Not before there is a command: one that cannot be started has its own reason.
    const source = (known ??= createProcessSource(platform, library));
    const table = source.table();
    calls.reap(table, pid);
    if (!table.some(({ leaders }) => leader !== null && leaders.includes(leader))) current.leader = null;
    const scope = { executionId: message.executionId, root: process.pid, leader };
    return findCommandProcesses({ ...source, table: () => table }, scope);
  }

  function run(message: RunMessage): void {
    const failed = (thrown: unknown): void => {
      const code = errno(thrown) ?? 'EUNKNOWN';
      send({ type: 'failed', code, message: thrown instanceof Error ? thrown.message : String(thrown) }, exit);
    };
    try {
      const { pid, started, exited } = start(withMark(message));
      current = { pid, message, exited, leader: platform === 'linux' || pid === 0 ? null : pid };
      started.then(() => {
        calls.dropStandardStreams();
        send({ type: 'started', pid });
        void exited.then((exit) => send({ type: 'exited', ...exit }));
      }, failed);
    } catch (thrown) {
      failed(thrown);
    }
  }

  function end(): Promise<void> {
    ending ??= endAll();
    return ending;
  }

  async function endAll(): Promise<void> {
    const { ended, remaining } = await endProcesses({ find, graceMs: current?.message.graceMs ?? DEFAULT_GRACE_MS });
    const command = current?.pid;
    // Its exit is reported first.
    if (!remaining.some(({ pid }) => pid === command)) await current?.exited;
    send({ type: 'ended', ended: ended.filter(({ pid }) => pid !== command), remaining }, exit);
  }

  function keep(): void {
    let lastReported = '';
    const report = (): void => {
      const processes = find();
      if (processes.length > 0 && JSON.stringify(processes) === lastReported) return;
      lastReported = JSON.stringify(processes);
      send({ type: 'kept', processes });
      if (processes.length > 0) return;
      clearInterval(timer);
      void end();
    };
    const timer = setInterval(report, KEPT_INTERVAL_MS);
    report();
  }

  process.on('message', (message: ToSupervisor) => {
    if (message.type === 'run') run(message);
    else if (message.type === 'keep') keep();
    else if (message.type === 'outlive') outlives = message.on;
    else void end();
  });
  process.on('disconnect', () => {
    if (outlives) exit();
    else void end().then(exit);
  });
}

/** Sends nothing where the host is gone: the `disconnect` handler decides what happens. */
function send(message: FromSupervisor, then: () => void = () => undefined): void {
  if (!process.connected) return;
  process.send?.(message, () => then());
}

function exit(): void {
  process.exit(0);
}

// The system calls of a supervisor, through koffi. Loaded in the supervisor process only.

const PR_SET_CHILD_SUBREAPER = 36;
const WNOHANG = 1;

/** From here on, orphaned descendants become children of this process (Linux). Throws where the kernel refuses. */
function becomeSubreaper(platform: string = process.platform) {
  const libc = koffi.load(null);
  if (platform === 'linux') {
    const prctl = libc.func('int prctl(int option, ulong on, ulong a, ulong b, ulong c)');
    const failed: unknown = prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    if (failed !== 0) throw new Error('prctl(PR_SET_CHILD_SUBREAPER) failed.');
  }
  const dup2 = libc.func('int dup2(int from, int to)');
  const waitpid = libc.func('int waitpid(int pid, void *status, int options)');
  return {
    /** Puts /dev/null in the place of the standard streams, so that only the command holds them open. */
    dropStandardStreams(): void {
      const empty = openSync('/dev/null', 'r+');
      for (const fd of [0, 1, 2]) dup2(empty, fd);
    },
    /** Takes note of adopted processes that have exited; `except` is waited for by Node itself. */
    reap(table: readonly TableEntry[], except: number): void {
      for (const { pid, parentPid, zombie } of table)
        if (zombie && parentPid === process.pid && pid !== except) waitpid(pid, null, WNOHANG);
    },
  };
}
