/** How an act is called that first scrolls to its target. Pure. */
import { title } from '../../protocol/index.js';
import type { Title } from '../../protocol/index.js';
import type { Words } from './words.js';
import { message } from '../../../messages/index.js';

/** In the title, or beside it where the act has no short name. The wheel reaches only what is in front. */
export function scrolling(words: Words): Words {
  const then = titleThen(words.title);
  if (then === null)
    return { ...words, needsFocus: true, notes: [message('note.scrolls_first'), ...(words.notes ?? [])] };
  return { ...words, needsFocus: true, title: then };
}

function titleThen(act: Title): Title | null {
  if (act.code === 'title.click') return title('title.scroll_then', { then: 'press' });
  if (act.code === 'title.write') return title('title.scroll_then', { then: 'write' });
  return act.code === 'title.set_state' ? title('title.scroll_then', { then: act.params.state }) : null;
}
