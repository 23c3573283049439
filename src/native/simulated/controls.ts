/** What controls do when they are used by pointer, by key or through accessibility. */
import {
  editable,
  everyElement,
  focusable,
  isText,
  journalName,
  record,
  windowsOf,
  type AppControls,
  type AppState,
  type ElementState,
  type State,
  type TextState,
  type SimulatedWindow,
} from './model.js';
import { insert, replaceAll } from './text.js';
import { widthOf } from './draw/font.js';

/** Runs the event now, or once an application that hangs answers again. */
export function deliverEvent(app: AppState, event: () => void): void {
  if (app.hang === null) event();
  else app.waiting.push(event);
}

export function activate(state: State, element: ElementState): void {
  if (!element.enabled) return;
  if (element.checked !== null) {
    element.checked = !element.checked;
    record(state, element.window, element, 'toggled', String(element.checked));
  } else if (element.selected !== null) select(state, element, true);
  else if (element.expanded !== null) expand(state, element, !element.expanded);
  else if (isPressable(element)) {
    record(state, element.window, element, 'pressed', '');
  }
  element.spec.onPress?.(controlsOf(state, element.window.app));
}

/** At most one of several siblings is selected. */
export function select(state: State, element: ElementState, selected: boolean): void {
  if (element.selected === selected) return;
  const siblings = element.parent?.children ?? element.window.elements;
  if (selected) for (const other of siblings) if (other.selected === true) select(state, other, false);
  element.selected = selected;
  record(state, element.window, element, 'selected', String(selected));
}

export function expand(state: State, element: ElementState, expanded: boolean): void {
  if (element.expanded === expanded) return;
  element.expanded = expanded;
  record(state, element.window, element, 'expanded', String(expanded));
}

export function isPressable(element: ElementState): boolean {
  return ['AXButton', 'AXCheckBox', 'AXLink', 'AXRow', 'AXDisclosureTriangle'].includes(element.spec.role);
}

export function takeFocus(state: State, element: ElementState): void {
  if (element.window.focus === element) return;
  element.window.focus = element;
  record(state, element.window, element, 'focused', '');
}

/** Replaces the text, and records it in the journal when it has changed. */
export function replaceText(state: State, element: ElementState, text: TextState): void {
  const before = element.text?.value;
  element.text = text;
  showCaret(element);
  if (before !== text.value) record(state, element.window, element, 'changed', text.value);
}

export function write(state: State, element: ElementState, value: string): void {
  replaceText(state, element, replaceAll(oneLine(element, value)));
}

export function insertAtCaret(state: State, element: ElementState, inserted: string): void {
  if (element.text !== null) replaceText(state, element, insert(element.text, oneLine(element, inserted)));
}

export function enter(state: State, element: ElementState): void {
  const controls = controlsOf(state, element.window.app);
  if (element.spec.onEnter !== undefined) element.spec.onEnter(controls);
  else if (element.spec.role === 'AXTextArea' && editable(element)) insertAtCaret(state, element, '\n');
  else if (isPressable(element)) activate(state, element);
  else pressDefault(state, element.window);
}

function pressDefault(state: State, window: SimulatedWindow): void {
  const button = everyElement(window).find((each) => each.spec.isDefault === true && each.enabled);
  if (button !== undefined) activate(state, button);
}

export function focusNext(state: State, window: SimulatedWindow, backwards: boolean): void {
  const order = everyElement(window).filter(focusable);
  if (order.length === 0) return;
  const now = window.focus === null ? -1 : order.indexOf(window.focus);
  const step = backwards ? -1 : 1;
  const start = now < 0 && backwards ? 0 : now;
  const chosen = order[(start + step + order.length) % order.length];
  if (chosen !== undefined) takeFocus(state, chosen);
}

/** Access of an application's own code to its controls. Its changes are not recorded in the journal. */
export function controlsOf(state: State, app: AppState): AppControls {
  const find = (identifier: string): ElementState | undefined =>
    windowsOf(state, app)
      .flatMap(everyElement)
      .find((each) => journalName(each) === identifier);
  return {
    value: (identifier) => find(identifier)?.text?.value ?? '',
    setValue(identifier, value) {
      const element = find(identifier);
      if (element === undefined) return;
      element.text = replaceAll(value);
      showCaret(element);
    },
    setTitle(identifier, title) {
      const element = find(identifier);
      if (element !== undefined) element.title = title;
    },
  };
}

function oneLine(element: ElementState, value: string): string {
  return isText(element) && element.spec.role === 'AXTextField' ? value.replace(/[\r\n]+/g, ' ') : value;
}

/** Line wrapping and scrolling of text areas. */
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
function showCaret(element: ElementState): void {
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
