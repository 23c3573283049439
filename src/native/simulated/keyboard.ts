/** What applications do with keys: shortcuts, caret movement, editing, tab and enter. */
import { KEY_NAMES, type ClipboardReading } from '../desktop.js';
import { type State, editable, isText, record, type ElementState, type SimulatedWindow } from './model.js';
import {
  activate,
  deliverEvent,
  enter,
  focusNext,
  controlsOf,
  insertAtCaret,
  isPressable,
  replaceText,
  scrollBy,
} from './controls.js';
import { erase, insert, move, selectAll, selected, type Motion } from './text.js';

// Names of keys, and the character that a key types on the simulated US keyboard.

const MODIFIERS = ['cmd', 'ctrl', 'alt', 'shift', 'fn'] as const;

const KNOWN_KEYS: ReadonlySet<string> = new Set(KEY_NAMES);
/** Keys that no simulated application handles. */
const UNSUPPORTED_KEYS: ReadonlySet<string> = new Set(
  'super altgr capslock numlock scrolllock pause printscreen volumeup volumedown mute playpause nexttrack previoustrack mediastop'.split(
    ' ',
  ),
);
const SHIFTED = new Map(
  Array.from("`1234567890-=[]\\;',./", (plain, at) => [plain, '~!@#$%^&*()_+{}|:"<>?'.charAt(at)]),
);
const KEYPAD = new Map([
  ['kpadd', '+'],
  ['kpsubtract', '-'],
  ['kpmultiply', '*'],
  ['kpdivide', '/'],
  ['kpdecimal', '.'],
  ...Array.from('0123456789', (digit): [string, string] => [`kp${digit}`, digit]),
]);

export function isKey(key: string): boolean {
  return (KNOWN_KEYS.has(key) && !UNSUPPORTED_KEYS.has(key)) || [...new Intl.Segmenter().segment(key)].length === 1;
}

function isModifier(key: string): boolean {
  return MODIFIERS.some((modifier) => modifier === key);
}

/** Modifiers in a fixed order, then the key: `ctrl+shift+left`. */
function chordText(held: ReadonlySet<string>, key: string): string {
  return [...MODIFIERS.filter((modifier) => held.has(modifier) && modifier !== key), key].join('+');
}

/** What the key types, or null for a key that types nothing. */
function characterOf(key: string, shift: boolean): string | null {
  if (key === 'space') return ' ';
  const keypad = KEYPAD.get(key);
  if (keypad !== undefined) return keypad;
  if (KNOWN_KEYS.has(key)) return null;
  return shift ? (SHIFTED.get(key) ?? key.toUpperCase()) : key;
}

// The clipboard. Its count goes up with every change, so that a paste can tell whether its own text is still there.

/** Sets the content. `by` is `us` where a caller of this backend wrote it. */
export function setClipboard(state: State, content: ClipboardReading, by: 'program' | 'us' = 'program'): number {
  const count = replaceClipboardSilently(state, content);
  state.clipboardChanges.emit(by === 'us' ? copyOf(content) : null);
  return count;
}

/** The same without calling the listeners: for the moment of a paste. */
export function replaceClipboardSilently(state: State, content: ClipboardReading): number {
  state.clipboard = copyOf(content);
  state.clipboardCount += 1;
  return state.clipboardCount;
}

export function copyOf(content: ClipboardReading): ClipboardReading {
  return structuredClone(content);
}

/** The content as a program may read it; of concealed content only the fact. */
export function readingOf(content: ClipboardReading): ClipboardReading {
  return content.concealed === true ? { concealed: true } : copyOf(content);
}

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
