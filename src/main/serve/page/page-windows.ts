import type { StackedWindow } from '../../../native/desktop.js';
import type { ProcessTable } from '../../../native/peer/types.js';

export type IsPageWindow = (window: Pick<StackedWindow, 'pid' | 'managed' | 'title'>) => boolean;

const TITLE = 'Chaperone';

/** All windows of the program that holds the page's connection; where the kernel does not name it, those with the page's title. */
export function pageWindows(processes: Pick<ProcessTable, 'lookup' | 'lineage'>, pid: number | null): IsPageWindow {
  if (pid === null) return ({ managed, title }) => managed && title.includes(TITLE);
  const executable = processes.lookup(pid)?.executable;
  const program = (of: number) => processes.lineage(of).filter((one) => one.executable === executable);
  const line = new Set([pid, ...program(pid).map((one) => one.pid)]);
  return (window) => line.has(window.pid) || (window.pid !== 0 && program(window.pid).some((one) => line.has(one.pid)));
}
