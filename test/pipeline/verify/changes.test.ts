import { expect, test } from 'vitest';
import { diffFacts, onlyCloses } from '../../../src/main/pipeline/verify/changes.js';

const facts = (lines: readonly string[]) => new Map(lines.map((line, place) => [`${place}`, line]));
const between = (before: readonly string[], after: readonly string[]) => diffFacts(facts(before), facts(after));

test('what stands below a new line has moved, and that is not told', () => {
  const rows = ['AXRow “one”', 'AXRow “two”', 'AXRow “two”'];
  expect(between(rows, ['AXRow “new”', ...rows])).toEqual({ before: [], after: ['AXRow “new”'] });
  expect(between(rows, rows.slice(0, 2))).toEqual({ before: ['AXRow “two”'], after: [] });
});

test('where things only changed places, that is told', () => {
  const [one, two] = ['AXRow “one”', 'AXRow “two”'];
  expect(between([one, two], [two, one])).toEqual({ before: [one, two], after: [two, one] });
});

test('boxes without a word give way to what says something, and the rest is counted', () => {
  const boxes = Array.from({ length: 40 }, () => 'AXGroup');
  const said = ['AXSplitter disabled', 'AXStaticText “Really delete?”', 'AXTextArea focused'];
  expect(between([], [...boxes, ...said]).after).toEqual(said.slice(1));
  expect(between([], boxes.slice(0, 2)).after).toEqual(['AXGroup', 'AXGroup']);
  const rows = Array.from({ length: 15 }, (_, row) => `AXRow “${row}”`);
  expect(between([], rows).after).toEqual([...rows.slice(0, 12), 'and 3 more']);
});

test('a window that goes may be a menu: what its item opens is still to come', () => {
  const menu = 'window “Menu” at (0, 0), 10×10';
  expect(onlyCloses(between([menu, 'AXButton “OK”'], ['AXButton “OK” focused']))).toBe(true);
  expect(onlyCloses(between([menu], ['window “Save As” at (0, 0), 90×90']))).toBe(false);
  expect(onlyCloses(between(['AXMenuItem “Save”'], []))).toBe(false);
});
