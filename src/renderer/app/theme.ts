/** Light, dark, or as the system is. Put on the page before anything is drawn. */
import { kept } from '../ui/kept.js';

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export const theme = kept('theme', THEMES);

export function showTheme(chosen: Theme | null): void {
  if (chosen === null) delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = chosen;
}
