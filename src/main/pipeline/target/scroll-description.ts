/** Title and notes of an act that first scrolls to its target. Pure. */
import { title, type Title } from '../../protocol/index.js';
import type { PlanDescription } from './plan-description.js';
import { message } from '../../../messages/index.js';

/** Says it in the title, or in a note where the act has no short name. Needs the focus, because the wheel reaches only the front window. */
export function describeScroll(words: PlanDescription): PlanDescription {
  const then = scrollTitle(words.title);
  if (then === null)
    return { ...words, needsFocus: true, notes: [message('note.scrolls_first'), ...(words.notes ?? [])] };
  return { ...words, needsFocus: true, title: then };
}

function scrollTitle(act: Title): Title | null {
  if (act.code === 'title.click') return title('title.scroll_then', { then: 'press' });
  if (act.code === 'title.write') return title('title.scroll_then', { then: 'write' });
  return act.code === 'title.set_state' ? title('title.scroll_then', { then: act.params.state }) : null;
}
