/** Observers of accessibility, one for each application. Their notifications come with turns of the run loop. */
import koffi from 'koffi';
import type { ChangeHint } from '../../desktop.js';
import { nullWithoutAnswer } from '../accessibility/answers.js';
import { AX_ERROR, NOTIFICATIONS } from '../calls/accessibility.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';

export type Observers = ReturnType<typeof openObservers>;

interface Observed {
  startTime: string | null;
  /** null where it could not be observed; then it is tried again later. */
  observer: Ref | null;
  retryAt: number;
}

/** An application that hangs costs a second each time. */
const RETRY_MS = 30_000;

export function openObservers(core: Core, hint: (kind: ChangeHint['kind'], pid: number) => void) {
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
