import type { MenubarHost } from '../host/index.js';

export type TrayState = 'idle' | 'watching' | 'acting' | 'waiting' | 'paused' | 'missing';

export interface TrayStatus {
  state: TrayState;
  /** Requests that wait for the person, or where there are none, questions: as the page counts. */
  waiting: number;
}

/** What the tray icon says. Without permissions nothing works, and a pause is the person's own word; both win over what waits. */
export function trayStatus(menubar: Pick<MenubarHost, 'status' | 'health' | 'cards' | 'questions'>): TrayStatus {
  const { state, agents } = menubar.status();
  const waiting = menubar.cards().length || menubar.questions().length;
  const permissions = Object.values(menubar.health()?.permissions ?? {});
  if (permissions.some((one) => one === 'missing' || one === 'stale')) return { state: 'missing', waiting };
  if (state === 'paused') return { state, waiting };
  if (waiting > 0) return { state: 'waiting', waiting };
  if (state === 'acting') return { state, waiting };
  return { state: agents.length === 0 ? 'idle' : 'watching', waiting };
}
