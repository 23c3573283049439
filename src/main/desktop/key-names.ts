import { KEY_NAMES, type Platform } from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import { similarNames } from '../protocol/input-errors.js';
import { message, type Message } from '../../messages/index.js';
import table from './key-names.json' with { type: 'json' };
import type { HandlerHolds } from '../pipeline/holds.js';
import type { Verification } from '../pipeline/action.js';
import type { RunContext } from '../pipeline/context.js';
import { delay } from '../../base/poll.js';
import { withKeys } from './click.js';
import { verifyEffect } from '../pipeline/verify/effect.js';

const REPRESS_MS = 100;
/** A program that looks at keys once in a frame sees no shorter one. */
const SHORTEST_HOLD_MS = 60;

/** Presses modifiers, then each key, and releases in reverse order. The pipeline releases what stays down after a failure. */
export async function pressChord(
  ctx: RunContext,
  chord: Chord,
  delayMs: number,
  signal: AbortSignal,
): Promise<Verification> {
  const { desktop } = ctx;
  const press = () =>
    withKeys(desktop, chord.modifiers, signal, async () => {
      for (const [index, key] of chord.keys.entries()) {
        if (index > 0 && delayMs > 0) await delay(delayMs, signal);
        await desktop.key(key, true, signal);
        await desktop.key(key, false, signal);
      }
    });
  ctx.trace({ step: 'keys', chord: chord.label });
  return verifyEffect(ctx, press, signal);
}

/** Holds a chord for `durationMs`, checking repeatedly that the focus has not moved. Returns how long it was down. */
export async function holdChord(
  ctx: RunContext,
  chord: Chord,
  durationMs: number,
  holds: HandlerHolds,
  signal: AbortSignal,
): Promise<{ heldMs: number; effect: Verification }> {
  const { desktop } = ctx;
  const keys = [...chord.modifiers, ...chord.keys];
  let heldMs = 0;
  const hold = async () => {
    for (const key of keys) await desktop.key(key, true, signal);
    const held = holds.hold(ctx, { keys, buttons: [] }, { at: null, window: ctx.plan?.window ?? null });
    const start = performance.now();
    try {
      for (;;) {
        const left = Math.max(durationMs, SHORTEST_HOLD_MS) - (performance.now() - start);
        if (left <= 0) break;
        await delay(Math.min(left, REPRESS_MS), signal);
        // Pressing a key that is already down injects nothing, but runs the same checks as a press.
        if (left > REPRESS_MS) for (const key of keys) await desktop.key(key, true, signal);
      }
    } finally {
      heldMs = performance.now() - start;
      await held.end();
    }
  };
  ctx.trace({ step: 'hold', chord: chord.label, durationMs });
  const effect = await verifyEffect(ctx, hold, signal);
  return { heldMs, effect };
}

const MODIFIERS: ReadonlySet<string> = new Set(['cmd', 'super', 'ctrl', 'alt', 'altgr', 'shift', 'fn', 'capslock']);
const MAX_NEAREST = 3;

/** Spelling to key, in small letters without separators. */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  Object.entries(table.keys).flatMap(([key, names]) => {
    const spellings = [key, ...names.split(' ').filter((name) => name !== '')];
    return spellings.map((name): [string, string] => [name, key]);
  }),
);

const PAIRS = table.characters
  .split(' ')
  .flatMap((name, index, all): [string, string][] => (index % 2 === 0 ? [[name, all[index + 1] ?? '']] : []));
/** By X's name, which tells large letters from small ones; then in any case, the small letter first. */
const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ...PAIRS.map(([name, character]): [string, string] => [name.toLowerCase(), character]).toReversed(),
  ...PAIRS.filter(([name]) => name === name.toLowerCase()),
  ...PAIRS,
]);
const ALL_NAMES = [...SPELLINGS.keys(), ...PAIRS.map(([name]) => name)];

function keyName(given: string): string {
  const known = named(given) ?? named(withoutPrefix(given));
  if (known !== null) return known;
  throw new WireError(
    'DESKTOP_INVALID_REQUEST',
    message('error.known_keys', {
      problem: suggesting(message('error.no_such_key', { key: given }), given, ALL_NAMES),
      keys: KEY_NAMES.join(', '),
    }),
    { reason: 'unknown_key', key: given, keys: [...KEY_NAMES] },
  );
}

function named(given: string): string | null {
  if ([...given].length === 1) return character(given);
  const spelling = SPELLINGS.get(given.toLowerCase().replaceAll(/[\s_-]/g, ''));
  if (spelling !== undefined) return spelling;
  const [, code] = /^(?:U\+?|0x100)([\da-f]{4,6})$/i.exec(given) ?? [];
  const named = CHARACTERS.get(given) ?? CHARACTERS.get(given.toLowerCase());
  if (named !== undefined) return named;
  const point = code === undefined ? 0 : Number.parseInt(code, 16);
  return point > 0 && point <= 0x10ffff ? character(String.fromCodePoint(point)) : null;
}

