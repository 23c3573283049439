import type { Signal } from '../../base/signal.js';
import type { Runner } from '../pipeline/run.js';
import type { Effect } from '../protocol/index.js';

/** How many at once: each step of an act waits for a step of every one of them. */
const MAX_READS = 5;
/** A call that takes longer waits for something, and keeps no other from being read. */
const MAX_HELD_MS = 30;

const READS: ReadonlySet<Effect> = new Set(['read', 'disclose']);

/** A runner of which some reads run at once and the others wait, agent by agent in turns. Acts and bookkeeping never wait here. */
export function withReadSlots({ run }: Pick<Runner, 'run'>): Pick<Runner, 'run'> {
  const slots = createSlots();
  return {
    run: (action, call) =>
      READS.has(action.effect)
        ? slots.run(call.caller.agent.id, call.signal, () => run(action, call))
        : run(action, call),
  };
}

function createSlots() {
  /** By agent; the one whose turn is next comes first. */
  const waiting = new Map<string, (() => void)[]>();
  let taken = 0;

  /** The slot goes to the next that waits. */
  function leave(): void {
    for (const [agentId, queue] of waiting) {
      const next = queue.shift();
      waiting.delete(agentId);
      if (queue.length > 0) waiting.set(agentId, queue);
      if (next !== undefined) return next();
    }
    taken -= 1;
  }

  /** null: at once. Resolves false, without a slot, where the call is cancelled while it waits. */
  function enter(agentId: string, signal: Signal): Promise<boolean> | null {
    if (taken < MAX_READS) {
      taken += 1;
      return null;
    }
    if (signal.aborted) return Promise.resolve(false);
    const queue = waiting.get(agentId) ?? [];
    waiting.set(agentId, queue);
    return new Promise((resolve) => {
      const next = () => {
        signal.removeEventListener('abort', cancel);
        resolve(true);
      };
      const cancel = () => {
        queue.splice(queue.indexOf(next), 1);
        resolve(false);
      };
      queue.push(next);
      signal.addEventListener('abort', cancel, { once: true });
    });
  }

  return {
    async run<T>(agentId: string, signal: Signal, work: () => Promise<T>): Promise<T> {
      const turn = enter(agentId, signal);
      // What is cancelled ends by itself, in the words of its stage.
      if (turn !== null && !(await turn)) return work();
      let held = true;
      const leaveOnce = () => {
        if (held) leave();
        held = false;
      };
      const timer = setTimeout(leaveOnce, MAX_HELD_MS);
      try {
        return await work();
      } finally {
        clearTimeout(timer);
        leaveOnce();
      }
    },
  };
}
