import { DesktopError } from '../../native/desktop.js';
import type { Element } from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import type { Verification } from '../pipeline/action.js';
import type { RunContext } from '../pipeline/context.js';
import { poll } from '../../base/poll.js';
import { pressable } from './click.js';
import { nameOf } from '../pipeline/target/plans.js';
import { clearByKeys, focus } from './type.js';

const READ_BACK_MS = 1200;
const STEP_MS = 40;
const NUMBERS: ReadonlySet<string> = new Set(['AXSlider', 'AXIncrementor', 'AXStepper', 'AXScrollBar']);
/** They take one of their options, which typing its name chooses. */
const CHOICES: ReadonlySet<string> = new Set(['AXComboBox', 'AXPopUpButton']);

export interface Written {
  method: 'accessibility' | 'keys';
  /** As read back; null where it is never read. */
  value: string | null;
  effect: Verification;
}

/** Replaces the value: through accessibility where the element takes it, else by keys. What it holds afterwards is read back. */
export async function writeValue(
  ctx: RunContext,
  element: Element,
  value: string,
  signal: AbortSignal,
): Promise<Written> {
  const method = (await byAccessibility(ctx, element, value, signal)) ? 'accessibility' : 'keys';
  if (method === 'keys') await byKeys(ctx, element, value, signal);
  ctx.trace({ step: 'write', method, element: nameOf(element), characters: [...value].length });
  if (element.states.secure)
    return { method, value: null, effect: { effect: 'unverified', before: null, after: null } };
  const now = await readBack(ctx, element, value, signal);
  const same = now !== null && holds(element, now, value);
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

const BY_HAND = 'click_element it and type_text what it would show, as a person does; then get_element.';

/** The value is at fault, not the application; or it takes keys only, as the parts of a date do. */
function notTaken(thrown: unknown): unknown {
  if (!(thrown instanceof DesktopError)) return thrown;
  if (thrown.code === 'unsupported')
    return new WireError('DESKTOP_UNSUPPORTED', thrown.message, {
      reason: thrown.code,
      ...thrown.details,
      next: BY_HAND,
    });
  if (typeof thrown.details['reason'] !== 'string') return thrown;
  const next = `Use a value that it takes (see details, or get_element); or ${BY_HAND}`;
  return new WireError('DESKTOP_INVALID_REQUEST', `value: ${thrown.message}`, { ...thrown.details, next });
}

const takesKeys = (element: Element): boolean =>
  element.states.editable || (CHOICES.has(element.role) && pressable(element));

async function byKeys(ctx: RunContext, element: Element, value: string, signal: AbortSignal): Promise<void> {
  await bringForward(ctx, signal);
  if (CHOICES.has(element.role) && !element.states.editable && pressable(element)) {
    await ctx.desktop.performAction(element.id, 'AXPress', signal);
    await ctx.desktop.typeText(value, signal);
    await ctx.desktop.key('enter', true, signal);
    await ctx.desktop.key('enter', false, signal);
    return;
  }
  await focus(ctx.desktop, element, signal);
  if (element.states.editable) await clearByKeys(ctx.desktop, signal);
  if (value !== '') await ctx.desktop.typeText(value, signal);
}

/** The approved window to the front, for keys and the pointer reach no other. */
export async function bringForward(ctx: RunContext, signal: AbortSignal): Promise<void> {
  const window = ctx.plan?.window ?? null;
  if (window === null || (await ctx.desktop.frontmost(signal)).window?.id === window.id) return;
  await ctx.desktop.focusWindow(window.id, signal);
}

async function readBack(ctx: RunContext, element: Element, value: string, signal: AbortSignal): Promise<string | null> {
  const read = async () => (await ctx.desktop.element(element.id, signal)).value;
  const good = await poll(
    async () => {
      const now = await read();
      return now !== null && holds(element, now, value) ? now : null;
    },
    READ_BACK_MS,
    signal,
    STEP_MS,
  );
  return good ?? read();
}

function holds({ role }: Element, now: string, wanted: string): boolean {
  if (now === wanted || now.replaceAll('\u2029', '\n') === wanted) return true;
  return NUMBERS.has(role) && now !== '' && wanted.trim() !== '' && Number(now) === Number(wanted);
}
