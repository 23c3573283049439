/** Every sentence the page says, in the person's language. Chosen once, before anything is drawn. */
import { en } from './words/en.js';

export type Words = typeof en;

const LANGUAGES: ReadonlyMap<string, Words> = new Map([['en', en]]);

/** The first of the wanted languages there is, e.g. `de-AT` is `de`; English otherwise. */
export function wordsFor(wanted: readonly string[]): Words {
  const found = wanted.map((tag) => LANGUAGES.get(tag.toLowerCase().split('-')[0] ?? '')).find((words) => words);
  return found ?? en;
}

export const strings: Words = wordsFor(typeof navigator === 'undefined' ? [] : navigator.languages);
