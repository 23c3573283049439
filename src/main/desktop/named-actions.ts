import type { Element } from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import { nameOf } from '../pipeline/target/plans.js';
import { message } from '../../messages/index.js';

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
