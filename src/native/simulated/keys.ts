/** Names of keys, and the character that a key types on the simulated US keyboard. */
import { KEY_NAMES } from '../desktop.js';

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

export function isModifier(key: string): boolean {
  return MODIFIERS.some((modifier) => modifier === key);
}

/** Modifiers in a fixed order, then the key: `ctrl+shift+left`. */
export function chordText(held: ReadonlySet<string>, key: string): string {
  return [...MODIFIERS.filter((modifier) => held.has(modifier) && modifier !== key), key].join('+');
}

/** What the key types, or null for a key that types nothing. */
export function characterOf(key: string, shift: boolean): string | null {
  if (key === 'space') return ' ';
  const keypad = KEYPAD.get(key);
  if (keypad !== undefined) return keypad;
  if (KNOWN_KEYS.has(key)) return null;
  return shift ? (SHIFTED.get(key) ?? key.toUpperCase()) : key;
}
