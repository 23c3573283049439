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

/** Typing shows keys instead of a pointer, and a command that deserves no alarm a terminal. */
export function effectIcon({ effect, subject, plain }: Iconed): IconName {
  if (effect === 'input' && subject?.keyboard === true) return 'keyboard';
  const runs = subject?.title.code === 'title.run_shell_command' && (effect !== 'dangerous' || plain === true);
  return runs ? 'terminal' : ICONS[effect];
}

interface Iconed {
  effect: Effect;
  subject: Card['subject'] | null;
  plain?: Card['plain'];
}

/** Red, and Allow is held: what runs something is neither where the host found it to be a plain command. */
export const isRed = ({ effect, plain }: Pick<Card, 'effect' | 'plain'>): boolean =>
  effect === 'dangerous' && plain !== true;

export const effectTone = (effect: Effect): string => TONES[effect];

export const cardTone = (card: Pick<Card, 'effect' | 'plain'>): string =>
  effectTone(card.effect === 'dangerous' && !isRed(card) ? 'input' : card.effect);
