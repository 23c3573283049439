import type { MacosCalls } from './macos-calls.js';
import { readMacosProcess, type MacosProcess } from './macos-processes.js';
import type { ProcessInspector } from './process-inspector.js';

const NONE = { pid: '', mount: '' };

/** Who reads a terminal's output is not told; what controls it is found above the leader of its session. */
export function createMacosInspector(calls: MacosCalls): ProcessInspector {
  const all = (): MacosProcess[] => calls.pids().flatMap((pid) => readMacosProcess(calls, pid) ?? []);
  return {
    inspect(pid) {
      const found = readMacosProcess(calls, pid);
      const session = calls.session(pid);
      if (found === null || session === null) return null;
      const { parentPid, startTime, group, terminal, uid, realUid, name } = found;
      const family = String(calls.responsible(pid) ?? '');
      return {
        pid,
        parentPid,
        startTime,
        sessionLeader: session,
        groupLeader: group,
        terminal,
        uid,
        realUid,
        name,
        family,
        namespaces: NONE,
      };
    },
    terminalHolders(terminal) {
      const programs = terminal === 0 ? [] : all().filter((one) => one.terminal === terminal);
      return { masters: [], programs: programs.map(({ pid }) => pid) };
    },
    programOf: () => null,
    list: () => all().map(({ pid, parentPid, startTime }) => ({ pid, parentPid, startTime })),
  };
}
