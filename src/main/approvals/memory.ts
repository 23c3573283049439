import type { Asked } from './asked.js';

const MAX_REMEMBERED = 10_000;

/** What ask_once_per_session has been told already: by agent and effect (disclosure: also by application; the whole screen covers every application, but not what is on no screen, such as the clipboard). Never dangerous. */
export interface Memory {
  has(asked: Asked): boolean;
  add(asked: Asked): void;
  clear(): void;
}

export function createMemory(): Memory {
  const known = new Set<string>();
  const key = ({ agent, effect, memory }: Asked) => JSON.stringify([agent.id, effect, memory]);
  return {
    has: (asked) =>
      asked.effect !== 'dangerous' &&
      (known.has(key(asked)) || (isShown(asked) && known.has(key({ ...asked, memory: 'screen' })))),
    add(asked) {
      if (asked.effect === 'dangerous') return;
      if (known.size >= MAX_REMEMBERED) known.clear();
      known.add(key(asked));
    },
    clear: () => known.clear(),
  };
}

const isShown = ({ effect, memory }: Asked) => effect === 'disclose' && memory.startsWith('app:');
