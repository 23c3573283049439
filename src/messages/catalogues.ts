/** All languages at once. Not for the page, which fetches only the person's. */
import de from './de.json' with { type: 'json' };
import { createFormatter, inEnglish, type Formatter } from './formatter.js';
import { LANGUAGES, type Language } from './languages.js';
import zh from './zh.json' with { type: 'json' };

const FORMATTERS: Readonly<Record<Language, () => Formatter>> = {
  en: () => inEnglish,
  de: () => createFormatter(de, 'de-DE'),
  zh: () => createFormatter(zh, 'zh-CN'),
};

/** For the first of the person's languages there is; English otherwise. */
export function formatterFor(wanted: readonly string[]): Formatter {
  for (const tag of wanted) {
    const language = LANGUAGES.find((one) => one === tag.toLowerCase().split('-')[0]);
    if (language !== undefined) return FORMATTERS[language]();
  }
  return inEnglish;
}
