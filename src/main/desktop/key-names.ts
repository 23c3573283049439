import { KEY_NAMES, type Platform } from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import { closestName } from '../pipeline/closest-name.js';
import { message, type Message } from '../../messages/index.js';

const MODIFIERS: ReadonlySet<string> = new Set(['cmd', 'ctrl', 'alt', 'shift', 'fn', 'capslock']);
const CANONICAL: ReadonlySet<string> = new Set(KEY_NAMES);

/** Spellings that callers use besides the canonical names. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['command', 'cmd'],
  ['meta', 'cmd'],
  ['super', 'cmd'],
  ['win', 'cmd'],
  ['windows', 'cmd'],
  ['control', 'ctrl'],
  ['option', 'alt'],
  ['opt', 'alt'],
  ['function', 'fn'],
  ['caps_lock', 'capslock'],
  ['caps', 'capslock'],
  ['return', 'enter'],
  ['esc', 'escape'],
  ['del', 'delete'],
  ['forwarddelete', 'delete'],
  ['forward_delete', 'delete'],
  ['back', 'backspace'],
  ['bs', 'backspace'],
  ['arrowup', 'up'],
  ['arrowdown', 'down'],
  ['arrowleft', 'left'],
  ['arrowright', 'right'],
  ['page_up', 'pageup'],
  ['page_down', 'pagedown'],
  ['pgup', 'pageup'],
  ['pgdn', 'pagedown'],
  ['prior', 'pageup'],
  ['ins', 'insert'],
  ['spacebar', 'space'],
  [' ', 'space'],
  ['print_screen', 'printscreen'],
  ['prtsc', 'printscreen'],
  ['\n', 'enter'],
  ['\t', 'tab'],
  ...['cmd', 'ctrl', 'alt', 'shift'].flatMap((name) =>
    [`left${name}`, `right${name}`].map((side): [string, string] => [side, name]),
  ),
  ['control_l', 'ctrl'],
  ['control_r', 'ctrl'],
  ['shift_l', 'shift'],
  ['shift_r', 'shift'],
  ['alt_l', 'alt'],
  ['super_l', 'cmd'],
  ['super_r', 'cmd'],
  ['meta_l', 'cmd'],
  ...Array.from({ length: 10 }, (_, digit) =>
    [`kp_${digit}`, `numpad${digit}`, `num${digit}`].map((name): [string, string] => [name, `kp${digit}`]),
  ).flat(),
  ...['add', 'subtract', 'multiply', 'divide', 'decimal', 'enter'].flatMap((name) =>
    [`kp_${name}`, `numpad${name}`, `numpad_${name}`].map((other): [string, string] => [other, `kp${name}`]),
  ),
  ['audioraisevolume', 'volumeup'],
  ['audiolowervolume', 'volumedown'],
  ['audiomute', 'mute'],
  ['volume_up', 'volumeup'],
  ['volume_down', 'volumedown'],
  ['audioplay', 'playpause'],
  ['play', 'playpause'],
  ['audionext', 'next'],
  ['audioprev', 'previous'],
  ['plus', '+'],
  ['minus', '-'],
]);

function keyName(given: string): string {
  const lower = given.toLowerCase();
  const known = ALIASES.get(lower) ?? (CANONICAL.has(lower) ? lower : null);
  if (known !== null) return known;
  if ([...given].length === 1 && !/\p{Cc}/u.test(given)) return given;
  throw new WireError(
    'DESKTOP_INVALID_REQUEST',
    message('error.known_keys', {
      problem: suggesting(message('error.no_such_key', { key: given }), given, KEY_NAMES),
      keys: KEY_NAMES.join(', '),
    }),
    { reason: 'unknown_key', key: given, keys: [...KEY_NAMES] },
  );
}

/** With “Did you mean …?” where a name, or an alias of it, is close. */
function suggesting(problem: Message, given: string, names: readonly string[]): Message {
  const spellings = [...names, ...[...ALIASES].filter(([, name]) => names.includes(name)).map(([other]) => other)];
  const near = closestName(given, spellings);
  return near === null ? problem : message('error.did_you_mean', { problem, name: ALIASES.get(near) ?? near });
}

function modifierName(given: string): string {
  const lower = given.toLowerCase();
  const known = ALIASES.get(lower) ?? lower;
  if (MODIFIERS.has(known)) return known;
  throw new WireError(
    'DESKTOP_INVALID_REQUEST',
    message('error.known_modifiers', {
      problem: suggesting(message('error.no_such_modifier', { key: given }), given, [...MODIFIERS]),
      keys: [...MODIFIERS].join(', '),
    }),
    { reason: 'unknown_modifier', modifier: given, modifiers: [...MODIFIERS] },
  );
}

export const modifierNames = (given: readonly string[]): string[] => [...new Set(given.map(modifierName))];

/** One key with modifiers; also accepts `ctrl+shift+s` as the key. */
export function chordFrom(key: string, modifiers: readonly string[]): Chord {
  const joined = [...key].length > 1 && key.includes('+');
  const last = joined ? (key.endsWith('++') ? '+' : key.slice(key.lastIndexOf('+') + 1)) : key;
  const before = joined ? key.slice(0, key.length - last.length).split('+') : [];
  const names = before.map((name) => name.trim()).filter((name) => name !== '');
  return parseChord([...modifierNames([...modifiers, ...names]), last.trim() === '' ? last : last.trim()]);
}

/** Throws for chords that this platform cannot press, before the person is asked. */
export function assertPressable({ modifiers, keys }: Chord, platform: Platform): void {
  const mac = platform === 'macos';
  const bad = mac ? undefined : modifiers.find((name) => name === 'fn' || (name === 'capslock' && keys.length > 0));
  if (bad === undefined) return;
  throw new WireError('DESKTOP_UNSUPPORTED', message('error.modifier_not_held', { name: bad, platform }), {
    reason: 'no_such_modifier',
    next: 'Leave it out; use shift, ctrl, alt or cmd.',
  });
}

export interface Chord {
  modifiers: string[];
  keys: string[];
  /** For people: `ctrl+S`. */
  label: string;
}

/** A chord with modifiers first and without repeats. It may consist of modifiers only. */
export function parseChord(given: readonly string[]): Chord {
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

/** Chords that act outside the window: launchers, window managers, other desktops. No grant covers them. */
export function leavesWindow({ modifiers, keys }: Chord, platform: Platform): boolean {
  if (keys.length === 0 || keys.includes('printscreen')) return true;
  const [alt, ctrl, cmd] = ['alt', 'ctrl', 'cmd'].map((name) => modifiers.includes(name));
  const any = (...names: string[]) => keys.some((key) => names.includes(key));
  // Only macOS passes this key to applications; elsewhere the window manager takes it.
  if (cmd === true && (platform !== 'macos' || any('space', 'tab', 'q', 'h', 'm'))) return true;
  if (alt === true && (any('tab', 'space', 'escape') || keys.some((key) => /^f\d+$/.test(key)))) return true;
  if (ctrl === true && (any('escape') || (platform === 'macos' && any('up', 'down', 'left', 'right')))) return true;
  return (ctrl === true && alt === true) || (cmd === true && ctrl === true);
}

/** Enter may send, submit or run something, as a line break in text may, so no grant covers it. */
export const pressesEnter = ({ keys }: Chord): boolean => keys.some((key) => key === 'enter' || key === 'kpenter');
