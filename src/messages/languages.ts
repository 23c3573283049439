/** The languages of which there is a catalogue. */
export const LANGUAGES = ['en', 'de', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language of a tag (`de-AT`) or locale (`de_AT.UTF-8`); null without a catalogue of it. */
export function languageOf(tag: string): Language | null {
  const code = tag.toLowerCase().split(/[-_.@]/)[0];
  return LANGUAGES.find((one) => one === code) ?? null;
}

/** The first of the wanted languages that has a catalogue; else English. */
export function languageFor(wanted: readonly string[]): Language {
  return wanted.map(languageOf).find((found) => found !== null) ?? 'en';
}
