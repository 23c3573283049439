import type { Message } from '../../../messages/index.js';
import type { Subject, Title } from '../../protocol/index.js';
import type { PlannedInput } from '../../approvals/plan.js';

export interface PlanDescription {
  title: Title;
  /** The act uses the keyboard. */
  keyboard?: true;
  text?: string | null;
  notes?: Message[];
  covers?: Message[];
  needsFocus?: boolean;
  alwaysAsk?: boolean;
  /** Left out: a press; with the focus as target, typing the text. */
  does?: PlannedInput;
  /** An element out of view may be scrolled to before the act. */
  mayScroll?: true;
}

export const subjectOf = (
  { title, keyboard }: Pick<PlanDescription, 'title' | 'keyboard'>,
  rest: Omit<Subject, 'title' | 'keyboard'>,
): Subject => ({ title, ...(keyboard === undefined ? {} : { keyboard }), ...rest });
