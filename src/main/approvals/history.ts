import type { Asked } from './asked.js';
import type { Clock } from './clock.js';

const HOUR_MS = 3_600_000;
const MAX = 500;

/** Requests of the last hour that needed a person or a grant, so that a card can say what a grant would have covered. */
export interface History {
  add(asked: Asked): void;
  ofAgent(agentId: string): Asked[];
}

export function createHistory(clock: Clock): History {
  let all: { at: number; asked: Asked }[] = [];
  const recent = () => all.filter(({ at }) => at > clock.read() - HOUR_MS).slice(-MAX);
  return {
    add(asked) {
      all = [...recent(), { at: clock.read(), asked }];
    },
    ofAgent: (agentId) => recent().flatMap(({ asked }) => (asked.agent.id === agentId ? [asked] : [])),
  };
}
