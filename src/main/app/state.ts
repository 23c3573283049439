import type { Desk } from '../host/index.js';

export type TrayState = 'idle' | 'watching' | 'acting' | 'waiting' | 'paused' | 'missing';

export interface Told {
  state: TrayState;
  /** Requests that wait for the person, or where there are none, questions: as the page counts. */
  waiting: number;
}

/** What the tray icon says. Without permissions nothing works, and a pause is the person's own word; both win over what waits. */
export function told(desk: Pick<Desk, 'status' | 'health' | 'cards' | 'questions'>): Told {
  const { state, agents } = desk.status();
  const waiting = desk.cards().length || desk.questions().length;
  const permissions = Object.values(desk.health()?.permissions ?? {});
  if (permissions.some((one) => one === 'missing' || one === 'stale')) return { state: 'missing', waiting };
  if (state === 'paused') return { state, waiting };
  if (waiting > 0) return { state: 'waiting', waiting };
  if (state === 'acting') return { state, waiting };
  return { state: agents.length === 0 ? 'idle' : 'watching', waiting };
}
