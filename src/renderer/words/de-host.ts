/** Was der Host auf Englisch sagt, auf Deutsch. */
import { clickPhrases, type ClickWords } from './host-clicks.js';
import type { HostWords } from './host.js';
import { deEnded } from './de-host-ended.js';
import { deReads } from './de-host-reads.js';
import { deSaid } from './de-host-said.js';
import { deTitles } from './de-host-titles.js';

export const deHost: HostWords = {
  titles: { ...deTitles, ...deReads, ...clickPhrases(clicking) },
  said: { ...deSaid, ...deEnded },
  quotes: ['„', '“'],
  where: {
    app: 'in {app}',
    point: 'bei {point}',
    pointInApp: 'bei {point} in {app}',
    shows: 'mit {app}',
    path: 'von {from} nach {to}',
    pathOf: '{from} nach {to}',
  },
};

/** „Senden“ in Mail bei gedrücktem cmd mit rechts doppelt anklicken */
function clicking({ button, count, keys, done, named }: ClickWords): string {
  const held = keys ? 'bei gedrücktem {keys} ' : '';
  const which = { left: '', middle: 'mit der mittleren Taste ', right: 'mit rechts ' }[button];
  const times = { 1: '', 2: 'doppelt ', 3: 'dreifach ' }[count];
  if (!named) return `{app} ${held}${which}${times}${done ? 'geklickt' : 'klicken'}`;
  return `{target} {app} ${held}${which}${times}${done ? 'angeklickt' : 'anklicken'}`;
}
