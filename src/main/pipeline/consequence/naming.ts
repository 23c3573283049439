/** Which consequence a name promises. Pure. */
import { PAYMENT_FIELDS, TERMS } from './words.js';
import type { Kind, Terms } from './words.js';

/** A longer name is a sentence or a headline: only how it begins counts. */
const LONGEST_NAME = 8;
const LONGEST_UNSPACED = 16;

/** One spelling for all: no case, no accents, no dotless i, whatever the locale of this process. */
export function plainLetters(text: string): string {
  const lower = text.normalize('NFKC').toLowerCase().normalize('NFD');
  return lower
    .replaceAll(/\p{M}/gu, '')
    .normalize('NFC')
    .replaceAll('ı', 'i')
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l');
}

/** Words as people see them; `sendButton`, `mail-send` and `btn_send` fall into theirs as well. */
function tokens(name: string): string[] {
  const apart = name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll(/[_-]/g, ' ');
  return plainLetters(apart).match(/[\p{L}\p{N}]+/gu) ?? [];
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

interface Table {
  kind: Kind;
  spaced: Record<keyof Terms, string[][]>;
  unspaced: Record<keyof Terms, string[]>;
}

const apart = (list: readonly string[]): string[][] => list.filter((term) => !UNSPACED.test(term)).map(tokens);
const glued = (list: readonly string[]): string[] =>
  list.filter((term) => UNSPACED.test(term)).map((term) => tokens(term).join(''));

const TABLES: readonly Table[] = [...TERMS].map(([kind, { any, first, whole }]) => ({
  kind,
  spaced: { any: apart(any), first: apart(first), whole: apart(whole) },
  unspaced: { any: glued(any), first: glued(first), whole: glued(whole) },
}));

/** null: this name promises nothing of the kind. `brief`: what holds the name may be a mere text, so it has to be short and begin with it. */
export function kindNamed(name: string, brief = false): Kind | null {
  const said = tokens(name);
  if (said.length === 0) return null;
  const unspaced = said.join('');
  const only = brief || said.length > LONGEST_NAME;
  if (brief && said.length > 3) return null;
  const found = TABLES.find(
    ({ spaced, unspaced: list }) =>
      spaced.any.some((term) => (only ? startsWith(said, term) : holds(said, term))) ||
      spaced.first.some((term) => startsWith(said, term)) ||
      spaced.whole.some((term) => term.length === said.length && startsWith(said, term)) ||
      list.any.some((term) => inUnspaced(unspaced, term)) ||
      list.whole.includes(unspaced),
  );
  return found?.kind ?? null;
}

const startsWith = (said: readonly string[], term: readonly string[]): boolean =>
  term.every((word, index) => said[index] === word);

const holds = (said: readonly string[], term: readonly string[]): boolean =>
  said.some((_word, start) => startsWith(said.slice(start), term));

/** No spaces tell where a word ends: in a long text only its beginning and its end count. */
const inUnspaced = (text: string, term: string): boolean =>
  text.length <= LONGEST_UNSPACED ? text.includes(term) : text.startsWith(term) || text.endsWith(term);

/** Whether a field with this label, or this name in the page's source, takes what a payment needs. */
export function isPaymentField(label: string): boolean {
  const said = tokens(label);
  const unspaced = said.join('');
  return PAYMENT_FIELDS.some((field) =>
    UNSPACED.test(field) ? unspaced.includes(tokens(field).join('')) : holds(said, tokens(field)),
  );
}

/** Whether it is the number of a payment card, by its length and check digit: not every field says what it takes. */
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

/** Whether it names a sum of money. */
export const isAmount = (text: string): boolean => AMOUNT.test(text);
