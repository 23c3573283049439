/** Editing of one text: pure functions from text to text. The caret moves by user-perceived characters. */
import type { TextState } from './model.js';

export function insert(text: TextState, inserted: string): TextState {
  const [from, to] = selection(text);
  const value = text.value.slice(0, from) + inserted + text.value.slice(to);
  return at(value, from + inserted.length);
}

export function replaceAll(value: string): TextState {
  return at(value, value.length);
}

export function selectAll(text: TextState): TextState {
  return { value: text.value, anchor: 0, caret: text.value.length };
}

export function selected(text: TextState): string {
  return text.value.slice(...selection(text));
}

export function selection(text: TextState): [number, number] {
  return [Math.min(text.caret, text.anchor), Math.max(text.caret, text.anchor)];
}

export function erase(text: TextState, direction: 'before' | 'after'): TextState {
  const [from, to] = selection(text);
  if (from !== to) return insert(text, '');
  const [start, end] = direction === 'before' ? [previous(text.value, from), from] : [from, next(text.value, from)];
  return at(text.value.slice(0, start) + text.value.slice(end), start);
}

export type Motion = 'left' | 'right' | 'up' | 'down' | 'home' | 'end';

export function move(text: TextState, motion: Motion, extend: boolean): TextState {
  const [from, to] = selection(text);
  const collapses = from !== to && !extend && (motion === 'left' || motion === 'right');
  const caret = collapses ? (motion === 'left' ? from : to) : target(text, motion);
  return { value: text.value, caret, anchor: extend ? text.anchor : caret };
}

export function place(text: TextState, caret: number, extend: boolean): TextState {
  return { value: text.value, caret, anchor: extend ? text.anchor : caret };
}

/** The word around an index, as a double click selects it. */
export function selectWord(text: TextState, index: number): TextState {
  const words = new Intl.Segmenter('en', { granularity: 'word' }).segment(text.value);
  const word = words.containing(Math.min(index, Math.max(0, text.value.length - 1)));
  if (word === undefined) return text;
  return { value: text.value, anchor: word.index, caret: word.index + word.segment.length };
}

export function selectLine(text: TextState, index: number): TextState {
  const [start, end] = lineAround(text.value, index);
  return { value: text.value, anchor: start, caret: end };
}

function at(value: string, caret: number): TextState {
  return { value, caret, anchor: caret };
}

function target(text: TextState, motion: Motion): number {
  const { value, caret } = text;
  const [start, end] = lineAround(value, caret);
  if (motion === 'left') return previous(value, caret);
  if (motion === 'right') return next(value, caret);
  if (motion === 'home') return start;
  if (motion === 'end') return end;
  if (motion === 'up') {
    if (start === 0) return 0;
    const [above, aboveEnd] = lineAround(value, start - 1);
    return Math.min(above + (caret - start), aboveEnd);
  }
  if (end === value.length) return end;
  const [below, belowEnd] = lineAround(value, end + 1);
  return Math.min(below + (caret - start), belowEnd);
}

function lineAround(value: string, index: number): [number, number] {
  const start = index === 0 ? 0 : value.lastIndexOf('\n', index - 1) + 1;
  const end = value.indexOf('\n', index);
  return [start, end < 0 ? value.length : end];
}

function previous(value: string, index: number): number {
  let last = 0;
  for (const { index: start } of new Intl.Segmenter().segment(value.slice(0, index))) last = start;
  return last;
}

function next(value: string, index: number): number {
  const [first] = new Intl.Segmenter().segment(value.slice(index));
  return first === undefined ? index : index + first.segment.length;
}
