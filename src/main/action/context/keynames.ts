import { KEY_NAMES } from '../../../native/desktop.js';
import type { Platform } from '../../../native/desktop.js';
import { WireError } from '../../protocol/index.js';

const MODIFIERS: ReadonlySet<string> = new Set(['cmd', 'ctrl', 'alt', 'shift', 'fn', 'capslock']);
const CANONICAL: ReadonlySet<string> = new Set(KEY_NAMES);

/** Every spelling callers use, beside the canonical names. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['command', 'cmd'], ['meta', 'cmd'], ['super', 'cmd'], ['win', 'cmd'], ['windows', 'cmd'],
  ['control', 'ctrl'], ['option', 'alt'], ['opt', 'alt'], ['function', 'fn'], ['caps_lock', 'capslock'], ['caps', 'capslock'],
  ['return', 'enter'], ['esc', 'escape'], ['del', 'delete'], ['forwarddelete', 'delete'], ['forward_delete', 'delete'], ['back', 'backspace'], ['bs', 'backspace'],
  ['arrowup', 'up'], ['arrowdown', 'down'], ['arrowleft', 'left'], ['arrowright', 'right'],
  ['page_up', 'pageup'], ['page_down', 'pagedown'], ['pgup', 'pageup'], ['pgdn', 'pagedown'], ['ins', 'insert'], ['spacebar', 'space'], [' ', 'space'],
  ['print_screen', 'printscreen'], ['prtsc', 'printscreen'], ['\n', 'enter'], ['\t', 'tab'],
]); // prettier-ignore

export function keyName(given: string): string {
  const lower = given.toLowerCase();
  const known = ALIASES.get(lower) ?? (CANONICAL.has(lower) ? lower : null);
  if (known !== null) return known;
  if ([...given].length === 1 && !/\p{Cc}/u.test(given)) return given;
  throw new WireError(
    'DESKTOP_INVALID_REQUEST',
    `“${given}” is no key. Keys are single characters or: ${KEY_NAMES.join(', ')}.`,
    { reason: 'unknown_key', key: given, keys: [...KEY_NAMES] },
  );
}

export interface Chord {
  modifiers: string[];
  keys: string[];
  /** As people write it: `ctrl+S`. */
  label: string;
}

/** A chord with its modifiers first and without repeats. At least one key; only modifiers is a chord too. */
export function chordOf(given: readonly string[]): Chord {
  const names = [...new Set(given.map(keyName))];
  const modifiers = names.filter((name) => MODIFIERS.has(name));
  const keys = names.filter((name) => !MODIFIERS.has(name));
  const held = modifiers.length > 0 && !modifiers.includes('shift');
  const cased = keys.map((key) => (held && [...key].length === 1 ? key.toLowerCase() : key));
  return {
    modifiers,
    keys: cased,
    label: [...modifiers, ...keys.map((key) => ([...key].length === 1 ? key.toUpperCase() : key))].join('+'),
  };
}

/** Chords that reach past the window: launchers, window managers, other desktops. They are asked for even under a grant. */
export function leavesWindow({ modifiers, keys }: Chord, platform: Platform): boolean {
  if (keys.length === 0 || keys.includes('printscreen')) return true;
  const [alt, ctrl, cmd] = ['alt', 'ctrl', 'cmd'].map((name) => modifiers.includes(name));
  const any = (...names: string[]) => keys.some((key) => names.includes(key));
  // Only a Mac gives this key to applications; elsewhere it is the window manager's.
  if (cmd === true && (platform !== 'macos' || any('space', 'tab', 'q', 'h', 'm'))) return true;
  if (alt === true && (any('tab', 'space', 'escape') || keys.some((key) => /^f\d+$/.test(key)))) return true;
  if (ctrl === true && (any('escape') || (platform === 'macos' && any('up', 'down', 'left', 'right')))) return true;
  return (ctrl === true && alt === true) || (cmd === true && ctrl === true);
}

/** Enter is to keys what a line break is to text: it sends, submits or runs, so no grant covers it. */
export const sends = ({ keys }: Chord): boolean => keys.some((key) => key === 'enter' || key === 'kpenter');
