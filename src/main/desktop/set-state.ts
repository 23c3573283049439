import { DesktopError, type Element } from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import type { Verification } from '../pipeline/action.js';
import type { RunContext } from '../pipeline/context.js';
import { poll } from '../../base/poll.js';
import { clickFrame, hasPressAction } from './click.js';
import { nameOf } from '../pipeline/target/plans.js';
import { focusPlanWindow } from './write-value.js';
import { message } from '../../messages/index.js';

export const STATE_NAMES = ['checked', 'selected', 'expanded'] as const;
type StateName = (typeof STATE_NAMES)[number];

export interface StateChange {
  part: StateName;
  on: boolean;
}

const READ_BACK_MS = 1500;
const STEP_MS = 40;

/** Throws where the element has no such state. */
export function assertHasState(element: Element, part: StateName): void {
  if (element.states[part] !== null) return;
  const has = STATE_NAMES.filter((one) => element.states[one] !== null);
  const asked = { name: nameOf(element), role: element.role, state: part };
  throw new WireError('DESKTOP_UNSUPPORTED', message('error.no_such_state', asked), {
    reason: 'no_such_state',
    states: has,
    next: has.length === 0 ? 'Click it, or choose another element.' : `It has: ${has.join(', ')}.`,
  });
}

/** Sets the state unless it is set already, and reads it back. */
export async function setState(
  ctx: RunContext,
  element: Element,
  { part, on }: StateChange,
  signal: AbortSignal,
): Promise<{ method: 'none' | 'accessibility' | 'pointer' | 'keys'; effect: Verification }> {
  const before = element.states[part];
  if (before === on)
    return { method: 'none', effect: { effect: 'confirmed', before: { [part]: before }, after: { [part]: before } } };
  const method =
    part === 'checked' ? await press(ctx, element, signal) : await setOrClick(ctx, element, { part, on }, signal);
  ctx.trace({ step: 'set', part, on, method, element: nameOf(element) });
  const read = async () => (await ctx.desktop.element(element.id, signal)).states[part];
  const good = await poll(async () => ((await read()) === on ? true : null), READ_BACK_MS, signal, STEP_MS);
  const after = good === true ? on : await read();
  const effect = after === on ? 'confirmed' : after === before ? 'no_change' : 'unverified';
  return { method, effect: { effect, before: { [part]: before }, after: { [part]: after } } };
}

async function press(ctx: RunContext, element: Element, signal: AbortSignal): Promise<'accessibility' | 'pointer'> {
  if (hasPressAction(element)) {
    await ctx.desktop.performAction(element.id, 'AXPress', signal);
    return 'accessibility';
  }
  await focusPlanWindow(ctx, signal);
  await clickFrame(ctx.desktop, element, signal, ctx.plan?.window ?? null);
  return 'pointer';
}

async function setOrClick(
  ctx: RunContext,
  element: Element,
  { part, on }: StateChange,
  signal: AbortSignal,
): Promise<'accessibility' | 'pointer' | 'keys'> {
  try {
    await (part === 'selected'
      ? ctx.desktop.setSelected(element.id, on, signal)
      : ctx.desktop.setExpanded(element.id, on, signal));
    return 'accessibility';
  } catch (thrown) {
    if (!(thrown instanceof DesktopError) || thrown.code !== 'unsupported') throw thrown;
    if (part === 'selected' && !on) throw thrown;
  }
  await focusPlanWindow(ctx, signal);
  await clickFrame(ctx.desktop, element, signal, ctx.plan?.window ?? null);
  if (part === 'selected') return 'pointer';
  const arrow = on ? 'right' : 'left';
  await ctx.desktop.key(arrow, true, signal);
  await ctx.desktop.key(arrow, false, signal);
  return 'keys';
}

/** Aliases (lower case, without AX and spaces) and the AX actions they may mean, most likely first. */
// prettier-ignore
const SPELLINGS: ReadonlyMap<string, readonly string[]> = new Map([
  ['click', ['AXPress', 'AXPick']], ['tap', ['AXPress', 'AXPick']], ['push', ['AXPress']], ['activate', ['AXPress', 'AXConfirm']],
  ['toggle', ['AXPress']], ['default', ['AXPress']], ['dodefault', ['AXPress']], ['press', ['AXPress']],
  ['openmenu', ['AXShowMenu']], ['menu', ['AXShowMenu']], ['contextmenu', ['AXShowMenu']], ['showcontextmenu', ['AXShowMenu']],
  ['showmenu', ['AXShowMenu']], ['increase', ['AXIncrement']], ['decrease', ['AXDecrement']],
  ['select', ['AXPick', 'AXPress']], ['choose', ['AXPick', 'AXPress']], ['focus', ['AXSetFocus', 'AXRaise']],
  ['expand', ['AXExpand', 'AXExpandOrContract']], ['collapse', ['AXCollapse', 'AXExpandOrContract']],
  ['enter', ['AXConfirm']], ['submit', ['AXConfirm']], ['ok', ['AXConfirm']], ['close', ['AXClose', 'AXCancel']], ['dismiss', ['AXCancel']],
]);

const normalizeName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/^ax(?=.)/, '')
    .replaceAll(/[\s_-]/g, '');

/** The element's action with this name or alias. Throws where it has none. */
export function findAction(element: Element, given: string): string {
  const wanted = normalizeName(given);
  const own = element.actions.find((action) => normalizeName(action) === wanted);
  const meant = own ?? SPELLINGS.get(wanted)?.find((action) => element.actions.includes(action));
  if (meant !== undefined) return meant;
  const offers = {
    name: nameOf(element),
    role: element.role,
    action: given.slice(0, 100),
    has: element.actions.length === 0 ? 'none' : 'other',
    actions: element.actions.join(', '),
  } as const;
  throw new WireError('DESKTOP_INVALID_REQUEST', message('error.no_such_action', offers), {
    reason: 'unknown_action',
    actions: element.actions,
    next:
      element.actions.length === 0
        ? 'click_element clicks it with the pointer.'
        : `Use one of: ${element.actions.join(', ')}.`,
  });
}

/** Action names that usually cannot be undone. */
export const isDestructive = (given: string): boolean =>
  /delete|remove|destroy|erase|trash|close|quit|discard/.test(normalizeName(given));
