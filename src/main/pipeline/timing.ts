import { DESKTOP_METHODS, type DesktopBackend } from '../../native/desktop.js';
import { CALL_STAGES, type CallStage, type CallTimes } from '../protocol/index.js';

export type CallTiming = ReturnType<typeof createCallTiming>;

export function createCallTiming(now: () => number = () => performance.now()) {
  const began = now();
  const spent: Partial<Record<CallStage, number>> = {};
  const methods = new Map<string, { calls: number; ms: number }>();
  let current: { name: CallStage; since: number } = { name: 'begin', since: began };

  /** Of a stage, so far; undefined: it did not begin. */
  function timeOf(stage: CallStage): number | undefined {
    return stage === current.name ? (spent[stage] ?? 0) + now() - current.since : spent[stage];
  }

  function addCall(method: string, since: number): void {
    const known = methods.get(method);
    methods.set(method, { calls: (known?.calls ?? 0) + 1, ms: (known?.ms ?? 0) + now() - since });
  }

  return {
    /** Ends the current stage and begins this one; its time adds to what the stage already had. */
    stage(name: CallStage): void {
      spent[current.name] = timeOf(current.name) ?? 0;
      current = { name, since: now() };
    },
    /** The desktop with every method timed. */
    timed: (desktop: DesktopBackend): DesktopBackend =>
      new Proxy(desktop, {
        get(target, name) {
          const found: unknown = Reflect.get(target, name, target);
          if (typeof name !== 'string' || !Object.hasOwn(DESKTOP_METHODS, name) || typeof found !== 'function')
            return found;
          return (...given: unknown[]): unknown => {
            const since = now();
            const result: unknown = Reflect.apply(found, target, given);
            if (!(result instanceof Promise)) return result;
            const add = () => addCall(name, since);
            result.then(add, add);
            return result;
          };
        },
      }),
    times(): CallTimes {
      const stages: CallTimes['stages'] = [];
      for (const stage of CALL_STAGES) {
        const ms = timeOf(stage);
        if (ms !== undefined) stages.push({ stage, ms: rounded(ms) });
      }
      return {
        totalMs: rounded(now() - began),
        stages,
        desktop: [...methods]
          .map(([method, { calls, ms }]) => ({ method, calls, ms: rounded(ms) }))
          .sort((one, other) => other.ms - one.ms),
      };
    },
  };
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10;
