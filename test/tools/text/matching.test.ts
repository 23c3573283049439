import { describe, expect, test } from 'vitest';
import { matchesIn } from '../../../src/main/tools/text/reading.js';
import type { TextLine } from '../../../src/native/ocr/index.js';

/** Each letter is ten points wide, each line twenty high. */
function line(text: string, row = 0): TextLine {
  let x = 0;
  const words = text.split(' ').map((word, index) => {
    const frame = { x, y: row * 20, width: [...word].length * 10, height: 20 };
    x += frame.width + 10;
    return { text: word, frame, confidence: 90 - index };
  });
  return { text, words, frame: { x: 0, y: row * 20, width: x - 10, height: 20 } };
}

const texts = (lines: string[], wanted: string, exact = false) =>
  matchesIn(lines.map(line), wanted, exact).map(({ text }) => text);

describe('a text among those read', () => {
  test('is found in any case and inside words, each time, where its letters are', () => {
    const found = matchesIn([line('Save as saved'), line('Unsaved', 1)], 'save', false);
    expect(found.map(({ text, frame }) => [text, frame.x, frame.y, frame.width])).toEqual([
      ['Save', 0, 0, 40],
      ['save', 80, 0, 40],
      ['save', 20, 20, 40],
    ]);
  });

  test('exactly: as whole words in the same case, whatever signs stand around', () => {
    expect(texts(['Save Saves (Save) save Save, unSave'], 'Save', true)).toEqual(['Save', 'Save', 'Save']);
  });

  test('across words, also where reading put a space or lost one', () => {
    expect(texts(['Qua rterly report'], 'Quarterly report')).toEqual(['Qua rterly report']);
    expect(texts(['Quarterlyreport'], 'Quarterly report')).toEqual(['Quarterlyreport']);
    expect(matchesIn([line('Sign in now')], 'sign in', false)[0]).toMatchObject({
      frame: { x: 0, width: 70 },
      confidence: 89,
    });
  });

  test('not across lines, and not where there is nothing to look for', () => {
    expect(texts(['Sign', 'in'], 'Sign in')).toEqual([]);
    expect(texts(['Sign in'], '   ')).toEqual([]);
    expect(texts([], 'x')).toEqual([]);
  });

  test('whose signs are written in another way', () => {
    expect(texts(['Don’t “save” – wait…'], `Don't "save" - wait...`)).toEqual(['Don’t “save” – wait…']);
  });
});
