import { commandMarkIn, type CommandMark } from './command-mark.js';
import type { MacosCalls } from './macos-calls.js';
import { readArguments, readMacosProcess } from './macos-processes.js';
import type { StartedCommands } from './started-commands.js';

/**
 * Whether an approved command started a process: by the environment it was started with, else by what it cannot leave by ending its
 * parent: its session, and the process that answers for it. A command answers for itself and all that it starts.
 */
export function createMacosCommandMarks(
  calls: MacosCalls,
  { executionOf }: Pick<StartedCommands, 'executionOf'>,
): (pid: number) => CommandMark {
  return (pid) => {
    if (readMacosProcess(calls, pid) === null) return { kind: 'gone' };
    const { environment } = readArguments(calls.processArguments(pid));
    const inEnvironment = commandMarkIn(environment);
    if (inEnvironment.kind === 'marked') return inEnvironment;
    const responsible = calls.responsible(pid);
    for (const leader of [calls.session(pid), responsible]) {
      const executionId = leader === null ? null : executionOf(leader);
      if (executionId !== null) return { kind: 'marked', executionId };
    }
    // Who answered for it has ended: it may be a command of an earlier run of the host.
    const hasEnded = responsible !== null && responsible !== pid && readMacosProcess(calls, responsible) === null;
    return hasEnded ? { kind: 'unreadable' } : { kind: 'none' };
  };
}
