import type { Message } from '../../../messages/index.js';
import type { Subject, Title } from '../../protocol/index.js';
import type { Does } from '../plan.js';

export interface Words {
  title: Title;
  /** It is done with the keyboard. */
  keyboard?: true;
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

export const subjectOf = (
  { title, keyboard }: Pick<Words, 'title' | 'keyboard'>,
  rest: Omit<Subject, 'title' | 'keyboard'>,
): Subject => ({ title, ...(keyboard === undefined ? {} : { keyboard }), ...rest });
