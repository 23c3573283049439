/** What the app says outside the page: tray, menu, notifications, boxes. */
import { englishTitle, textOfTitle } from '../../protocol/index.js';
import type { Effect } from '../../protocol/index.js';

/** Of a request, made harmless. */
export interface Told {
  /** The host's, in English. */
  verb: string;
  target: string | null;
  app: string | null;
  place: string | null;
  tool: string;
}

export const en = {
  state: {
    idle: (): string => 'No agents',
    watching: (): string => 'Watching',
    acting: (): string => 'Acting',
    waiting: (count: number): string => `Waiting for you, ${count}`,
    paused: (): string => 'Paused',
    missing: (): string => 'A permission is missing',
  },
  menu: {
    open: 'Open Chaperone',
    browser: 'Open in browser',
    stop: (hotkey: string | null): string => (hotkey === null ? 'Stop everything' : `Stop everything (${hotkey})`),
    pause: 'Pause agents',
    resume: 'Let agents go on',
    logs: 'Open log folder',
    login: 'Launch at login',
    quit: 'Quit Chaperone',
  },
  alert: {
    wants: (agent: string): string => `${agent} wants to`,
    body: (told: Told, _effect: Effect): string => textOfTitle(englishTitle(told, told.tool)),
    asks: (agent: string): string => `${agent} asks you`,
    paired: 'A page was paired',
    pairedText: (browser: string | null): string =>
      `${browser === null ? '' : `Opened by ${browser}. `}It can allow what agents ask for. If it is not yours, unpair it in Settings.`,
    broken: 'The Chaperone popover stopped working',
    brokenText: 'Agents go on waiting. Open it from the menu bar to try again, or use Open in browser.',
    login: 'Launch at login could not be changed',
    ended: 'Chaperone had to end',
    endedText: 'What waited was denied. Its log says why.',
  },
  failed: 'Chaperone could not start',
};

export type Words = typeof en;