function character(given: string): string | null {
  if (given === ' ') return 'space';
  if (given === '\n') return 'enter';
  if (given === '\t') return 'tab';
  return /[\p{Cc}\p{Cs}]/u.test(given) ? null : given;
}

/** As programs call constants: XK_Return, XF86AudioMute, kVK_ANSI_A, NSUpArrowFunctionKey. */
function withoutPrefix(given: string): string {
  const [, x, code, function_] = /^(?:(?:XK_|XF86)(.+)|kVK_(?:ANSI_)?(.+)|NS(.+)FunctionKey)$/.exec(given) ?? [];
  return x ?? code?.toLowerCase() ?? function_ ?? '';
}

/** With “Did you mean …?” where names are close. */
function suggesting(problem: Message, given: string, names: readonly string[]): Message {
  const near = similarNames(given, names).map((name) => SPELLINGS.get(name) ?? name);
  const nearest = [...new Set(near)].slice(0, MAX_NEAREST).join(', ');
  return nearest === '' ? problem : message('error.did_you_mean', { problem, name: nearest });
}

function modifierName(given: string): string {
  const known = named(given) ?? named(withoutPrefix(given));
  if (known !== null && MODIFIERS.has(known)) return known;
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
export function chordFrom(spelled: string, modifiers: readonly string[]): Chord {
  const key = spelled.replace(/U\+(?=[\da-f]{4,6}$)/i, 'U');
  const joined = [...key].length > 1 && key.includes('+');
  const last = joined ? (key.endsWith('++') ? '+' : key.slice(key.lastIndexOf('+') + 1)) : key;
  const before = joined ? key.slice(0, key.length - last.length).split('+') : [];
  const names = before.map((name) => name.trim()).filter((name) => name !== '');
  return parseChord([...modifierNames([...modifiers, ...names]), last.trim() === '' ? last : last.trim()]);
}

/** What the names of one platform mean on another one. A shortcut with Command on macOS is one with Control elsewhere. */
const ON: Readonly<Record<Platform, Readonly<Record<string, string>>>> = {
  linux: { cmd: 'ctrl' },
  macos: { super: 'cmd', altgr: 'alt' },
  simulated: { super: 'cmd', altgr: 'alt' },
};

export const modifiersOn = (platform: Platform, modifiers: readonly string[]): string[] => [
  ...new Set(modifiers.map((name) => ON[platform][name] ?? name)),
];

/** The chord as this platform presses it. Throws where it cannot, before the person is asked. */
export function pressableOn(platform: Platform, { modifiers, keys }: Chord): Chord {
  const alone = keys.length === 0;
  const both = platform === 'linux' && !alone && modifiers.includes('cmd') && modifiers.includes('ctrl');
  const unheld = (name: string) => name === 'fn' || (name === 'capslock' && !alone);
  const bad = both ? 'cmd' : platform === 'macos' ? undefined : modifiers.find(unheld);
  if (bad === undefined) {
    const lone = platform === 'linux' ? modifiers.map((name) => (name === 'cmd' ? 'super' : name)) : modifiers;
    return parseChord([...modifiersOn(platform, alone ? lone : modifiers), ...keys]);
  }
  throw new WireError('DESKTOP_UNSUPPORTED', message('error.modifier_not_held', { name: bad, platform }), {
    reason: 'no_such_modifier',
    next: 'Leave it out; use shift, ctrl, alt or super.',
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
  const [alt, ctrl] = ['alt', 'ctrl'].map((name) => modifiers.includes(name));
  const cmd = modifiers.includes('cmd') || modifiers.includes('super');
  const any = (...names: string[]) => keys.some((key) => names.includes(key));
  // Only macOS passes this key to applications; elsewhere the window manager takes it.
  if (cmd && (platform !== 'macos' || any('space', 'tab', 'q', 'h', 'm'))) return true;
  if (alt === true && (any('tab', 'space', 'escape') || keys.some((key) => /^f\d+$/.test(key)))) return true;
  if (ctrl === true && (any('escape') || (platform === 'macos' && any('up', 'down', 'left', 'right')))) return true;
  return (ctrl === true && alt === true) || (cmd && ctrl === true);
}

/** Enter may send, submit or run something, as a line break in text may, so no grant covers it. */
export const pressesEnter = ({ keys }: Chord): boolean => keys.some((key) => key === 'enter' || key === 'kpenter');
