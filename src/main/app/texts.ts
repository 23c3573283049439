/** Texts of the app outside the page: tray, menu, notifications, dialogs. */
import { createFormatter, inEnglish, LANGUAGES, type Formatter, type Language } from '../../messages/index.js';
import de from '../../messages/de.json' with { type: 'json' };
import zh from '../../messages/zh.json' with { type: 'json' };
import type { TrayStatus } from './tray-status.js';

const FORMATTERS: Readonly<Record<Language, () => Formatter>> = {
  en: () => inEnglish,
  de: () => createFormatter(de, 'de-DE'),
  zh: () => createFormatter(zh, 'zh-CN'),
};

/** The first of the person's languages there is; English otherwise. */
export function formatterFor(wanted: readonly string[]): Formatter {
  for (const tag of wanted) {
    const language = LANGUAGES.find((one) => one === tag.toLowerCase().split('-')[0]);
    if (language !== undefined) return FORMATTERS[language]();
  }
  return inEnglish;
}

export const stateText = (words: Formatter, { state, waiting }: TrayStatus): string =>
  state === 'waiting' ? words.text('app.state.waiting', { waiting }) : words.text(`app.state.${state}`);
