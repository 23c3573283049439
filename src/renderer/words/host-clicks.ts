/** The host's words for clicks, of any button, once to three times, with keys held or not. */
import type { Phrases } from './phrasebook.js';

export interface ClickWords {
  button: 'left' | 'middle' | 'right';
  count: 1 | 2 | 3;
  /** Keys are held: `{keys}` says which. */
  keys: boolean;
  done: boolean;
  /** There is a target that has a name. */
  named: boolean;
}

const BUTTONS = ['left', 'middle', 'right'] as const;
const TIMES = { 1: 'click', 2: 'double-click', 3: 'triple-click' } as const;

/** `say` leaves places for `{target}`, `{app}` and `{keys}`. */
export function clickPhrases(say: (how: ClickWords) => string): Phrases {
  const hows = BUTTONS.flatMap((button) =>
    ([1, 2, 3] as const).flatMap((count) =>
      [true, false].flatMap((keys) =>
        [true, false].flatMap((done) => [true, false].map((named) => ({ button, count, keys, done, named }))),
      ),
    ),
  );
  return Object.fromEntries(
    hows.flatMap((how) =>
      englishOf(how).map((english) => [how.named ? `${english} {target}` : english, say(how)] as const),
    ),
  );
}

/** With a space or a hyphen between button and click: tools spell it both ways. */
function englishOf({ button, count, keys, done }: ClickWords): string[] {
  const click = `${TIMES[count]}${done ? 'ed' : ''}`;
  const all = button === 'left' ? [click] : [`${button} ${click}`, `${button}-${click}`];
  return all.map((one) => (keys ? `{keys}+${one}` : one.charAt(0).toUpperCase() + one.slice(1)));
}
