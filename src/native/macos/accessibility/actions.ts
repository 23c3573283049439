/** Acts on elements, each read back: success of a call says only that the application received it. */
import { DesktopError } from '../../desktop.js';
import { poll } from '../../../base/poll.js';
import { message, type Message } from '../../../messages/index.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import { ATTRIBUTE, ACTION, ROLE, TAB_ROLES } from './names.js';
import { elementOf, truthOf, listOf } from './answers.js';
import { roleOf } from './describe.js';

const CHANGE_TIMEOUT_MS = 1500;
const POLL_MS = 25;

/** Waits until `check` is true; false where it never is. */
export async function becomes(check: () => boolean, signal: AbortSignal): Promise<boolean> {
  return (await poll(() => Promise.resolve(check() || null), CHANGE_TIMEOUT_MS, signal, POLL_MS)) !== null;
}

export function performAction(core: Core, id: string, action: string): void {
  const { ax, elements } = core;
  const ref = elements.refOf(id);
  const actions = ax.actions(ref);
  if (!actions.includes(action)) throw noAction(action, actions);
  requireEnabled(core, ref, message('native.element_disabled'));
  const outcome = ax.perform(ref, action);
  if (outcome === 'unsupported') throw noAction(action, []);
  if (outcome === 'unknown') requireAnswer(core, ref);
}

/** Requests are handled in order: an application that answers a later one has begun with the action. */
function requireAnswer({ ax, scoped }: Core, ref: Ref): void {
  scoped((scope) => ax.attribute(scope, ax.application(scope, ax.pidOf(ref)), ATTRIBUTE.role));
}

export async function focusElement(core: Core, id: string, signal: AbortSignal): Promise<void> {
  const { ax, elements, making } = core;
  const ref = elements.refOf(id);
  if (!ax.settable(ref, ATTRIBUTE.focused)) throw new DesktopError('unsupported', message('native.cannot_focus'));
  ax.set(ref, ATTRIBUTE.focused, making.boolean(true));
  if (await becomes(() => hasFocus(core, ref), signal)) return;
  throw new DesktopError('failed', message('native.focus_not_taken'));
}

/** Asked of the application: elements that ignore the request say that they have the focus, too. */
function hasFocus({ bound, scoped, ax }: Core, ref: Ref): boolean {
  return scoped((scope) => {
    const application = ax.application(scope, ax.pidOf(ref));
    const focused = elementOf(ax.attribute(scope, application, ATTRIBUTE.focusedElement));
    return focused !== null && bound.coreFoundation.CFEqual(focused, ref) !== 0;
  });
}

export function requireEnabled(core: Core, ref: Ref, otherwise: Message): void {
  if (truth(core, ref, ATTRIBUTE.enabled) === false) throw new DesktopError('failed', otherwise);
}

export const truth = ({ scoped, ax }: Core, ref: Ref, name: string): boolean | null =>
  scoped((scope) => truthOf(ax.attribute(scope, ref, name)));

function noAction(action: string, actions: readonly string[]): DesktopError {
  const has = actions.length === 0 ? 'none' : 'other';
  const known = { action, has, actions: [...new Set(actions)].join(', ') } as const;
  return new DesktopError('unsupported', message('native.no_action', known));
}

/** Lists of what is selected, by which a holder takes one selection in place of another. */
const SELECTIONS = [ATTRIBUTE.selectedRows, ATTRIBUTE.selectedChildren, ATTRIBUTE.selectedCells] as const;

/** Selects and expands in the ways that elements offer, and reads the state back. */
export async function setSelected(core: Core, id: string, selected: boolean, signal: AbortSignal): Promise<void> {
  const ref = core.elements.refOf(id);
  const isTab = TAB_ROLES.has(core.scoped((scope) => roleOf(core, scope, ref)));
  const name = isTab ? ATTRIBUTE.value : ATTRIBUTE.selected;
  const now = truth(core, ref, name);
  if (now === null) throw new DesktopError('unsupported', message('native.not_selectable'));
  if (now === selected) return;
  requireEnabled(core, ref, message('native.element_disabled'));
  if (isTab && selected) performAction(core, id, ACTION.press);
  else if (isTab || !select(core, ref, selected)) {
    throw new DesktopError('unsupported', message('native.no_way_to_select'));
  }
  if (await becomes(() => truth(core, ref, name) === selected, signal)) return;
  throw notChanged(selected ? 'selected' : 'deselected');
}

/** False where neither it nor its parent takes a selection. Its own flag comes second: it adds to what is selected. */
function select(core: Core, ref: Ref, selected: boolean): boolean {
  const { ax, making } = core;
  if (selectInParent(core, ref, selected)) return true;
  return ax.settable(ref, ATTRIBUTE.selected) && ax.set(ref, ATTRIBUTE.selected, making.boolean(selected));
}

function selectInParent(core: Core, ref: Ref, selected: boolean): boolean {
  const { ax, making, scoped, bound } = core;
  return scoped((scope) => {
    const parent = elementOf(ax.attribute(scope, ref, ATTRIBUTE.parent));
    const name = parent === null ? undefined : SELECTIONS.find((each) => ax.settable(parent, each));
    if (parent === null || name === undefined) return false;
    const others = listOf(ax.attribute(scope, parent, name)).filter(
      (each) => bound.coreFoundation.CFEqual(each, ref) === 0,
    );
    const list = making.list(scope, selected ? [ref] : others);
    return list !== null && ax.set(parent, name, list);
  });
}

export async function setExpanded(core: Core, id: string, expanded: boolean, signal: AbortSignal): Promise<void> {
  const ref = core.elements.refOf(id);
  const isTriangle = core.scoped((scope) => roleOf(core, scope, ref)) === ROLE.disclosureTriangle;
  const names = [ATTRIBUTE.expanded, ATTRIBUTE.disclosing, ...(isTriangle ? [ATTRIBUTE.value] : [])];
  const name = names.find((each) => truth(core, ref, each) !== null);
  if (name === undefined) throw new DesktopError('unsupported', message('native.not_expandable'));
  if (truth(core, ref, name) === expanded) return;
  requireEnabled(core, ref, message('native.element_disabled'));
  if (name === ATTRIBUTE.value) performAction(core, id, ACTION.press);
  else if (!core.ax.settable(ref, name) || !core.ax.set(ref, name, core.making.boolean(expanded))) {
    throw new DesktopError('unsupported', message('native.no_way_to_expand'));
  }
  if (await becomes(() => truth(core, ref, name) === expanded, signal)) return;
  throw notChanged(expanded ? 'expanded' : 'other');
}

function notChanged(state: 'selected' | 'deselected' | 'expanded' | 'other'): DesktopError {
  return new DesktopError('failed', message('native.did_not_become', { state }));
}
