/** All languages at once. Not for the page, which fetches only the person's. */
import de from './de.json' with { type: 'json' };
import { english, type Code } from './english.js';
import { createFormatter, inEnglish, type Catalogue, type Formatter } from './formatter.js';
import { languageFor, type Language } from './languages.js';
import zh from './zh.json' with { type: 'json' };

const FORMATTERS: Readonly<Record<Language, () => Formatter>> = {
  en: () => inEnglish,
  de: () => createFormatter(de, 'de-DE'),
  zh: () => createFormatter(zh, 'zh-CN'),
};

export const formatterFor = (wanted: readonly string[]): Formatter => FORMATTERS[languageFor(wanted)]();

const CATALOGUES: Readonly<Record<Language, Catalogue>> = { en: english, de, zh };

/** A text in every language, as the catalogues have it. */
export const everyText = (code: Code): string[] =>
  Object.values(CATALOGUES).flatMap((catalogue) => catalogue[code] ?? []);
