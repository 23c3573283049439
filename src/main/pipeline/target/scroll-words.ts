/** How an act is called that first scrolls to its target. Pure. */
import type { Words } from './words.js';
import { message } from '../../../messages/index.js';

/** What follows the scrolling, now and done. Pages have these in their languages. */
const THEN: ReadonlyMap<string, readonly [does: string, done: string]> = new Map([
  ['Click', ['press', 'pressed']],
  ['Replace the value of', ['replace its value', 'replaced its value']],
  ['Check', ['check it', 'checked it']],
  ['Uncheck', ['uncheck it', 'unchecked it']],
  ['Select', ['select it', 'selected it']],
  ['Deselect', ['deselect it', 'deselected it']],
  ['Expand', ['expand it', 'expanded it']],
  ['Collapse', ['collapse it', 'collapsed it']],
]);

/** In the title, or beside it where the act has no short name. The wheel reaches only what is in front. */
export function scrolling(words: Words): Words {
  const then = THEN.get(words.verb);
  if (then === undefined)
    return { ...words, needsFocus: true, notes: [message('note.scrolls_first'), ...(words.notes ?? [])] };
  const [does, done] = then;
  return { ...words, needsFocus: true, verb: `Scroll to, then ${does}`, done: `Scrolled to, then ${done}` };
}
