/** What recognition answers, as lines of words where they are in the capture. Pure. */
import { boundingBox } from '../../base/rect.js';
import * as z from 'zod';
import type { Capture, Rect } from '../desktop.js';

export interface Word {
  text: string;
  /** Points, global. */
  frame: Rect;
  /** 0 to 100. */
  confidence: number;
}

/** Words that stand together. */
export interface TextLine {
  text: string;
  frame: Rect;
  words: Word[];
}

const box = z.object({ x0: z.number(), y0: z.number(), x1: z.number(), y1: z.number() });
const word = z.object({ text: z.string(), confidence: z.number(), bbox: box });
const paragraph = z.object({ lines: z.array(z.object({ words: z.array(word) })) });
export const recognitionSchema = z.object({ blocks: z.array(z.object({ paragraphs: z.array(paragraph) })).nullable() });
export type RecognitionResult = z.infer<typeof recognitionSchema>;
export type RecognizedWord = z.infer<typeof word>;

/** Lines of words, in pixels of the picture before it was enlarged by `zoom`. */
export function wordsOf({ blocks }: RecognitionResult, zoom: number): RecognizedWord[][] {
  const lines = (blocks ?? []).flatMap((block) => block.paragraphs).flatMap((one) => one.lines);
  return lines.map(({ words }) =>
    words.filter(isText).map(({ text, confidence, bbox: { x0, y0, x1, y1 } }) => ({
      text: text.trim(),
      confidence,
      bbox: { x0: x0 / zoom, y0: y0 / zoom, x1: x1 / zoom, y1: y1 / zoom },
    })),
  );
}

/** Words with less confidence are noise. Words without letters or digits need more, because icons and borders are recognised as such. */
const MIN_CONFIDENCE = { letters: 30, signs: 55 };
/** Gaps between words, in heights of the word: above `line` a new line begins, below `none` the words are joined. */
const GAP_HEIGHTS = { line: 1.2, none: 0.12 };

/** The words of one picture, and where that begins. */
export interface PlacedWords {
  lines: readonly RecognizedWord[][];
  left: number;
  top: number;
}

/** Top to bottom, then left to right. `scaleX`, `scaleY`: pixels of the recognised picture per pixel of the capture. */
export function recognizedLines(
  read: readonly PlacedWords[],
  { origin, scale }: Pick<Capture, 'origin' | 'scale'>,
  { scaleX, scaleY }: { scaleX: number; scaleY: number },
): TextLine[] {
  const placed = (
    { left, top }: PlacedWords,
    { text, confidence, bbox: { x0, y0, x1, y1 } }: RecognizedWord,
  ): Word => ({
    text,
    confidence,
    frame: {
      x: origin.x + (left + x0) / scaleX / scale,
      y: origin.y + (top + y0) / scaleY / scale,
      width: (x1 - x0) / scaleX / scale,
      height: (y1 - y0) / scaleY / scale,
    },
  });
  const lines = read.flatMap((picture) => picture.lines.map((words) => words.map((one) => placed(picture, one))));
  return inReadingOrder(lines.flatMap(splitColumns).map(joinWords));
}

function isText({ text, confidence }: RecognizedWord): boolean {
  if (text.trim() === '') return false;
  return confidence >= (/[\p{L}\p{N}]/u.test(text) ? MIN_CONFIDENCE.letters : MIN_CONFIDENCE.signs);
}

/** Columns side by side are recognised as one line. */
function splitColumns(words: Word[]): Word[][] {
  const lines: Word[][] = [];
  for (const one of [...words].sort((a, b) => a.frame.x - b.frame.x)) {
    const line = lines.at(-1);
    const before = line?.at(-1);
    if (line === undefined || before === undefined || gap(before, one) > GAP_HEIGHTS.line) lines.push([one]);
    else line.push(one);
  }
  return lines;
}

function gap(before: Word, after: Word): number {
  const high = Math.max(before.frame.height, after.frame.height);
  return (after.frame.x - before.frame.x - before.frame.width) / high;
}

function joinWords(words: Word[]): TextLine {
  let text = '';
  words.forEach((one, index) => {
    const before = words[index - 1];
    text += before === undefined ? one.text : gap(before, one) < GAP_HEIGHTS.none ? one.text : ` ${one.text}`;
  });
  return { text, words, frame: boundingBox(words.map(({ frame }) => frame)) };
}

/** Rows from the top, each from the left: lines beside each other seldom begin at quite the same height. */
function inReadingOrder(lines: readonly TextLine[]): TextLine[] {
  const rows: TextLine[][] = [];
  for (const line of lines.toSorted((a, b) => a.frame.y - b.frame.y)) {
    const row = rows.at(-1);
    const middle = line.frame.y + line.frame.height / 2;
    if (row?.every(({ frame }) => middle < frame.y + frame.height) === true) row.push(line);
    else rows.push([line]);
  }
  return rows.flatMap((row) => row.toSorted((a, b) => a.frame.x - b.frame.x));
}
