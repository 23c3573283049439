/** Effect classes as the page draws them: an icon and a tone each. */
import type { IconName } from './Icon.js';
import type { Card } from '../state/state.js';

type Effect = Card['effect'];

const ICONS: Record<Effect, IconName> = {
  read: 'eye',
  bookkeeping: 'note',
  disclose: 'share',
  pointer: 'move',
  input: 'click',
  dangerous: 'alert',
};

const TONES: Record<Effect, string> = {
  read: 'k-read',
  bookkeeping: 'k-read',
  disclose: 'k-share',
  pointer: 'k-input',
  input: 'k-input',
  dangerous: 'k-danger',
};

const TYPING = /^(type|typed|press|pressed|paste|pasted|hold|held)\b(?! down\b)/i;

/** Typing shows keys instead of a pointer. */
export function effectIcon(effect: Effect, verb: string): IconName {
  return effect === 'input' && TYPING.test(verb) ? 'keys' : ICONS[effect];
}

export function cardIcon(card: Card): IconName {
  return effectIcon(card.effect, card.subject.verb);
}

export function effectTone(effect: Effect): string {
  return TONES[effect];
}
