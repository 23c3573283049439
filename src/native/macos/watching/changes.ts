/** Hints that something changed: by what applications notify of, and by looks at windows and processes for all that nobody notifies of. */
import type { ChangeHint } from '../../desktop.js';
import { nullWithoutAnswer } from '../accessibility/answers.js';
import type { Core } from '../core.js';
import type { Apps } from '../screen/apps.js';
import type { WindowRows } from '../screen/window-rows.js';
import koffi from 'koffi';
import { AX_ERROR, NOTIFICATIONS } from '../calls/accessibility.js';
import type { Ref } from '../calls/types.js';

export type ChangeWatch = ReturnType<typeof openChangeWatch>;

const LOOK_MS = 500;
/** One hint for all that happens in it. */
const BURST_MS = 30;

export function openChangeWatch(core: Core, rows: WindowRows, apps: Apps, tell: (hint: ChangeHint) => void) {
  const waiting = new Map<string, ChangeHint>();
  let burst: NodeJS.Timeout | null = null;
  let timer: NodeJS.Timeout | null = null;
  let seen: { windows: string; applications: string } | null = null;

  const flush = (): void => {
    burst = null;
    const hints = [...waiting.values()];
    waiting.clear();
    hints.forEach(tell);
  };
  const hint = (kind: ChangeHint['kind'], pid: number | null): void => {
    waiting.set(`${kind} ${pid}`, { kind, pid });
    burst ??= setTimeout(flush, BURST_MS).unref();
  };
  const observers = openObservers(core, hint);
  const look = (): void => {
    const shown = rows.onScreen();
    const windows = shown.map(({ number, level, frame: { x, y, width, height } }) => [
      number,
      level,
      x,
      y,
      width,
      height,
    ]);
    core.runLoop.turn();
    const now = {
      windows: windows.join(';'),
      applications: apps
        .running()
        .map(({ pid }) => pid)
        .join(),
    };
    if (seen !== null && seen.windows !== now.windows) hint('windows', null);
    if (seen !== null && seen.applications !== now.applications) hint('applications', null);
    seen = now;
    observers.follow(shown.filter(({ level }) => level === rows.levels.normal).map(({ pid }) => pid));
  };

  return {
    start(): void {
      if (timer !== null) return;
      const again = (): void => void nullWithoutAnswer(look);
      again();
      timer = setInterval(again, LOOK_MS).unref();
    },
    close(): void {
      if (timer !== null) clearInterval(timer);
      if (burst !== null) clearTimeout(burst);
      observers.close();
    },
  };
}

interface Observed {
  startTime: string | null;
  /** null where it could not be observed; then it is tried again later. */
  observer: Ref | null;
  retryAt: number;
}

/** An application that hangs costs a second each time. */
const RETRY_MS = 30_000;

/** Observers of accessibility, one for each application. Their notifications come with turns of the run loop. */
function openObservers(core: Core, hint: (kind: ChangeHint['kind'], pid: number) => void) {
  const { bound, reading, processes } = core;
  const { coreFoundation: cf, accessibility: ax } = bound;
  const mode = bound.object('coreFoundation', 'kCFRunLoopDefaultMode');
  const known = new Map<number, Observed>();
  const callback = koffi.register(
    (_observer: unknown, _element: unknown, name: bigint | null, pid: bigint | null) => {
      const kind = NOTIFICATIONS.get(reading.text(name) ?? '');
      if (kind !== undefined) hint(kind, Number(pid ?? 0n));
    },
    koffi.pointer(koffi.proto('void', ['void *', 'void *', 'void *', 'void *'])),
  );

  /** null where the application does not answer. */
  const observe = (pid: number): Ref | null =>
    core.scoped((scope) => {
      const { status, ref } = scope.ownFrom((slot) => ax.AXObserverCreate(pid, callback, slot));
      const application = nullWithoutAnswer(() => core.ax.application(scope, pid));
      if (status !== AX_ERROR.success || ref === null || application === null) return null;
      for (const name of NOTIFICATIONS.keys()) {
        const text = core.making.text(scope, name);
        const failed = ax.AXObserverAddNotification(ref, application, text, BigInt(pid));
        if (failed === AX_ERROR.cannotComplete) return null;
      }
      cf.CFRunLoopAddSource(cf.CFRunLoopGetMain(), ax.AXObserverGetRunLoopSource(ref), mode);
      return cf.CFRetain(ref);
    });
  const forget = (pid: number): void => {
    const observer = known.get(pid)?.observer ?? null;
    known.delete(pid);
    if (observer === null) return;
    cf.CFRunLoopRemoveSource(cf.CFRunLoopGetMain(), ax.AXObserverGetRunLoopSource(observer), mode);
    cf.CFRelease(observer);
  };

  return {
    /** These processes too, each until it has ended. */
    follow(pids: readonly number[]): void {
      for (const [pid, { startTime, observer, retryAt }] of known) {
        const retry = observer === null && Date.now() >= retryAt;
        if (retry || processes.startTime(pid) !== startTime) forget(pid);
      }
      for (const pid of new Set(pids)) {
        if (known.has(pid) || pid === process.pid) continue;
        const startTime = processes.startTime(pid);
        known.set(pid, { startTime, observer: observe(pid), retryAt: Date.now() + RETRY_MS });
      }
    },
    close(): void {
      for (const pid of known.keys()) forget(pid);
      koffi.unregister(callback);
    },
  };
}
