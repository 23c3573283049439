/** Derives consequences from names of controls and pages, by the table in `verbs.json`. Pure. */
import { plainDigits, readingsOf, wordsOf } from './fold.js';
import type { ConsequenceKind } from '../../approvals/plan.js';
import table from './verbs.json' with { type: 'json' };

const KINDS = ['pay', 'buy', 'delete', 'sign', 'send', 'authorize'] as const;
type List = (typeof KINDS)[number] | 'not' | 'plain' | 'context' | 'fields';

/** A longer name is a sentence or a headline, of which only the beginning counts. */
const MAX_NAME_WORDS = 8;
const MAX_BRIEF_WORDS = 3;
const MAX_UNSPACED_LENGTH = 16;
const MIN_SPLIT_LENGTH = 4;
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;

interface Term {
  words: readonly string[];
  /** Anywhere in the name, at its beginning, or the whole of it. */
  at: 'any' | 'first' | 'whole';
  /** The last word may go on. */
  open: boolean;
  /** More words must follow. */
  more: boolean;
}

interface TermList {
  byFirstWord: ReadonlyMap<string, readonly Term[]>;
  /** One word that may go on. */
  stems: readonly Term[];
  unspaced: readonly { text: string; whole: boolean }[];
}

function parseTerm(text: string): Term {
  const at = text.startsWith('^') ? 'first' : text.startsWith('=') ? 'whole' : 'any';
  const more = text.endsWith(' *');
  const open = !more && text.endsWith('*');
  return { words: wordsOf(text.replace(/^[\^=]/u, '').replaceAll('*', '')), at, open, more };
}

function parseList(texts: readonly string[]): TermList {
  const spaced = texts.filter((one) => !UNSPACED.test(one)).map(parseTerm);
  const unspaced = texts
    .filter((one) => UNSPACED.test(one))
    .map((one) => ({ text: wordsOf(one).join(''), whole: one.startsWith('=') }));
  const stems = spaced.filter(({ words, open }) => open && words.length === 1);
  const byFirstWord = new Map<string, Term[]>();
  for (const term of spaced.filter((one) => !stems.includes(one))) {
    const [first = ''] = term.words;
    byFirstWord.set(first, [...(byFirstWord.get(first) ?? []), term]);
  }
  return { byFirstWord, stems, unspaced };
}

const lists = new Map<List, TermList>();

/** Parsed when first used. */
function listOf(name: List): TermList {
  const known = lists.get(name);
  if (known !== undefined) return known;
  const languages: Readonly<Record<string, string>>[] = Object.values(table.languages);
  const texts = name === 'fields' ? [table.fields] : languages.map((language) => language[name] ?? '');
  const terms = texts.flatMap((text) => text.split(',').map((one) => one.trim()));
  const parsed = parseList(terms.filter((one) => one !== ''));
  lists.set(name, parsed);
  return parsed;
}

function fitsAt({ words, at, open, more }: Term, name: readonly string[], start: number, onlyFirst: boolean): boolean {
  if ((at !== 'any' || onlyFirst) && start > 0) return false;
  if (at === 'whole' && words.length !== name.length) return false;
  if (more && start + words.length >= name.length) return false;
  const last = words.length - 1;
  return words.every((word, index) => {
    const found = name[start + index];
    return found === word || (open && index === last && found?.startsWith(word) === true);
  });
}

/** For scripts without spaces; in a long text only the beginning and the end count. */
function inUnspaced(name: string, { text, whole }: TermList['unspaced'][number]): boolean {
  if (whole) return name === text;
  return name.length <= MAX_UNSPACED_LENGTH ? name.includes(text) : name.startsWith(text) || name.endsWith(text);
}

/** Without the words of everyday things: a whole name where the script has spaces, else wherever they are. */
function withoutEverydayWords(words: readonly string[]): readonly string[] {
  const { byFirstWord, unspaced } = listOf('not');
  const compact = words.join('');
  const everyday = unspaced.filter(({ text }) => compact.includes(text));
  if (everyday.length > 0) return [everyday.reduce((name, { text }) => name.replaceAll(text, ' '), compact)];
  const whole = byFirstWord.get(words[0] ?? '')?.some((term) => fitsAt({ ...term, at: 'whole' }, words, 0, true));
  return whole === true ? [] : words;
}

