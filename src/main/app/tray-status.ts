import type { Formatter } from '../../messages/index.js';
import type { MenubarHost } from '../host/index.js';

export type TrayState = 'idle' | 'watching' | 'acting' | 'waiting' | 'paused' | 'missing';

export interface TrayStatus {
  state: TrayState;
  /** Waiting requests, or where there are none, waiting questions. */
  waiting: number;
}

/** The state of the tray icon. Missing permissions and a pause take precedence over what waits. */
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

export const stateText = (words: Formatter, { state, waiting }: TrayStatus): string =>
  state === 'waiting' ? words.text('app.state.waiting', { waiting }) : words.text(`app.state.${state}`);
