/** What several processes of Electron on one machine share, and what a test may look at. */
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright';
import type { AppStandIn } from './app.js';

export interface Machine {
  /** Real Chromium behind every window; none where a test opens no window. */
  browser: Browser | null;
  /** Who holds which `userData`. */
  locks: Map<string, AppStandIn>;
  dark: boolean;
  /** What the keychain keeps for the app; null where it gives nothing. */
  keychain: string | null;
  /** Whose signature this app has; null without one. */
  team: string | null;
  /** The button that the person presses in a message. */
  answer: string;
  /** What the person has switched on for the app. */
  allowed: { accessibility: boolean; screenRecording: boolean };
}

export function createMachine(browser: Browser | null): Machine {
  return {
    browser,
    locks: new Map(),
    dark: false,
    keychain: randomUUID(),
    team: 'TEAM1',
    answer: 'Cancel',
    allowed: { accessibility: false, screenRecording: false },
  };
}
