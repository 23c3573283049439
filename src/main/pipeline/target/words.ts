import type { Message } from '../../../messages/index.js';
import type { Does } from '../plan.js';

export interface Words {
  verb: string;
  done: string;
  text?: string | null;
  notes?: Message[];
  covers?: Message[];
  needsFocus?: boolean;
  alwaysAsk?: boolean;
  /** Left out: a press on an element or point; to the focus, its text is typed. */
  does?: Does;
  /** An element out of view is scrolled to before the act. */
  mayScroll?: true;
}
