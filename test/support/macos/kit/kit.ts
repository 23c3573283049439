/** Applications on the scripted desktop that do what those of a Mac would: with keys, the pointer, and what accessibility asks. */
import { KEY, type TextField } from './text-field.js';
import type { Listener, Script } from '../standin.js';

export interface Kit {
  /** It takes keys, and the focus when it is clicked. In the order in which Tab goes through them. */
  addField(app: KitApp, field: TextField): void;
  /** `activated` where it is pressed, by accessibility or by the pointer. */
  addButton(button: Button): void;
  onScroll(element: number, scrolled: (down: number) => void): void;
  /** Called with the element whose attribute was set, or that a window had. */
  onSet(element: number, name: string, changed: () => void): void;
  onClosed(window: number, closed: () => void): void;
}

export interface KitApp {
  pid: number;
  window: number;
  number: number;
}

export interface Button {
  app: KitApp;
  element: number;
  enabled: boolean;
  /** Its own state, where the pointer presses it; accessibility has changed it already. */
  flip?(): void;
  activated(): void;
  /** A button of the pointer went down on it. */
  touched?(button: string): void;
}

const [SHIFT, COMMAND] = [131072, 1048576];
const CODE = { a: 0x00, c: 0x08, v: 0x09, tab: 0x30, enter: 0x24, escape: 0x35 } as const;
const BUTTONS = ['left', 'right', 'middle', 'back', 'forward'];
const PLAIN_TEXT = 'public.utf8-plain-text';

export function createKit(script: Script): { kit: Kit; listener: Listener } {
  const fields = new Map<number, { app: KitApp; field: TextField }>();
  const buttons = new Map<number, Button>();
  const scrollers = new Map<number, (down: number) => void>();
  const sets = new Map<string, () => void>();
  const closings = new Map<number, () => void>();
  let pressed = 0;

  const focus = (app: KitApp, element: number): void => {
    script.focus(app.pid, app.window, element);
    followFocus();
  };
  /** A password field that has the focus keeps keys from all others. */
  const followFocus = (): void => {
    const field = fields.get(script.focused(script.front()))?.field;
    script.secureInput(Number(field?.secure ?? false));
  };
  const moveFocus = (pid: number, from: number, step: number): void => {
    const own = [...fields.values()].filter(({ app }) => app.pid === pid);
    const at = own.findIndex(({ field }) => field.element === from);
    const next = own.at((at + step) % own.length);
    if (next !== undefined) focus(next.app, next.field.element);
  };

  const shortcut = (field: TextField, code: number): void => {
    if (code === CODE.a) field.selectAll();
    else if (code === CODE.c) script.copy(0, PLAIN_TEXT, field.selected());
    else if (code === CODE.v) field.insert(script.pasted());
  };
  const key: Listener = (_what, code, text, flags) => {
    const pid = script.front();
    const focused = script.focused(pid);
    const field = fields.get(focused)?.field;
    const shift = (flags & SHIFT) !== 0;
    if (code === CODE.tab && text === '\t') moveFocus(pid, focused, shift ? -1 : 1);
    else if (field === undefined || code === CODE.escape) return;
    else if ((flags & COMMAND) !== 0) shortcut(field, code);
    else if (Object.values<number>(KEY).includes(code)) field.press(code, shift);
    else if (text !== '') field.insert(text);
  };

  /** The window under the pointer comes to the front with its application. */
  const activate = (element: number): void => {
    const app = (fields.get(element) ?? buttons.get(element))?.app;
    if (app === undefined || script.front() === app.pid) return;
    script.raise(app.number);
    script.setFront(app.pid);
    followFocus();
  };
  const down: Listener = (_what, number, clicks, x, y) => {
    const under = script.under(x, y);
    activate(under);
    buttons.get(under)?.touched?.(BUTTONS[number] ?? '');
    if (number !== 0) return;
    pressed = under;
    const hit = fields.get(under);
    if (hit === undefined) return;
    focus(hit.app, under);
    if (Number(clicks) > 1) hit.field.selectWordAt(x);
    else hit.field.caretAt(x);
  };
  const up: Listener = (_what, number, _clicks, x, y) => {
    const button = buttons.get(pressed);
    const inside = number === 0 && script.under(x, y) === pressed;
    if (number === 0) pressed = 0;
    if (!inside || button?.enabled !== true) return;
    button.flip?.();
    button.activated();
  };
  const set: Listener = (_what, element, name) => {
    if (name === 'AXValue') fields.get(element)?.field.replaced();
    sets.get(`${element} ${name}`)?.();
    followFocus();
  };
  const on = new Map<string, Listener>([
    ['key', key],
    ['down', down],
    ['up', up],
    ['set', set],
    ['insert', (_what, element, text) => fields.get(element)?.field.insert(text)],
    ['act', (_what, element, action) => (action === 'AXPress' ? buttons.get(element)?.activated() : undefined)],
    ['scroll', (_what, amount, _text, x, y) => scrollers.get(script.under(x, y))?.(-amount)],
    ['closed', (_what, window) => closings.get(window)?.()],
  ]);

  return {
    listener: (what, ...given) => on.get(what)?.(what, ...given),
    kit: {
      addField: (app, field) => void fields.set(field.element, { app, field }),
      addButton: (button) => void buttons.set(button.element, button),
      onScroll: (element, scrolled) => void scrollers.set(element, scrolled),
      onSet: (element, name, changed) => void sets.set(`${element} ${name}`, changed),
      onClosed: (window, closed) => void closings.set(window, closed),
    },
  };
}
