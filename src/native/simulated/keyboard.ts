/** What applications do with keys: shortcuts, caret movement, editing, tab and enter. */
import { editable, isText, record, type ElementState, type State, type SimulatedWindow } from './model.js';
import {
  activate,
  deliverEvent,
  enter,
  focusNext,
  controlsOf,
  insertAtCaret,
  isPressable,
  replaceText,
} from './controls.js';
import { characterOf, chordText, isModifier } from './keys.js';
import { setClipboard } from './clipboard.js';
import { erase, insert, move, selectAll, selected, type Motion } from './text.js';
import { scrollBy } from './scrolling.js';

const MOTIONS: readonly Motion[] = ['left', 'right', 'up', 'down', 'home', 'end'];

export function keyDown(state: State, key: string): void {
  state.heldKeys.add(key);
  const window = state.active;
  if (window === null) return;
  const chord = chordText(state.heldKeys, key);
  const modifiers = new Set([...state.heldKeys].filter(isModifier));
  deliverEvent(window.app, () => receive(state, window, chord, key, modifiers));
}

export function keyUp(state: State, key: string): void {
  state.heldKeys.delete(key);
  const window = state.active;
  if (window !== null) deliverEvent(window.app, () => record(state, window, window.focus, 'keyup', key));
}

/** A character from an input method, independent of keys. */
export function typeCharacter(state: State, character: string): void {
  const window = state.active;
  if (window === null) return;
  const key =
    character === '\n' || character === '\r\n' || character === '\r' ? 'enter' : character === '\t' ? 'tab' : character;
  deliverEvent(window.app, () => receive(state, window, key, key, new Set()));
}

function receive(
  state: State,
  window: SimulatedWindow,
  chord: string,
  key: string,
  modifiers: ReadonlySet<string>,
): void {
  if (!state.stack.includes(window)) return;
  const { focus } = window;
  record(state, window, focus, 'key', chord);
  if (isModifier(key)) return;
  const shift = modifiers.has('shift');
  const command = ['cmd', 'ctrl', 'alt'].some((modifier) => modifiers.has(modifier));
  const typed = (command ? null : characterOf(key, shift)) ?? chord;
  if (window.spec.onKey?.(typed, controlsOf(state, window.app)) === true) return;
  if (command) return shortcut(state, window, key, modifiers);
  if (key === 'tab') return focusNext(state, window, shift);
  if (focus === null) return;
  if (key === 'enter' || key === 'kpenter') return enter(state, focus);
  if (isText(focus)) return edit(state, focus, key, shift);
  if (key === 'space' && isPressable(focus)) activate(state, focus);
}

function edit(state: State, element: ElementState, key: string, shift: boolean): void {
  const { text } = element;
  if (text === null) return;
  const motion = MOTIONS.find((one) => one === key);
  if (motion !== undefined) return replaceText(state, element, move(text, motion, shift));
  if (key === 'pageup' || key === 'pagedown') return scrollBy(state, element, key === 'pageup' ? -10 : 10);
  if (!editable(element)) return;
  if (key === 'backspace') return replaceText(state, element, erase(text, 'before'));
  if (key === 'delete') return replaceText(state, element, erase(text, 'after'));
  const character = characterOf(key, shift);
  if (character !== null) insertAtCaret(state, element, character);
}

function shortcut(state: State, window: SimulatedWindow, key: string, modifiers: ReadonlySet<string>): void {
  if (modifiers.has('alt')) return;
  const element = window.focus;
  if (element === null || element.text === null || !isText(element)) return;
  const letter = key.toLowerCase();
  if (letter === 'a') return replaceText(state, element, selectAll(element.text));
  if (letter === 'v') return pasteInto(state, element);
  if (element.secure || selected(element.text) === '') return;
  if (letter === 'c' || letter === 'x') setClipboard(state, { text: selected(element.text) });
  if (letter === 'x' && editable(element)) replaceText(state, element, insert(element.text, ''));
}

function pasteInto(state: State, element: ElementState): void {
  const { text } = state.clipboard;
  if (text === undefined || !editable(element)) return;
  record(state, element.window, element, 'pasted', element.secure ? '' : text);
  insertAtCaret(state, element, text);
}
