import { DESKTOP_METHODS, type DesktopBackend } from '../../native/desktop.js';
import { CALL_STAGES, type CallStage, type CallTimes } from '../protocol/index.js';

export interface CallTiming {
  /** Ends the current stage and begins this one; its time adds to what the stage already had. */
  stage(name: CallStage): void;
  /** The desktop with every method timed. */
  timed(desktop: DesktopBackend): DesktopBackend;
  times(): CallTimes;
}

export function createCallTiming(now: () => number = () => performance.now()): CallTiming {
  const began = now();
  const stages = new Map<CallStage, number>();
  const methods = new Map<string, { calls: number; ms: number }>();
  let current: { name: CallStage; since: number } = { name: 'begin', since: began };

  const inCurrent = () => (stages.get(current.name) ?? 0) + now() - current.since;

  function addCall(method: string, since: number): void {
    const known = methods.get(method);
    methods.set(method, { calls: (known?.calls ?? 0) + 1, ms: (known?.ms ?? 0) + now() - since });
  }

  return {
    stage(name) {
      stages.set(current.name, inCurrent());
      current = { name, since: now() };
    },
    timed: (desktop) =>
      new Proxy(desktop, {
        get(target, name) {
          const found: unknown = Reflect.get(target, name, target);
          if (typeof name !== 'string' || !Object.hasOwn(DESKTOP_METHODS, name) || typeof found !== 'function')
            return found;
          return (...given: unknown[]): unknown => {
            const since = now();
            const result: unknown = Reflect.apply(found, target, given);
            return result instanceof Promise ? result.finally(() => addCall(name, since)) : result;
          };
        },
      }),
    times() {
      const all = new Map(stages).set(current.name, inCurrent());
      return {
        totalMs: rounded(now() - began),
        stages: CALL_STAGES.flatMap((stage) => {
          const ms = all.get(stage);
          return ms === undefined ? [] : [{ stage, ms: rounded(ms) }];
        }),
        desktop: [...methods]
          .map(([method, { calls, ms }]) => ({ method, calls, ms: rounded(ms) }))
          .sort((one, other) => other.ms - one.ms),
      };
    },
  };
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10;