function contains({ byFirstWord, stems, unspaced }: TermList, words: readonly string[], onlyFirst: boolean): boolean {
  const compact = words.join('');
  return (
    words.some(
      (word, start) =>
        byFirstWord.get(word)?.some((term) => fitsAt(term, words, start, onlyFirst)) === true ||
        stems.some((term) => fitsAt(term, words, start, onlyFirst)),
    ) || unspaced.some((term) => inUnspaced(compact, term))
  );
}

/** One word that is written in pieces, as in `De lete`. */
function isSplitWord({ byFirstWord }: TermList, words: readonly string[]): boolean {
  const letters = words.filter((word) => !/^[\d\p{N}]+$/u.test(word));
  const compact = letters.join('');
  if (letters.length < 2 || compact.length < MIN_SPLIT_LENGTH) return false;
  return byFirstWord.get(compact)?.some((term) => term.words.length === 1 && !term.more) === true;
}

/**
 * null: no consequence. `brief`: the element may be plain text or data, so the name must be short and begin with the term.
 */
export function kindNamed(name: string, brief = false): ConsequenceKind | null {
  const readings = readingsOf(name)
    .filter((words) => !brief || words.length <= MAX_BRIEF_WORDS)
    .map(withoutEverydayWords);
  const found = KINDS.find((kind) =>
    readings.some(
      (words) =>
        contains(listOf(kind), words, brief || words.length > MAX_NAME_WORDS) ||
        (words.length <= MAX_NAME_WORDS && isSplitWord(listOf(kind), words)),
    ),
  );
  return found ?? null;
}

const PLAIN_SIGNS = /^[\s\p{Sm}\p{P}^←↑→↓↔▲▼◀▶△▽◁▷☰⋮⋯°✕✖╳]+$/u;

/** False for a picture alone and for a character of the page's own font; digits, arrows and signs of arithmetic are names. */
export const isName = (text: string): boolean => /[\p{L}\p{N}]/u.test(text) || PLAIN_SIGNS.test(text);

/** A press on a control with this name has no consequences, in whatever page or window. */
export const isPlainName = (name: string): boolean =>
  readingsOf(name).some((words) => words.length <= MAX_NAME_WORDS && contains(listOf('plain'), words, true));

/** A title, heading or address of a page that is about payment, an account, deleting or publishing. */
export const namesContext = (text: string): boolean =>
  readingsOf(text).some((words) => contains(listOf('context'), words, words.length > 2 * MAX_NAME_WORDS)) ||
  kindNamed(text) !== null;

/** Whether a field with this label or source name takes payment data. */
export const isPaymentField = (label: string): boolean =>
  readingsOf(label).some((words) => contains(listOf('fields'), words, false));

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

const CURRENCY = String.raw`\p{Sc}|(?<![\p{L}])(?:USD|EUR|GBP|CHF|JPY|CNY|RMB|KRW|RUB|PLN|TRY|SEK|NOK|DKK|CZK|HUF|BRL|MXN|INR|CAD|AUD|NZD|SGD|HKD|TWD|PHP|MYR|IDR|THB|VND|ZAR|NGN|KES|EGP|AED|SAR|ILS|UAH|RON|BGN|PKR|BDT|BTC|ETH|USDT|euros?|dollars?|pounds?|rupees?|yen|yuan|Rs\.?|Rp\.?|RM|TL|kr|Kč|Ft|lei)(?![\p{L}])|zł|руб|грн|лв|[元円원块塊]|บาท|ریال|تومان|درهم|جنيه|ر\.س|د\.إ`;
const NUMBER = String.raw`\d(?:[\d.,'’\u00A0\u202F ]*\d)?`;
const AMOUNT = new RegExp(`(?:${CURRENCY})\\s?${NUMBER}|${NUMBER}\\s?(?:${CURRENCY})`, 'iu');

/** Whether the text contains an amount of money. */
export const isAmount = (text: string): boolean => AMOUNT.test(plainDigits(text));
