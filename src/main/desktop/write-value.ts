import { DesktopError, type Element } from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import type { Verification } from '../pipeline/action.js';
import type { RunContext } from '../pipeline/context.js';
import { poll } from '../../base/poll.js';
import { hasPressAction } from './click.js';
import { nameOf } from '../pipeline/target/plans.js';
import { clearByKeys, focusField } from './type-text.js';
import { message } from '../../messages/index.js';

const READ_BACK_MS = 1200;
const STEP_MS = 40;
const NUMBER_ROLES: ReadonlySet<string> = new Set(['AXSlider', 'AXIncrementor', 'AXStepper', 'AXScrollBar']);
/** Roles with options, which are chosen by typing their name. */
const CHOICE_ROLES: ReadonlySet<string> = new Set(['AXComboBox', 'AXPopUpButton']);

interface WriteResult {
  method: 'accessibility' | 'keys';
  /** The value read back; null for secure fields. */
  value: string | null;
  effect: Verification;
}

/** Replaces the value through accessibility where possible, else by keys, and reads it back. */
export async function writeValue(
  ctx: RunContext,
  element: Element,
  value: string,
  signal: AbortSignal,
): Promise<WriteResult> {
  const method = (await byAccessibility(ctx, element, value, signal)) ? 'accessibility' : 'keys';
  if (method === 'keys') await byKeys(ctx, element, value, signal);
  ctx.trace({ step: 'write', method, element: nameOf(element), characters: [...value].length });
  if (element.states.secure)
    return { method, value: null, effect: { effect: 'unverified', before: null, after: null } };
  const now = await readBack(ctx, element, value, signal);
  const same = now !== null && holdsValue(element, now, value);
  const effect = same ? 'confirmed' : now === element.value ? 'no_change' : 'unverified';
  return { method, value: now, effect: { effect, before: element.value, after: now } };
}

async function byAccessibility(
  ctx: RunContext,
  element: Element,
  value: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await ctx.desktop.setValue(element.id, value, signal);
    return true;
  } catch (thrown) {
    if (thrown instanceof DesktopError && thrown.code === 'unsupported' && takesKeys(element)) return false;
    throw notTaken(thrown);
  }
}

const TYPE_INSTEAD = 'click_element it and type_text what it would show, as a person does; then get_element.';

/** The value is invalid, or the element takes only keys, as the parts of a date do. */
function notTaken(thrown: unknown): unknown {
  if (!(thrown instanceof DesktopError)) return thrown;
  if (thrown.code === 'unsupported')
    return new WireError('DESKTOP_UNSUPPORTED', thrown.text, {
      reason: thrown.code,
      ...thrown.details,
      next: TYPE_INSTEAD,
    });
  if (typeof thrown.details['reason'] !== 'string') return thrown;
  const next = `Use a value that it takes (see details, or get_element); or ${TYPE_INSTEAD}`;
  return new WireError('DESKTOP_INVALID_REQUEST', message('error.at', { where: 'value', what: thrown.text }), {
    ...thrown.details,
    next,
  });
}

const takesKeys = (element: Element): boolean =>
  element.states.editable || (CHOICE_ROLES.has(element.role) && hasPressAction(element));

async function byKeys(ctx: RunContext, element: Element, value: string, signal: AbortSignal): Promise<void> {
  await focusPlanWindow(ctx, signal);
  if (CHOICE_ROLES.has(element.role) && !element.states.editable && hasPressAction(element)) {
    await ctx.desktop.performAction(element.id, 'AXPress', signal);
    await ctx.desktop.typeText(value, signal);
    await ctx.desktop.key('enter', true, signal);
    await ctx.desktop.key('enter', false, signal);
    return;
  }
  await focusField(ctx.desktop, element, signal);
  if (element.states.editable) await clearByKeys(ctx.desktop, signal);
  if (value !== '') await ctx.desktop.typeText(value, signal);
}

/** Brings the approved window to the front, the only one that keys and the pointer reach. */
export async function focusPlanWindow(ctx: RunContext, signal: AbortSignal): Promise<void> {
  const window = ctx.plan?.window ?? null;
  if (window === null || (await ctx.desktop.frontmost(signal)).window?.id === window.id) return;
  await ctx.desktop.focusWindow(window.id, signal);
}

async function readBack(ctx: RunContext, element: Element, value: string, signal: AbortSignal): Promise<string | null> {
  const read = async () => (await ctx.desktop.element(element.id, signal)).value;
  const good = await poll(
    async () => {
      const now = await read();
      return now !== null && holdsValue(element, now, value) ? now : null;
    },
    READ_BACK_MS,
    signal,
    STEP_MS,
  );
  return good ?? read();
}

function holdsValue({ role }: Element, now: string, wanted: string): boolean {
  if (now === wanted || now.replaceAll('\u2029', '\n') === wanted) return true;
  return NUMBER_ROLES.has(role) && now !== '' && wanted.trim() !== '' && Number(now) === Number(wanted);
}
