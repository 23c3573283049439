/** Derives consequences from names of controls. Pure. */
import { PAYMENT_FIELDS, TERMS, type ConsequenceKind, type Terms } from './terms.js';

/** A longer name is a sentence or a headline, of which only the beginning counts. */
const MAX_NAME_WORDS = 8;
const MAX_UNSPACED_LENGTH = 16;

/** Normalizes case, accents and dotless i, independent of the locale of this process. */
export function plainLetters(text: string): string {
  const lower = text.normalize('NFKC').toLowerCase().normalize('NFD');
  return lower
    .replaceAll(/\p{M}/gu, '')
    .normalize('NFC')
    .replaceAll('ı', 'i')
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l');
}

/** Splits a name into words, also `sendButton`, `mail-send` and `btn_send`. */
function tokens(name: string): string[] {
  const separated = name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll(/[_-]/g, ' ');
  return plainLetters(separated).match(/[\p{L}\p{N}]+/gu) ?? [];
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

interface Table {
  kind: ConsequenceKind;
  spaced: Record<keyof Terms, string[][]>;
  unspaced: Record<keyof Terms, string[]>;
}

const spacedTerms = (list: readonly string[]): string[][] => list.filter((term) => !UNSPACED.test(term)).map(tokens);
const unspacedTerms = (list: readonly string[]): string[] =>
  list.filter((term) => UNSPACED.test(term)).map((term) => tokens(term).join(''));

const TABLES: readonly Table[] = [...TERMS].map(([kind, { any, first, whole }]) => ({
  kind,
  spaced: { any: spacedTerms(any), first: spacedTerms(first), whole: spacedTerms(whole) },
  unspaced: { any: unspacedTerms(any), first: unspacedTerms(first), whole: unspacedTerms(whole) },
}));

/** null: no consequence. `brief`: the element may be plain text, so the name must be short and begin with the term. */
export function kindNamed(name: string, brief = false): ConsequenceKind | null {
  const words = tokens(name);
  if (words.length === 0) return null;
  const unspaced = words.join('');
  const only = brief || words.length > MAX_NAME_WORDS;
  if (brief && words.length > 3) return null;
  const found = TABLES.find(
    ({ spaced, unspaced: list }) =>
      spaced.any.some((term) => (only ? startsWith(words, term) : containsPhrase(words, term))) ||
      spaced.first.some((term) => startsWith(words, term)) ||
      spaced.whole.some((term) => term.length === words.length && startsWith(words, term)) ||
      list.any.some((term) => inUnspaced(unspaced, term)) ||
      list.whole.includes(unspaced),
  );
  return found?.kind ?? null;
}

const startsWith = (words: readonly string[], term: readonly string[]): boolean =>
  term.every((word, index) => words[index] === word);

const containsPhrase = (words: readonly string[], term: readonly string[]): boolean =>
  words.some((_word, start) => startsWith(words.slice(start), term));

/** For scripts without spaces; in a long text only the beginning and the end count. */
const inUnspaced = (text: string, term: string): boolean =>
  text.length <= MAX_UNSPACED_LENGTH ? text.includes(term) : text.startsWith(term) || text.endsWith(term);

/** Whether a field with this label or source name takes payment data. */
export function isPaymentField(label: string): boolean {
  const words = tokens(label);
  const unspaced = words.join('');
  return PAYMENT_FIELDS.some((field) =>
    UNSPACED.test(field) ? unspaced.includes(tokens(field).join('')) : containsPhrase(words, tokens(field)),
  );
}

/** Whether it is a payment card number, by length and check digit; not every field has a telling label. */
export function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/[ -]/g, '');
  if (!/^\d{13,19}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum > 0 && sum % 10 === 0;
}

const CURRENCY = String.raw`[$€£¥₹₩₽₺₴₫฿₪₱₿]|\b(?:USD|EUR|GBP|CHF|JPY|CNY|RMB|KRW|RUB|PLN|TRY|SEK|NOK|DKK|CZK|HUF|BRL|MXN|INR|CAD|AUD|BTC|ETH)\b|zł|руб|[元円원]|\bTL\b|\bkr\b`;
const NUMBER = String.raw`\d(?:[\d.,'’\u00A0\u202F ]*\d)?`;
const AMOUNT = new RegExp(`(?:${CURRENCY})\\s?${NUMBER}|${NUMBER}\\s?(?:${CURRENCY})`, 'iu');

/** Whether the text contains an amount of money. */
export const isAmount = (text: string): boolean => AMOUNT.test(text);
