/** Selects and expands in the ways that elements offer, and reads the state back. */
import { DesktopError } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import { becomes, performAction, requireEnabled, truth } from './actions.js';
import { roleOf } from './ancestry.js';
import { ACTION, ATTRIBUTE, ROLE, TAB_ROLES } from './names.js';
import { elementOf, listOf } from './plain.js';

/** Lists of what is selected, by which a holder takes one selection in place of another. */
const SELECTIONS = [ATTRIBUTE.selectedRows, ATTRIBUTE.selectedChildren, ATTRIBUTE.selectedCells] as const;

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
