/** Light, dark, or as the system is set. Applied before anything is rendered. */
import { storedChoice } from '../ui/browser-storage.js';

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export const storedTheme = storedChoice('theme', THEMES);

export function applyTheme(chosen: Theme | null): void {
  if (chosen === null) delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = chosen;
}
