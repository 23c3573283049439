/**
 * The table of key names, src/main/desktop/key-names.json: for each key the spellings that name it, in small letters without `_`, `-` and
 * spaces, and for each character its names in X. Spellings are those of X, xdotool, KeyboardEvent (key and code), Playwright and macOS;
 * where two of them mean different keys by a name, it is that of the key which is meant most often.
 */
import { createRequire } from 'node:module';

const sides = (name) =>
  [`${name}l`, `${name}r`, `${name}left`, `${name}right`, `left${name}`, `right${name}`].join(' ');
const numpad = (...names) => names.flatMap((name) => [`numpad${name}`, `keypad${name}`, `num${name}`]).join(' ');
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

const KEYS = {
  cmd: `command ${sides('cmd')} ${sides('command')} controlormeta commandorcontrol cmdorctrl`,
  super: `win windows os meta lwin rwin lmeta rmeta lsuper rsuper ${['super', 'win', 'os', 'meta'].map(sides).join(' ')}`,
  ctrl: `control lcontrol rcontrol ${sides('control')} ${sides('ctrl')}`,
  alt: `option opt lmenu rmenu ${sides('alt')} ${sides('option')}`,
  altgr: 'altgraph isolevel3shift modeswitch',
  shift: `lshift rshift ${sides('shift')}`,
  fn: 'function',
  capslock: 'caps capital',
  enter: 'return ret carriagereturn',
  tab: 'kptab',
  space: 'spacebar kpspace',
  backspace: 'back bs kvkdelete',
  delete: 'del forwarddelete deleteforward kpdelete kpdel',
  escape: 'esc',
  up: 'arrowup uparrow kpup',
  down: 'arrowdown downarrow kpdown',
  left: 'arrowleft leftarrow kpleft',
  right: 'arrowright rightarrow kpright',
  home: 'kphome',
  end: 'kpend',
  pageup: 'pgup prior previous prev kppageup kpprior',
  pagedown: 'pgdn pgdown next kppagedown kpnext',
  insert: 'ins kpinsert kpins',
  printscreen: 'print prtsc prtscn prtscr prntscrn snapshot sysreq',
  menu: 'contextmenu apps',
  numlock: '',
  scrolllock: 'scroll',
  pause: 'break',
  help: '',
  clear: `${numpad('clear')} kpclear`,
  ...Object.fromEntries(range(1, 24).map((number) => [`f${number}`, number <= 4 ? `kpf${number}` : ''])),
  ...Object.fromEntries(range(0, 9).map((digit) => [`kp${digit}`, numpad(digit)])),
  kpadd: `${numpad('add', 'plus')} kpplus add`,
  kpsubtract: `${numpad('subtract', 'minus', 'sub')} kpminus subtract`,
  kpmultiply: `${numpad('multiply', 'mult')} multiply`,
  kpdivide: `${numpad('divide', 'div')} divide`,
  kpdecimal: `${numpad('decimal', 'dec')} decimal`,
  kpequal: `${numpad('equal', 'equals')} kpequals`,
  kpenter: numpad('enter'),
  volumeup: 'audioraisevolume audiovolumeup',
  volumedown: 'audiolowervolume audiovolumedown',
  mute: 'audiomute audiovolumemute volumemute',
  playpause: 'audioplay audiopause mediaplaypause mediaplay mediapause play',
  nexttrack: 'audionext mediatracknext medianexttrack',
  previoustrack: 'audioprev mediatrackprevious mediaprevioustrack mediaprevtrack prevtrack',
  mediastop: 'audiostop',
};

/** Names of characters that X has not, or has for one that is rarely meant. */
const CHARACTERS = {
  '-': 'dash hyphen',
  '=': 'equals',
  '.': 'dot',
  '#': 'hash',
  '*': 'star',
  '|': 'pipe verticalbar',
  '~': 'tilde',
  '^': 'caret circumflex',
  '`': 'backquote backtick quoteleft',
  "'": 'quote singlequote quoteright',
  '"': 'doublequote',
  '!': 'exclamation exclamationmark',
  '?': 'questionmark',
  '@': 'atsign',
  '[': 'leftbracket openbracket',
  ']': 'rightbracket closebracket',
  '\\': 'intlbackslash',
  '€': 'euro',
};

export function keyNames() {
  const keysyms = createRequire(import.meta.url)('x11/lib/keysyms.js');
  const characters = Object.entries(keysyms).flatMap(([name, { description }]) => {
    const character = /^\(([^\p{Z}\p{C}])\) /u.exec(description ?? '')?.[1];
    return character === undefined || name.length <= 4 ? [] : [[name.slice(3), character]];
  });
  const codes = [
    ...Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => [`key${letter}`, letter]),
    ...range(0, 9).map((digit) => [`digit${digit}`, String(digit)]),
    ...Object.entries(CHARACTERS).flatMap(([character, names]) => names.split(' ').map((name) => [name, character])),
  ];
  const own = new Set(codes.map(([name]) => name));
  const ofX = characters.filter(([name]) => !own.has(name));
  return `${JSON.stringify({ keys: KEYS, characters: [...codes, ...ofX].flat().join(' ') }, null, 2)}\n`;
}
