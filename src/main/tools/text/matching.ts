/** Finds words in recognised text. Pure. */
import { boundingBox } from '../../../base/rect.js';
import type { TextLine, Word } from '../../../native/ocr/index.js';
import type { Rect } from '../../../native/desktop.js';

export interface TextMatch {
  /** The text as recognised. */
  text: string;
  frame: Rect;
  /** Lowest confidence of its words, 0 to 100. */
  confidence: number;
}

/** One letter of a line. Spaces are ignored, because recognition adds and loses them. */
interface Letter {
  /** Normalized for comparison; may have more than one character. */
  plain: string;
  word: number;
  at: number;
}

/** Matches in any case and inside words; `exact`: whole words in the same case. In reading order; frames cover the matched letters only. */
export function matchesIn(lines: readonly TextLine[], wanted: string, exact: boolean): TextMatch[] {
  const query = [...wanted.normalize('NFC')]
    .map((letter) => normalizeLetter(letter, exact))
    .join('')
    .replaceAll(/\s/gu, '');
  return query === '' ? [] : lines.flatMap((line) => matchesInLine(line, query, exact));
}

function matchesInLine({ words }: TextLine, query: string, exact: boolean): TextMatch[] {
  const letters = words.flatMap(({ text }, word) =>
    [...text.normalize('NFC')].map((letter, at): Letter => ({ plain: normalizeLetter(letter, exact), word, at })),
  );
  const text = letters.map((letter) => letter.plain).join('');
  const owners = letters.flatMap((letter, index) => Array<number>(letter.plain.length).fill(index));
  const found: TextMatch[] = [];
  for (let start = text.indexOf(query); start >= 0; start = text.indexOf(query, start + 1)) {
    const [from, to] = [owners[start] ?? -1, owners[start + query.length - 1] ?? -1];
    const [first, last] = [letters[from], letters[to]];
    if (first === undefined || last === undefined) continue;
    if (exact && (isInside(letters[from - 1], first) || isInside(letters[to + 1], last))) continue;
    found.push(matchOf(words, first, last));
    start += query.length - 1;
  }
  return found;
}

/** Whether `neighbour` belongs to the same word. */
function isInside(neighbour: Letter | undefined, letter: Letter): boolean {
  return neighbour?.word === letter.word && /[\p{L}\p{N}_]/u.test(neighbour.plain);
}

function matchOf(words: readonly Word[], first: Letter, last: Letter): TextMatch {
  const touched = words.slice(first.word, last.word + 1);
  const parts = touched.map(({ text, frame }, index) => {
    const letters = [...text.normalize('NFC')];
    const from = index === 0 ? first.at : 0;
    const to = index === touched.length - 1 ? last.at + 1 : letters.length;
    return {
      text: letters.slice(from, to).join(''),
      frame: cropRect(frame, from / letters.length, to / letters.length),
    };
  });
  return {
    text: parts.map(({ text }) => text).join(' '),
    frame: boundingBox(parts.map(({ frame }) => frame)),
    confidence: Math.round(Math.min(...touched.map(({ confidence }) => confidence))),
  };
}

const cropRect = ({ x, y, width, height }: Rect, from: number, to: number): Rect => ({
  x: x + width * from,
  y,
  width: width * (to - from),
  height,
});

/** Maps variants of quotes, dashes and similar letters to one form. */
function normalizeLetter(letter: string, exact: boolean): string {
  const one = letter
    .replace(/[‘’‚`´]/u, "'")
    .replace(/[“”„«»]/u, '"')
    .replace(/[‐-―−]/u, '-')
    .replace('…', '...');
  return exact ? one : one.toLowerCase();
}
