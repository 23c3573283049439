import type { ElementStates } from '../../desktop.js';
import { CHECKABLE, ROLE } from './roles.js';

/** AT-SPI's numbers for states; a state set is two 32-bit words. */
export const STATE = {
  active: 1, busy: 3, checked: 4, defunct: 6, editable: 7, enabled: 8, expandable: 9, expanded: 10, focusable: 11, focused: 12,
  iconified: 15, modal: 16, multiLine: 17, pressed: 20, selectable: 22, selected: 23, sensitive: 24, showing: 25,
  visible: 30, managesDescendants: 31, checkable: 41, readOnly: 43,
} as const; // prettier-ignore

export type StateSet = readonly [number, number];

export function has(states: StateSet, state: number): boolean {
  const word = states[state >> 5] ?? 0;
  return ((word >>> (state & 31)) & 1) === 1;
}

export function withState([low, high]: StateSet, state: number): StateSet {
  return state < 32 ? [(low | (1 << state)) >>> 0, high] : [low, (high | (1 << (state - 32))) >>> 0];
}

export function withoutState([low, high]: StateSet, state: number): StateSet {
  return state < 32 ? [(low & ~(1 << state)) >>> 0, high] : [low, (high & ~(1 << (state - 32))) >>> 0];
}

export function stateSet(value: unknown): StateSet {
  if (!Array.isArray(value)) return [0, 0];
  const [low, high]: unknown[] = value;
  return [typeof low === 'number' ? low : 0, typeof high === 'number' ? high : 0];
}

export function describeStates(role: number, set: StateSet, secure: boolean): ElementStates {
  const is = (state: number): boolean => has(set, state);
  const checkable = CHECKABLE.has(role) || is(STATE.checkable);
  return {
    enabled: is(STATE.enabled) || is(STATE.sensitive),
    visible: is(STATE.showing),
    focused: is(STATE.focused),
    editable: is(STATE.editable) && !is(STATE.readOnly),
    secure,
    checked: checkable ? is(STATE.checked) || (role === ROLE.toggleButton && is(STATE.pressed)) : null,
    selected: is(STATE.selectable) || is(STATE.selected) ? is(STATE.selected) : tabSelected(role, set),
    expanded: is(STATE.expandable) ? is(STATE.expanded) : null,
  };
}

/** Qt reports the selected tab only as focused. */
function tabSelected(role: number, set: StateSet): boolean | null {
  return role === ROLE.pageTab ? has(set, STATE.focused) : null;
}
