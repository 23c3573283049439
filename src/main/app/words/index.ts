import { de } from './de.js';
import { en } from './en.js';
import { zh } from './zh.js';
import type { Words } from './en.js';

const LANGUAGES: ReadonlyMap<string, Words> = new Map([
  ['en', en],
  ['de', de],
  ['zh', zh],
]);

/** The first of the person's languages there is; English otherwise. */
export function wordsFor(wanted: readonly string[]): Words {
  for (const tag of wanted) {
    const words = LANGUAGES.get(tag.toLowerCase().split('-')[0] ?? '');
    if (words !== undefined) return words;
  }
  return en;
}
