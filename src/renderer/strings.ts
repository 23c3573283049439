/** Every sentence the page says, in the person's language. Chosen once, before anything is drawn. */
import { storedChoice } from './ui/browser-storage.js';
import {
  createFormatter,
  english,
  isCode,
  LANGUAGES,
  languageFor,
  languageOf,
  type Catalogue,
  type Formatter,
  type Language,
  type Message,
} from '../messages/index.js';

interface LoadedLanguage {
  language: Language;
  catalogue: Catalogue;
}

const ENGLISH: LoadedLanguage = { language: 'en', catalogue: english };
/** Only the one that is wanted is fetched. Nothing is drawn before it is there. */
const LOADERS: Record<Language, () => Promise<LoadedLanguage>> = {
  en: () => Promise.resolve(ENGLISH),
  de: () => import('../messages/de.json').then(({ default: catalogue }) => ({ language: 'de', catalogue })),
  zh: () => import('../messages/zh.json').then(({ default: catalogue }) => ({ language: 'zh', catalogue })),
};

/** As languages call themselves. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch', zh: '简体中文' };

/** What the person chose in this browser; null: as the browser is set. */
export const storedLanguage = storedChoice('language', LANGUAGES);

/** The wanted way to write numbers and times in that language: `en-GB` for English where that is wanted. */
export function localeFor(chosen: Language, wanted: readonly string[]): string {
  return wanted.find((tag) => languageOf(tag) === chosen) ?? { en: 'en-US', de: 'de-DE', zh: 'zh-CN' }[chosen];
}

const wanted: readonly string[] = typeof navigator === 'undefined' ? [] : navigator.languages;

/** A page that cannot have its language speaks English rather than not at all. */
const chosen = await LOADERS[storedLanguage.read() ?? languageFor(wanted)]().catch(() => ENGLISH);

export const currentLanguage: Language = chosen.language;
export const locale: string = localeFor(currentLanguage, wanted);
export const formatter: Formatter = createFormatter(chosen.catalogue, locale);
/** A message of the host's, in the same language. */
export const say: Formatter['format'] = formatter.format;
/** A sentence of the page's own. */
export const t: Formatter['text'] = formatter.text;
/** The same, without parameters, for a code put together from what the host sent; null where there is none. */
export const textIfKnown = (code: `page.${string}`): string | null => (isCode(code) ? say({ code, params: {} }) : null);
/** What the host says in place of a person's No; null for the person's own words. */
export function sayRefusal(message: Message): string | null {
  return message.code === 'verbatim' ? null : say(message);
}
