/** Judges what a planned act presses: itself, by keys, by a menu or list that takes them, by a choice, or where a drag ends. */
import type { DesktopReader, Element } from '../../../native/desktop.js';
import { targetElement, type PlannedInput, type Plan } from '../../approvals/plan.js';
import {
  hitOf,
  isActing,
  isDrawn,
  chainOf,
  CLEAR,
  judgePress,
  kindOfNames,
  NO_NAME,
  NOT_A_CONTROL,
  surroundings,
  type Judgement,
  type Recognised,
} from './recognise.js';
import { kindNamed } from './naming.js';
import { buttonsIn, hasLetter, holdsSecret, namesOf, openItemsOf, optionsIn, radiosIn } from './surroundings.js';

/** Roles whose items keys delete. */
const ITEM_ROLES: ReadonlySet<string> = new Set(['AXRow', 'AXCell', 'AXList', 'AXTable', 'AXOutline', 'AXImage']);
const ITEM_NATIVE_ROLES: ReadonlySet<string> = new Set(['layered pane', 'icon', 'tree item', 'list item']);
type KeyInput = Extract<PlannedInput, { kind: 'keys' | 'text' | 'write' }>;

interface KeyEffects {
  activates: boolean;
  space: boolean;
  /** A key that moves the focus precedes one that presses the focused element. */
  elsewhere: boolean;
  deletes: boolean;
  mnemonics: readonly string[];
}

const FOCUS_KEYS: ReadonlySet<string> = new Set(['tab', '\t', 'up', 'down', 'left', 'right']);
const PRESS_KEYS: ReadonlySet<string> = new Set(['enter', 'kpenter', '\n', '\r', 'space', ' ']);

/** What keys may do besides entering text. */
function keyEffects(does: KeyInput): KeyEffects {
  if (does.kind !== 'keys') {
    const text = does.text;
    const elsewhere = does.kind === 'text' && /\t[^]*[\n\r ]/.test(text);
    return { activates: /[\n\r]/.test(text), space: text.includes(' '), elsewhere, deletes: false, mnemonics: [] };
  }
  const { keys, modifiers } = does;
  const has = (...names: string[]) => keys.some((key) => names.includes(key));
  return {
    activates: has('enter', 'kpenter', '\n', '\r'),
    space: has('space', ' '),
    elsewhere: keys
      .slice(keys.findIndex((key) => FOCUS_KEYS.has(key)) + 1 || keys.length)
      .some((key) => PRESS_KEYS.has(key)),
    deletes: has('delete') || (has('backspace') && modifiers.includes('cmd')),
    mnemonics: modifiers.includes('alt')
      ? keys.filter((key) => [...key].length === 1).map((key) => key.toLowerCase())
      : [],
  };
}

async function recogniseKeys(
  desktop: DesktopReader,
  plan: Plan,
  does: KeyInput,
  signal: AbortSignal,
): Promise<Recognised | null> {
  const element = targetElement(plan);
  const { activates, space, deletes, mnemonics, ...moved } = keyEffects(does);
  if (!activates && !space && !deletes && mnemonics.length === 0) return null;
  // In a text area a tab is a character.
  const elsewhere = moved.elsewhere && (does.kind === 'keys' || element?.role !== 'AXTextArea');
  const chain = await chainOf(desktop, element, signal);
  const around = surroundings(chain, plan);
  if (deletes && element !== null && isItem(element)) return { kind: 'delete', chain, around, control: null };
  if (!activates && !elsewhere && mnemonics.length === 0) return null;
  if ((activates || elsewhere) && (await holdsSecret(desktop, chain, around, signal)))
    return { kind: 'submit', chain, around, control: null };
  const { elements } = await buttonsIn(desktop, elsewhere ? around.root : (around.scopes[0] ?? around.root), signal);
  for (const button of elements) {
    const kind = kindOfNames(namesOf(button));
    if (kind === null) continue;
    const mnemonic = mnemonics.some((key) => button.title.toLowerCase().includes(key));
    // Enter in a field submits; a delete button is pressed by Enter only in a dialog.
    if (mnemonic || elsewhere || (activates && (kind !== 'delete' || around.dialog)))
      return { kind, chain, around, control: null };
  }
  return null;
}

/** Enter and space press a focused control; elsewhere they submit or scroll. Null: not a press. */
async function judgePressedKey(
  desktop: DesktopReader,
  plan: Plan,
  does: KeyInput,
  signal: AbortSignal,
): Promise<Judgement | null> {
  const element = targetElement(plan);
  const { activates, space } = keyEffects(does);
  if (!activates && !space) return null;
  if (element === null) return space && does.kind === 'keys' && plan.target.kind === 'focus' ? NO_NAME : null;
  if (isDrawn(element) && does.kind === 'keys') return NOT_A_CONTROL;
  const { part, inPage } = hitOf([element]);
  if (part === 'press' || (part === 'choose' && isActing(element)))
    return judgePress(desktop, plan, element, null, signal);
  if (!inPage || element.role === 'AXWebArea' || (part !== 'area' && part !== 'text')) return null;
  const { found } = await judgePress(desktop, plan, element, null, signal);
  return found === null ? null : { found, unclear: null };
}

