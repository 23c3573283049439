/**
 * What one helper has pressed and not let go of. The host knows it too, and lets go of it; where the host ends without a word, the
 * helper is the only one that can.
 */
import type { MouseButton, Point } from '../../desktop.js';
import type { ButtonEvent, InputEvent, KeyEvent, MediaEvent } from './events.js';
import { KEY_CODES, MODIFIER_FLAGS } from './key-codes.js';

export function createLeftPressed() {
  const keys = new Map<number, KeyEvent>();
  const buttons = new Map<MouseButton, ButtonEvent>();
  const media = new Map<number, MediaEvent>();
  return {
    posted(event: InputEvent): void {
      if (event.kind === 'button') note(buttons, event.button, event);
      else if (event.kind === 'media') note(media, event.key, event);
      // Of text in place of a key nothing is held.
      else if (event.kind === 'key' && event.text === undefined) note(keys, event.code, event);
    },
    isEmpty: (): boolean => keys.size + buttons.size + media.size === 0,
    /** Buttons after Escape, `away` from where they were pressed; modifiers last. */
    releases: (from: Point, away: Point): InputEvent[] => [
      ...buttonReleases([...buttons.values()], from, away),
      ...[...media.values()].map((each) => ({ ...each, down: false })),
      ...keyReleases([...keys.keys()]),
    ],
  };
}

function note<Key, Event extends { down: boolean }>(held: Map<Key, Event>, key: Key, event: Event): void {
  if (event.down) held.set(key, event);
  else held.delete(key);
}

function buttonReleases(held: readonly ButtonEvent[], from: Point, away: Point): InputEvent[] {
  const [first] = held;
  if (first === undefined) return [];
  const { button, sequence } = first;
  const by = { x: away.x - from.x, y: away.y - from.y };
  const escape = (down: boolean): KeyEvent => ({ kind: 'key', code: KEY_CODES.get('escape') ?? 0, down, flags: 0 });
  return [
    escape(true),
    escape(false),
    { kind: 'move', at: away, by, held: button, sequence, flags: 0 },
    ...held.map((each) => ({ ...each, down: false, at: away, flags: 0 })),
  ];
}

function keyReleases(codes: readonly number[]): KeyEvent[] {
  const left = new Set(codes);
  const ordered = codes.toSorted((a, b) => Number(MODIFIER_FLAGS.has(a)) - Number(MODIFIER_FLAGS.has(b)));
  return ordered.map((code) => {
    left.delete(code);
    const flags = [...left].reduce((sum, each) => sum + (MODIFIER_FLAGS.get(each) ?? 0), 0);
    return { kind: 'key', code, down: false, flags };
  });
}
