import { LRUCache } from 'lru-cache';
import type { Effect } from '../protocol/index.js';
import type { RequestFacts } from './request-facts.js';

const MAX_REMEMBERED = 10_000;

/** `what`: `screen`, `area:<x,y,width,height>`, `titles`, `app:<id>`, `action:<tool>` or `any`. */
export interface Remembered {
  effect: Effect;
  what: string;
}

/**
 * What the person allowed under ask_once_per_session, by agent and effect, and for disclosure also by application. The whole screen
 * covers its areas, every application and titles, an application also titles, and nothing what is outside the screen, such as the
 * clipboard. Never dangerous acts.
 */
export type Memory = ReturnType<typeof createMemory>;

export function createMemory() {
  const known = new Map<string, Remembered & { agentId: string }>();
  const forgotten = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  const key = ({ agent, effect, memory, app }: RequestFacts) =>
    JSON.stringify([agent.id, effect, memory, memory.startsWith('app:') ? (app?.program ?? null) : null]);
  return {
    has: (asked: RequestFacts): boolean =>
      asked.effect !== 'dangerous' &&
      ((asked.app?.program !== '' && known.has(key(asked))) ||
        (isShown(asked) && known.has(key({ ...asked, memory: 'screen' })))),
    add(asked: RequestFacts): void {
      if (asked.effect === 'dangerous') return;
      if (known.size >= MAX_REMEMBERED) known.clear();
      const parts = isOfApp(asked) ? [asked, { ...asked, memory: 'titles' }] : [asked];
      for (const one of parts) known.set(key(one), { agentId: one.agent.id, effect: one.effect, what: one.memory });
    },
    of: (agentId: string): Remembered[] =>
      [...known.values()].filter((one) => one.agentId === agentId).map(({ effect, what }) => ({ effect, what })),
    /** Returns false where nothing was remembered. Decisions made before `at` no longer count. */
    forget(agentId: string, at: number): boolean {
      const before = known.size;
      forgotten.set(agentId, at);
      for (const [one, remembered] of known) if (remembered.agentId === agentId) known.delete(one);
      return known.size < before;
    },
    /** When this agent's memory was last cleared. */
    forgottenAt: (agentId: string): number => forgotten.get(agentId) ?? -Infinity,
    clear: (): void => known.clear(),
  };
}

/** Who sees an application finds it by the titles of windows; the request says so. */
const isOfApp = ({ effect, memory }: RequestFacts) => effect === 'disclose' && memory.startsWith('app:');

const SHOWN = /^(app:|area:|titles$)/;

const isShown = ({ effect, memory }: RequestFacts) => effect === 'disclose' && SHOWN.test(memory);
