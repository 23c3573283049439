/** All languages at once. Not for the page, which fetches only the person's. */
import de from './de.json' with { type: 'json' };
import { createFormatter, inEnglish, type Formatter } from './formatter.js';
import { languageFor, type Language } from './languages.js';
import zh from './zh.json' with { type: 'json' };

const FORMATTERS: Readonly<Record<Language, () => Formatter>> = {
  en: () => inEnglish,
  de: () => createFormatter(de, 'de-DE'),
  zh: () => createFormatter(zh, 'zh-CN'),
};

export const formatterFor = (wanted: readonly string[]): Formatter => FORMATTERS[languageFor(wanted)]();
