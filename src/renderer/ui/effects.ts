/** Effect classes as the page draws them: an icon and a tone each. */
import type { IconName } from './Icon.js';
import type { Card } from '../../main/protocol/index.js';

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

/** Typing shows keys instead of a pointer. */
export function effectIcon({ effect, subject }: { effect: Effect; subject: Card['subject'] | null }): IconName {
  return effect === 'input' && subject?.keyboard === true ? 'keyboard' : ICONS[effect];
}

export function effectTone(effect: Effect): string {
  return TONES[effect];
}
