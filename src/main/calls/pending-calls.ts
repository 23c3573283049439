import { setImmediate as turn } from 'node:timers/promises';
import { QUESTION } from '../tools/chat.js';
import type { Hub } from './hub.js';

export interface UnderWay {
  /** The same door; who goes through is counted. */
  hub: Hub;
  /** Resolves once every call but a question has ended and been answered, or after so many milliseconds. */
  ended(patienceMs: number): Promise<void>;
}

/** Calls that were not answered yet. Questions are no part of it: they wait on disk, for days if need be. */
export function countCalls(hub: Hub): UnderWay {
  const running = new Set<Promise<unknown>>();

  function counted<T>(work: Promise<T>): Promise<T> {
    running.add(work);
    const forget = () => void running.delete(work);
    work.then(forget, forget);
    return work;
  }

  return {
    hub: {
      ...hub,
      bridge: (caller, call, options) => counted(hub.bridge(caller, call, options)),
      tool: (caller, call, options) => {
        const work = hub.tool(caller, call, options);
        return call.name === QUESTION ? work : counted(work);
      },
      resume: (caller, callId, options) => counted(hub.resume(caller, callId, options)),
    },
    async ended(patienceMs) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, patienceMs)));
      await Promise.race([Promise.allSettled([...running]), late]);
      clearTimeout(timer);
      // What has ended is written to its connection in the same turn.
      await turn();
    },
  };
}
