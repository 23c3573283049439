/** Line wrapping and scrolling of text areas. */
import { record, type ElementState, type State } from './model.js';
import { widthOf } from './draw/font.js';

export const LINE_HEIGHT = 18;
export const PADDING = 6;

export interface WrappedLine {
  /** Index of its first character in the whole text. */
  start: number;
  text: string;
}

/** The lines as shown: broken at line breaks and, in a text area, at its width. */
export function wrapLines(element: ElementState): WrappedLine[] {
  const value = shownText(element);
  if (element.spec.role !== 'AXTextArea') return [{ start: 0, text: value }];
  const width = element.frame.width - 2 * PADDING;
  const lines: WrappedLine[] = [];
  let start = 0;
  for (const paragraph of value.split('\n')) {
    lines.push(...wrap(paragraph, start, width));
    start += paragraph.length + 1;
  }
  return lines;
}

/** What may be drawn: a secure field shows one dot for each character. */
export function shownText(element: ElementState): string {
  const value = element.text?.value ?? '';
  return element.secure ? '•'.repeat(value.length) : value;
}

export function visibleLines(element: ElementState): number {
  return Math.max(1, Math.floor((element.frame.height - 2 * PADDING) / LINE_HEIGHT));
}

/** Positive lines show what is further down. */
export function scrollBy(state: State, element: ElementState, lines: number): void {
  const last = Math.max(0, wrapLines(element).length - visibleLines(element));
  const scroll = Math.min(last, Math.max(0, element.scroll + Math.round(lines)));
  if (scroll === element.scroll) return;
  element.scroll = scroll;
  record(state, element.window, element, 'scrolled', String(scroll));
}

/** Keeps the line of the caret among those shown. */
export function showCaret(element: ElementState): void {
  if (element.text === null || element.spec.role !== 'AXTextArea') return;
  const { caret } = element.text;
  const row = wrapLines(element).findLastIndex((line) => line.start <= caret);
  const first = Math.max(0, row - visibleLines(element) + 1);
  element.scroll = Math.min(Math.max(element.scroll, first), Math.max(row, 0));
}

function wrap(paragraph: string, start: number, width: number): WrappedLine[] {
  const lines: WrappedLine[] = [];
  let line = { start, text: '' };
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'word' }).segment(paragraph)) {
    if (line.text !== '' && segment.trim() !== '' && widthOf(line.text + segment) > width) {
      lines.push(line);
      line = { start: line.start + line.text.length, text: '' };
    }
    line.text += segment;
  }
  return [...lines, line];
}
