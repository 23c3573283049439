/** Folds what a person reads as the same word to the same letters. Pure. */
import alike from './confusables.json' with { type: 'json' };

/** Characters that show nothing: format characters, variation selectors, tags, fillers. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\uFFFC]/gu;
/** Marks that are vowels or consonants of their script; all others are dropped. */
const LETTER_MARKS = /[\p{sc=Deva}\p{sc=Beng}\p{sc=Gujr}\p{sc=Guru}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\u3099\u309A]/u; // prettier-ignore
const MARKED_WITHOUT_MEANING = /([\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Han}])\p{M}+/gu;
const SMALL_CAPITALS = 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡxʏᴢ';
/** First code points of alphabets that compatibility folding leaves as symbols: squared, circled and regional letters. */
const SYMBOL_ALPHABETS = [0x1f130, 0x1f150, 0x1f170, 0x1f1e6];
const LEET: Readonly<Record<string, string>> = { 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', '@': 'a', $: 's', '€': 'e', '!': 'i' }; // prettier-ignore
const BESIDE_LETTER = /(?<=\p{L})[34578@$€!]|[34578@$€!](?=\p{L})/gu;

/** Pictures that stand for a word on a control. */
const SIGNS: Readonly<Record<string, string>> = { '🗑': 'delete', '🚮': 'delete', '💳': 'pay', '💸': 'pay', '📤': 'send', '📨': 'send', '✈': 'send', '➤': 'send' }; // prettier-ignore
const SIGN = new RegExp(Object.keys(SIGNS).join('|'), 'gu');
const inWords = (text: string): string => text.replaceAll(SIGN, (sign) => ` ${SIGNS[sign] ?? ''} `);

/** Characters that are drawn like a letter. */
const STROKES: Readonly<Record<string, string>> = { '1': 'l', '0': 'o', '|': 'l' };
const inLetters = (like: string): string => [...like].map((one) => STROKES[one] ?? one).join('');
/** Prototypes by UTS #39, with `1` and `0` as letters. */
const PROTOTYPES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(STROKES),
  ...Object.entries(alike).flatMap(([like, characters]) =>
    [...characters].map((one) => [one, inLetters(like)] as const),
  ),
]);

const skeleton = (text: string): string => [...text].map((one) => PROTOTYPES.get(one) ?? one).join('');

function plainSymbol(symbol: string): string {
  const small = SMALL_CAPITALS.indexOf(symbol);
  if (small >= 0) return String.fromCharCode(97 + small);
  const code = symbol.codePointAt(0) ?? 0;
  const first = SYMBOL_ALPHABETS.find((one) => code >= one && code < one + 26);
  return first === undefined ? symbol : String.fromCharCode(97 + code - first);
}

const dropMarks = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(MARKED_WITHOUT_MEANING, '$1')
    .replaceAll(/\p{M}/gu, (mark) => (LETTER_MARKS.test(mark) ? mark : ''))
    .normalize('NFC');

/** Without case and accents, in any locale. */
export const plainLetters = (text: string): string =>
  dropMarks(text.normalize('NFKC').toLowerCase()).replaceAll('ı', 'i').replaceAll('ß', 'ss').replaceAll('ł', 'l');

/** Case, accents, look-alikes, and the letters that are drawn as one stroke. */
export function foldLetters(text: string): string {
  const lower = [...text.normalize('NFKC').toLowerCase()].map(plainSymbol).join('').replaceAll('ß', 'ss');
  const plain = dropMarks(skeleton(dropMarks(lower))).toLowerCase();
  return plain.replaceAll(/[iı]/gu, 'l');
}

const apart = (text: string): string => text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll(/[_\p{Pd}]/gu, ' ');

/** As shown where an override turns the direction of the text around. */
const asShown = (text: string): string =>
  text.replaceAll(/\u202E([^\u202C]*)\u202C?/gu, (_all, turned: string) => [...turned].reverse().join(''));

const unleet = (text: string): string =>
  text.replaceAll(BESIDE_LETTER, (sign) => LEET[sign] ?? sign).replaceAll(BESIDE_LETTER, (sign) => LEET[sign] ?? sign);

/** Words that are spelled letter by letter, as in `P a y` and `p.a.y`, become one. */
function joinLetters(words: readonly string[]): string[] {
  const joined: string[] = [];
  let spelled = false;
  for (const word of words) {
    const single = [...word].length === 1;
    if (single && spelled) joined.push((joined.pop() ?? '') + word);
    else joined.push(word);
    spelled = single;
  }
  return joined;
}

/** The words of a text after folding. */
export const wordsOf = (text: string): string[] => joinLetters(foldLetters(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []);

/** All ways in which a person may read the words of a name; most names have one. */
export function readingsOf(name: string): string[][] {
  const words = inWords(name);
  const shown = words.includes('\u202E') ? [words, asShown(words)] : [words];
  const seen = shown.flatMap((one) => [one.replaceAll(UNSEEN, ''), one.replaceAll(UNSEEN, ' ')]);
  const cased = [...new Set(seen)].flatMap((one) => [one, apart(one), skeleton(one)]);
  const all = [...new Set(cased)].flatMap((one) => [wordsOf(one), wordsOf(unleet(one))]);
  return [...new Map(all.map((one) => [one.join(' '), one])).values()].filter((one) => one.length > 0);
}

/** Digits of any script as ASCII digits. */
export function plainDigits(text: string): string {
  return text.normalize('NFKC').replaceAll(/\p{Nd}/gu, (digit) => {
    let value = 0;
    const code = digit.codePointAt(0) ?? 0;
    while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
    return String(value);
  });
}