const ARROWS: readonly string[] = ['up', 'down', 'left', 'right', 'home', 'end', 'pageup', 'pagedown'];
/** Keys that only navigate in a menu. */
const MENU_NAVIGATION_KEYS: ReadonlySet<string> = new Set(['escape', ...ARROWS]);
/** In a list that is closed, arrows choose. */
const LEAVING_KEYS: ReadonlySet<string> = new Set(['escape', 'tab', '\t']);

/** Keys may choose an item of an open menu or an option of the focused list, by its letter or the highlighted one. */
async function chosenInMenu(
  desktop: DesktopReader,
  plan: Plan,
  does: KeyInput,
  signal: AbortSignal,
): Promise<Recognised | null> {
  const pid = plan.window?.app.pid;
  if (pid === undefined || does.kind === 'write') return null;
  const element = targetElement(plan);
  const onlyKeys = (set: ReadonlySet<string>) => does.kind === 'keys' && does.keys.every((key) => set.has(key));
  const items = onlyKeys(MENU_NAVIGATION_KEYS) ? [] : await openItemsOf(desktop, pid, signal);
  const closed = element !== null && hitOf([element]).part === 'open' && !onlyKeys(LEAVING_KEYS);
  const options = closed ? (await optionsIn(desktop, element, signal)).elements : [];
  const radios =
    arrowsIn(does) && element?.role === 'AXRadioButton' ? await radiosBeside(desktop, element, plan, signal) : [];
  for (const item of [...items, ...options, ...radios].filter((one) => mayChoose(one, does))) {
    const kind = kindOfNames(namesOf(item));
    if (kind === null) continue;
    const chain = await chainOf(desktop, item, signal);
    return { kind, chain, around: surroundings(chain, plan), control: null };
  }
  return null;
}

const arrowsIn = (does: KeyInput): boolean => does.kind === 'keys' && does.keys.some((key) => ARROWS.includes(key));

/** Those that an arrow key may choose instead of this one. */
async function radiosBeside(
  desktop: DesktopReader,
  element: Element,
  plan: Plan,
  signal: AbortSignal,
): Promise<readonly Element[]> {
  const { root } = surroundings(await chainOf(desktop, element, signal), plan);
  return (await radiosIn(desktop, root, signal)).elements;
}

/** A letter alone chooses what has it in its name; all else may choose any. */
function mayChoose(item: Element, does: KeyInput): boolean {
  const keys = does.kind === 'keys' ? [...does.modifiers, ...does.keys] : [...does.text];
  const [key = ''] = keys;
  return keys.length > 1 || !/^[\p{L}\p{N}]$/u.test(key) || hasLetter(item, key);
}

const isItem = ({ role, nativeRole, states }: Element): boolean =>
  !states.editable && (ITEM_ROLES.has(role) || ITEM_NATIVE_ROLES.has(nativeRole));

/** Parts whose drag ends anywhere: text is selected, a handle is moved. */
const DRAGGED_ALONE: ReadonlySet<string> = new Set(['edit', 'adjust']);

export async function judgeAct(desktop: DesktopReader, plan: Plan, signal: AbortSignal): Promise<Judgement> {
  const own = await judgeInput(desktop, plan, plan.does ?? { kind: 'press' }, signal);
  if (own.found !== null || plan.drop === undefined) return own;
  const end = await desktop.elementAt(plan.drop.point, signal);
  const dropped = await judgePress(desktop, plan, end, null, signal);
  if (dropped.found !== null || own.unclear !== null) return dropped.found === null ? own : dropped;
  const start = targetElement(plan);
  const alone = start !== null && DRAGGED_ALONE.has(hitOf(await chainOf(desktop, start, signal)).part);
  return alone ? CLEAR : dropped;
}

async function judgeInput(
  desktop: DesktopReader,
  plan: Plan,
  does: PlannedInput,
  signal: AbortSignal,
): Promise<Judgement> {
  const { target } = plan;
  const element = targetElement(plan);
  if (does.kind === 'nothing') return CLEAR;
  const placed = target.kind === 'point' || target.kind === 'focus' || target.kind === 'element';
  if (does.kind === 'press') return placed ? judgePress(desktop, plan, element, does.says ?? null, signal) : CLEAR;
  if (does.kind === 'write' && element !== null && hitOf([element]).part !== 'edit')
    return judgeChoice(desktop, plan, element, does.text, signal);
  const inMenu = await chosenInMenu(desktop, plan, does, signal);
  if (inMenu !== null) return { found: inMenu, unclear: null };
  const pressed = await judgePressedKey(desktop, plan, does, signal);
  return pressed ?? { found: await recogniseKeys(desktop, plan, does, signal), unclear: null };
}

/** A combo box, or the button of a colour field. */
const OPENED: ReadonlySet<string> = new Set(['open', 'press']);

/** Writing the name of an option chooses it. */
async function judgeChoice(
  desktop: DesktopReader,
  plan: Plan,
  element: Element,
  option: string,
  signal: AbortSignal,
): Promise<Judgement> {
  const kind = kindNamed(option);
  // It may be pressed to open.
  if (kind === null)
    return OPENED.has(hitOf([element]).part) ? judgePress(desktop, plan, element, null, signal) : CLEAR;
  const chain = await chainOf(desktop, element, signal);
  return {
    found: { kind, chain, around: surroundings(chain, plan), control: element, names: [option] },
    unclear: null,
  };
}
