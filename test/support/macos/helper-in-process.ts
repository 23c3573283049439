/** Helpers without a process of their own: several of them share one scripted desktop, and one count of what leaks. */
import { createEmitter } from '../../../src/base/emitter.js';
import type { FromHelper, ToHelper } from '../../../src/native/macos/helper/messages.js';
import type { HelperProcess } from '../../../src/native/macos/helper/process.js';
import { serveHelper } from '../../../src/native/macos/helper/serve.js';

export interface HelpersInProcess {
  start(): HelperProcess;
  running(): number;
  /** As when the system ends them all; those that are started from then on end at once. */
  end(): void;
  /** When those that have ended gave back what they held. */
  ended(): Promise<unknown>;
}

export function helpersInProcess(): HelpersInProcess {
  const closings: Promise<void>[] = [];
  const living = new Set<() => void>();
  let over = false;
  const start = (): HelperProcess => {
    const [toHelper, toHost, ends] = [createEmitter<ToHelper<never>>(), createEmitter<FromHelper<never>>(), createEmitter<string>()]; // prettier-ignore
    let alive = true;
    /** What crosses is copied, as between processes. */
    const cross = <T>(to: { emit(value: T): void }, message: unknown): void => {
      const copy = structuredClone(message) as T;
      setImmediate(() => alive && to.emit(copy));
    };
    const helper = serveHelper({ post: (message) => cross(toHost, message), onMessage: toHelper.on });
    const kill = (): void => {
      if (!alive) return;
      alive = false;
      living.delete(kill);
      closings.push(helper.close());
      setImmediate(() => ends.emit('SIGKILL'));
    };
    living.add(kill);
    if (over) setImmediate(kill);
    return { post: (message) => cross(toHelper, message), onMessage: toHost.on, onEnd: ends.on, kill };
  };
  return {
    start,
    running: () => living.size,
    end() {
      over = true;
      for (const kill of living) kill();
    },
    ended: () => Promise.all(closings),
  };
}
