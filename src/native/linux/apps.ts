import { basename } from 'node:path';
import type { App, Window } from '../desktop.js';
import type { Documents } from './atspi/documents.js';
import { isInterpreter, type DesktopEntries } from './desktop-entries.js';
import type { WatchedProcesses } from './watched-processes.js';
import { windowId, type Windows, type TopLevelWindow } from './windows.js';

/** X windows as callers see them: with the application they belong to. */
export interface Apps {
  appOf(window: TopLevelWindow, active: number): Promise<App>;
  windowOf(window: TopLevelWindow, active: number, signal: AbortSignal): Promise<Window>;
  list(call?: AbortSignal): Promise<App[]>;
  /** Those that another application made. */
  foreignTo(window: TopLevelWindow, among: readonly TopLevelWindow[]): TopLevelWindow[];
  /** '' where not known. */
  executableOf(window: TopLevelWindow): string;
}

/** An interpreter without a known script could run anything. */
function programOf(process: { executable: string; script: string | null } | null): string {
  if (process === null) return '';
  const { executable, script } = process;
  if (script !== null) return `${executable} ${script}`;
  return isInterpreter(executable) ? '' : executable;
}

/** The process of the active window; 0 where there is none. */
export async function activePid(windows: Windows, call?: AbortSignal): Promise<number> {
  return (await windows.front(call))?.pid ?? 0;
}

export function openApps(
  windows: Windows,
  entries: DesktopEntries,
  processes: Pick<WatchedProcesses, 'lookup'>,
  documentsOf: Documents,
): Apps {
  const executableOf = ({ pid }: TopLevelWindow): string =>
    pid === 0 ? '' : (processes.lookup(pid)?.executable ?? '');

  const appOf = async (window: TopLevelWindow, frontmost: number): Promise<App> => {
    const process = window.pid === 0 ? null : processes.lookup(window.pid);
    const executable = process?.executable ?? '';
    const { entry, candidates } = await entries.match(window.instance, window.className, executable);
    const fallback = window.className || window.instance || basename(executable) || window.title || 'unknown';
    const id = entry?.id ?? fallback;
    const file = process?.script ?? (isInterpreter(executable) ? '' : executable);
    const others = [...candidates, window.className, window.instance, basename(file)];
    return {
      id,
      name: entry?.name ?? fallback,
      program: programOf(process),
      otherIds: [...new Set(others)].filter((one) => one !== '' && one !== id),
      pid: window.pid,
      startTime: process?.startTime ?? '',
      frontmost: window.pid !== 0 && window.pid === frontmost,
    };
  };

  /** A helper of the same program, such as the one that draws for a browser, is no other application. */
  const foreignTo: Apps['foreignTo'] = (window, among) => {
    const own = programOf(processes.lookup(window.pid));
    return among.filter(({ pid }) => own === '' || programOf(processes.lookup(pid)) !== own);
  };

  const windowOf: Apps['windowOf'] = async (window, frontmost, signal) => {
    const [app, documents, inside] = await Promise.all([
      appOf(window, frontmost),
      documentsOf(window, executableOf(window), signal),
      Promise.all(foreignTo(window, window.inside).map((one) => windowOf(one, frontmost, signal))),
    ]);
    const { title, frame, focused, minimized, normal, tooltip, shown } = window;
    return {
      id: windowId(window.id),
      title,
      app,
      frame,
      focused,
      minimized,
      visible: shown,
      normal,
      ...(tooltip ? { tooltip } : {}),
      documentUrl: documents?.urls[0] ?? null,
      ...(documents === null ? {} : { documents }),
      ...(inside.length === 0 ? {} : { inside }),
      ...(window.crowded ? { crowded: true } : {}),
    };
  };

  return {
    appOf,
    executableOf,
    windowOf,
    foreignTo,
    list: async (call) => {
      const [all, frontmost] = await Promise.all([windows.list(call), activePid(windows, call)]);
      const byPid = new Map<number, TopLevelWindow>();
      for (const window of all.flatMap((one) => [one, ...foreignTo(one, one.inside)])) {
        const known = byPid.get(window.pid);
        if (window.pid !== 0 && (known === undefined || (!known.normal && window.normal)))
          byPid.set(window.pid, window);
      }
      return Promise.all([...byPid.values()].map((window) => appOf(window, frontmost)));
    },
  };
}
