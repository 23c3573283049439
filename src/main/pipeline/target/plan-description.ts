import type { Message } from '../../../messages/index.js';
import type { Subject, Title } from '../../protocol/index.js';
import type { Element, Window } from '../../../native/desktop.js';
import { isOneOf, NEVER_ALWAYS } from '../../approvals/app-kinds.js';
import type { AskReason, Plan, PlannedInput } from '../../approvals/plan.js';
import { isOfKind, type AppKind } from '../consequence/key-table.js';

export interface PlanDescription {
  title: Title;
  /** The act uses the keyboard. */
  keyboard?: true;
  text?: string | null;
  notes?: Message[];
  covers?: Message[];
  needsFocus?: boolean;
  alwaysAsk?: boolean;
  asksFor?: AskReason;
  breaksLines?: true;
  /** Left out: a press; with the focus as target, typing the text. */
  does?: PlannedInput;
  /** An element out of view may be scrolled to before the act. */
  mayScroll?: true;
}

export const subjectOf = (
  { title, keyboard }: Pick<PlanDescription, 'title' | 'keyboard'>,
  rest: Omit<Subject, 'title' | 'keyboard'>,
): Subject => ({ title, ...(keyboard === undefined ? {} : { keyboard }), ...rest });

/** Whether a grant may cover it. Line breaks are text where `takesLines`. */
export function askedOf(
  { alwaysAsk = false, asksFor, breaksLines }: Partial<PlanDescription>,
  takesLines: boolean,
): Pick<Plan, 'alwaysAsk' | 'asksFor' | 'breaksLines'> {
  const broken = breaksLines === undefined ? {} : { breaksLines };
  if (alwaysAsk) return { alwaysAsk, ...broken, ...(asksFor === undefined ? {} : { asksFor }) };
  if (breaksLines === undefined || takesLines) return { alwaysAsk, ...broken };
  return { alwaysAsk: true, asksFor: 'enter', ...broken };
}

// Where Enter is text: in text areas of a toolkit, in which it cannot send or run anything.

/** AT-SPI's word for the text areas of GTK and Qt; a terminal has another, and so has what pages draw. */
const TEXT = 'text';
/** In these Enter sends, opens or runs, also from a text area. */
const KINDS: readonly AppKind[] = ['browser', 'chat', 'mail', 'ide', 'emacs', 'terminal', 'files'];

/**
 * In a page the script decides what Enter does in a text area, and chats send with it: nothing that a browser shows counts here. In a
 * window with a button that sends, or with a password, Enter is judged as before, whatever field has the focus.
 */
export function takesLines(element: Element | null, window: Window | null): boolean {
  if (element === null || window === null || element.pid !== window.app.pid) return false;
  if (element.document !== undefined || window.documents !== undefined || window.documentUrl !== null) return false;
  const { role, nativeRole, states } = element;
  if (role !== 'AXTextArea' || nativeRole !== TEXT || !states.editable || states.secure) return false;
  const { id, name, otherIds = [], program = '' } = window.app;
  const names = [id, name, ...otherIds, program.split('/').at(-1) ?? ''];
  return !isOneOf(NEVER_ALWAYS, names) && !KINDS.some((kind) => isOfKind(kind, names.join(' ')));
}
