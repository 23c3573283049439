/** A text field of the scripted applications: a text, a caret and what keys do to them. Its attributes follow. */
import { MODE, type Script } from '../standin.js';

export interface TextField {
  readonly element: number;
  readonly secure: boolean;
  /** Accessibility has set another value. */
  replaced(): void;
  /** In place of what is selected. */
  insert(text: string): void;
  press(code: number, extend: boolean): void;
  selectAll(): void;
  selectWordAt(x: number): void;
  caretAt(x: number): void;
  selected(): string;
}

interface FieldSpec {
  element: number;
  left: number;
  secure?: boolean;
  changed(text: string): void;
}

export const KEY = { backspace: 0x33, delete: 0x75, left: 0x7b, right: 0x7c, home: 0x73, end: 0x77 } as const;
const CHARACTER_WIDTH = 8;

export function createTextField(script: Script, { element, left, secure = false, changed }: FieldSpec): TextField {
  let text = script.said(element, 'AXValue');
  let [anchor, caret] = [text.length, text.length];
  const range = (): [number, number] => [Math.min(anchor, caret), Math.max(anchor, caret)];
  const selected = (): string => text.slice(...range());
  const showSelection = (): void => void script.text(element, 'AXSelectedText', secure ? '' : selected(), MODE.does);
  const place = (at: number, extend = false): void => {
    caret = Math.max(0, Math.min(text.length, at));
    if (!extend) anchor = caret;
    showSelection();
  };
  const replace = (from: number, to: number, by: string): void => {
    text = text.slice(0, from) + by + text.slice(to);
    script.text(element, 'AXValue', text, MODE.does);
    place(from + by.length);
    changed(text);
  };
  const indexAt = (x: number): number => Math.floor((x - left) / CHARACTER_WIDTH);
  const before = (at: number): number => at - (/[\udc00-\udfff]/.test(text[at - 1] ?? '') ? 2 : 1);
  const after = (at: number): number => at + (/[\ud800-\udbff]/.test(text[at] ?? '') ? 2 : 1);
  const erase = (to: number): void => {
    const [from, end] = range();
    if (from !== end) replace(from, end, '');
    else if (to >= 0 && to <= text.length) replace(Math.min(caret, to), Math.max(caret, to), '');
  };
  const keys = new Map<number, (extend: boolean) => void>([
    [KEY.backspace, () => erase(before(caret))],
    [KEY.delete, () => erase(after(caret))],
    [KEY.left, (extend) => place(before(caret), extend)],
    [KEY.right, (extend) => place(after(caret), extend)],
    [KEY.home, (extend) => place(0, extend)],
    [KEY.end, (extend) => place(text.length, extend)],
  ]);
  showSelection();

  return {
    element,
    secure,
    selected,
    replaced() {
      text = script.said(element, 'AXValue');
      place(text.length);
      changed(text);
    },
    insert: (given) => replace(...range(), given),
    press: (code, extend) => keys.get(code)?.(extend),
    selectAll() {
      [anchor, caret] = [0, text.length];
      showSelection();
    },
    selectWordAt(x) {
      const at = indexAt(x);
      const start = text.slice(0, at).search(/\w*$/);
      anchor = start;
      caret = start + (/^\w*/.exec(text.slice(start))?.[0].length ?? 0);
      showSelection();
    },
    caretAt: (x) => place(indexAt(x)),
  };
}
