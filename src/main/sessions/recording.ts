/** What is recorded of an act to repeat it: its arguments without secrets, and its target by role and title instead of ids. */
import { isRecord } from '../../base/type-guards.js';
import type { EndedCall } from '../pipeline/dependencies.js';
import { targetElement, type Plan } from '../approvals/plan.js';

export interface RecordedAct {
  executionId: string;
  tool: string;
  /** null: it typed into a password field, so its text is not kept. */
  arguments: Readonly<Record<string, unknown>> | null;
  app: string | null;
  window: string | null;
  element: { role: string; title: string; identifier: string; pressable: boolean } | null;
}

export interface MacroStep {
  tool: string;
  arguments: Record<string, unknown>;
}

/** The acts of a call that were done: one, or the completed steps of a sequence. */
export function actsOf(call: EndedCall): RecordedAct[] {
  const { executionId, plan } = call;
  if (plan?.steps === undefined)
    return isDone(call.outcome) ? [actOf(executionId, call.tool, call.arguments, plan)] : [];
  const steps = plan.steps.filter((_step, index) => call.done.includes(index));
  return steps.map((step) => actOf(executionId, step.tool, step.arguments, step.plan));
}

const isDone = (outcome: EndedCall['outcome']): boolean =>
  outcome === 'confirmed' || outcome === 'unverified' || outcome === 'no_change';

function actOf(executionId: string, tool: string, given: unknown, plan: Plan | null): RecordedAct {
  const element = targetElement(plan);
  const { role = '', title = '', identifier = '' } = element ?? {};
  return {
    executionId,
    tool,
    arguments: element?.states.secure === true ? withoutSecret(given, plan) : isRecord(given) ? { ...given } : {},
    app: plan?.window?.app.id ?? null,
    window: plan?.window?.title ?? null,
    element: element && { role, title, identifier, pressable: element.actions.includes('AXPress') },
  };
}

/** Only acts that enter no text: a click, or a key that is not a character. */
function withoutSecret(given: unknown, plan: Plan | null): RecordedAct['arguments'] {
  if (!isRecord(given)) return null;
  const { key, modifiers } = given;
  const chord = Array.isArray(modifiers) && modifiers.some((one) => one !== 'shift');
  if (typeof key === 'string') return key.length > 1 || chord ? { ...given } : null;
  return plan?.text === null ? { ...given } : null;
}

/** `nameless`: its target cannot be told from others. */
type NotDurable = 'password' | 'nothing_to_press' | 'nameless';

/** The act with a target that is valid in another run, or the reason why there is none. */
export function durableStep(act: RecordedAct): MacroStep | NotDurable {
  const { tool, arguments: given, app, window } = act;
  if (given === null) return 'password';
  if (app === null) return { tool, arguments: { ...given } };
  if (isPlainClick(tool, given) || 'element_id' in given || nameOf(given).includes('/elements/'))
    return elementStep(act, given, app);
  if (nameOf(given) !== '') {
    const isWindow = nameOf(given).includes('/windows/') && window !== null;
    return { tool, arguments: { ...given, name: isWindow ? windowByTitle(app, window) : app } };
  }
  const place = 'parent' in given || tool === 'wait_element' ? 'parent' : 'application';
  return { tool, arguments: TYPES.has(tool) || place in given ? { ...given, [place]: app } : { ...given } };
}

const nameOf = ({ name }: Readonly<Record<string, unknown>>): string => (typeof name === 'string' ? name : '');

function elementStep(
  { tool, element }: RecordedAct,
  given: Readonly<Record<string, unknown>>,
  app: string,
): MacroStep | NotDurable {
  if (tool === 'click' && element?.pressable !== true) return 'nothing_to_press';
  if (element === null || (element.title === '' && element.identifier === '')) return 'nameless';
  const { element_id: _id, name: _name, ...own } = given;
  const { x: _x, y: _y, space: _space, button: _button, click_count: _count, ...clicked } = own;
  const place = { parent: app, ...named(element) };
  return tool === 'click'
    ? { tool: 'click_element', arguments: { ...clicked, ...place } }
    : { tool, arguments: { ...own, ...place } };
}

const TYPES: ReadonlySet<string> = new Set(['type_text', 'press_key', 'hold_key']);

/** Whether click_element could do the same click. */
const isPlainClick = (tool: string, given: Readonly<Record<string, unknown>>): boolean =>
  tool === 'click' &&
  (given['button'] ?? 'left') === 'left' &&
  (given['click_count'] ?? 1) === 1 &&
  !('modifiers' in given);

const named = ({ role, title, identifier }: { role: string; title: string; identifier: string }) => ({
  role,
  ...(title === '' ? {} : { title }),
  ...(identifier === '' ? {} : { identifier }),
});

const windowByTitle = (app: string, title: string): string =>
  `applications/${app}/windows/title:${encodeURIComponent(title)}`;
