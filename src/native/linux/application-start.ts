import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { DesktopError, type Launched } from '../desktop.js';
import { poll } from '../../base/poll.js';
import { parseProcessStat } from '../../base/process-stat.js';
import type { Windows, TopLevelWindow } from './windows.js';
import { message } from '../../messages/index.js';

/** A start that takes neither the focus nor the front. */
export interface BackgroundStart {
  /** For the new process. */
  env: Record<string, string>;
  /** Windows of this process and its children open on the other desktop. */
  follow(pid: number): void;
  finish(window: TopLevelWindow, signal: AbortSignal): Promise<Launched['focus']>;
  close(): Promise<void>;
}

interface StartedProcess {
  pid: number;
  /** Set once it has ended. */
  exit: { code: number | null; signal: string | null } | null;
}

const WINDOW_TIMEOUT_MS = 30_000;

export function startProcess(
  program: string,
  args: string[],
  env: Record<string, string | undefined>,
): Promise<StartedProcess> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(new DesktopError('failed', message('native.not_started', { program, why: error.message })));
    let child: ChildProcess;
    try {
      child = spawn(program, args, { env, cwd: env['HOME'] ?? '/', detached: true, stdio: 'ignore' });
    } catch (error) {
      return fail(error instanceof Error ? error : new Error(String(error)));
    }
    const started: StartedProcess = { pid: child.pid ?? 0, exit: null };
    child.once('error', fail);
    child.once('exit', (code, signal) => (started.exit = { code, signal }));
    child.once('spawn', () => resolve(started));
    child.unref();
  });
}

/** The first window of the started process, or of the running instance that took the request over. */
export async function firstWindow(
  windows: Windows,
  child: StartedProcess,
  isOfApp: (window: TopLevelWindow) => Promise<boolean>,
  before: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<TopLevelWindow> {
  const found = await poll(
    async () => {
      const open = (await windows.list()).filter(
        (window) => window.normal && (window.viewable || window.onOtherDesktop),
      );
      for (const window of open) if (await descendsFrom(window.pid, child.pid)) return window;
      const fresh = open.filter((window) => !before.has(window.id));
      // An instance that already runs takes the request over, and the new process ends well.
      const handedOver = child.exit?.code === 0;
      for (const window of handedOver ? [...fresh, ...open] : fresh) if (await isOfApp(window)) return window;
      if (child.exit === null || handedOver) return null;
      const how = child.exit.signal ?? `code ${child.exit.code}`;
      throw new DesktopError('failed', message('native.ended_at_once', { how }));
    },
    WINDOW_TIMEOUT_MS,
    signal,
    30,
  );
  if (found !== null) return found;
  throw new DesktopError('timeout', message('native.no_window_in_time', { seconds: WINDOW_TIMEOUT_MS / 1000 }));
}

export async function descendsFrom(pid: number, ancestor: number): Promise<boolean> {
  for (let at = pid; at > 1; at = await parentOf(at)) if (at === ancestor) return true;
  return false;
}

async function parentOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return parseProcessStat(text)?.parentPid ?? 0;
}
