import type { RequestFacts } from './request-facts.js';
import type { Clock } from './clock.js';

const HOUR_MS = 3_600_000;
const MAX_REQUESTS = 500;

/** Requests of the last hour that needed a person or a grant, so that a card can say what a grant would have covered. */
export interface RequestHistory {
  add(asked: RequestFacts): void;
  ofAgent(agentId: string): RequestFacts[];
}

export function createRequestHistory(clock: Clock): RequestHistory {
  let all: { at: number; asked: RequestFacts }[] = [];
  const recent = () => all.filter(({ at }) => at > clock.read() - HOUR_MS).slice(-MAX_REQUESTS);
  return {
    add(asked) {
      all = [...recent(), { at: clock.read(), asked }];
    },
    ofAgent: (agentId) => recent().flatMap(({ asked }) => (asked.agent.id === agentId ? [asked] : [])),
  };
}
