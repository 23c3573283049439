/** Recognises plans that send, pay, delete or sign something: by the pressed control, its name, and the form around it. */
import type { DesktopReader, Element } from '../../../native/desktop.js';
import { targetElement, type PlannedInput, type Plan } from '../plan.js';
import { kindNamed } from './naming.js';
import {
  buttonsIn,
  holdsSecret,
  namesOf,
  openItemsOf,
  surroundingsOf,
  type ElementChain,
  type Surroundings,
} from './surroundings.js';
import { isBox, textsOnControl } from './unnamed.js';
import type { ConsequenceKind } from './terms.js';

export interface Recognised {
  kind: ConsequenceKind;
  chain: ElementChain;
  around: Surroundings;
  /** The pressed control; null where keys go to something else. */
  control: Element | null;
}

const CONTROL_ROLES: ReadonlySet<string> = new Set(['AXButton', 'AXLink', 'AXMenuItem', 'AXImage']);
/** Roles whose content is chosen or edited, not pressed. */
const CONTENT_ROLES: ReadonlySet<string> = new Set(['AXTextArea', 'AXTextField', 'AXRow', 'AXCell', 'AXComboBox', 'AXPopUpButton', 'AXSlider', 'AXIncrementor', 'AXRadioButton', 'AXCheckBox', 'AXMenu', 'AXMenuBar', 'AXMenuBarItem', 'AXMenuButton', 'AXTabGroup']); // prettier-ignore
const ITEM_ROLES: ReadonlySet<string> = new Set(['AXRow', 'AXCell', 'AXList', 'AXTable', 'AXOutline', 'AXImage']);
/** A press selects these; with an action of their own they may act like a button. */
const CELL_ROLES: ReadonlySet<string> = new Set(['AXRow', 'AXCell']);
const PRESS_ACTIONS: readonly string[] = ['AXPress', 'AXOpen', 'AXConfirm'];
const ITEM_NATIVE_ROLES: ReadonlySet<string> = new Set(['layered pane', 'icon', 'tree item', 'list item']);
const MAX_PARTS = 5;

const isPressable = ({ role, nativeRole }: Element): boolean =>
  CONTROL_ROLES.has(role) || nativeRole === 'toggle button';

/** The control that an event on the first element presses: itself or an ancestor. An icon counts as part of the button around it. */
function pressedIn(chain: ElementChain): { control: Element | null; inContent: boolean; parts: ElementChain } {
  let icon: Element | null = null;
  const near = chain.slice(0, MAX_PARTS);
  for (const [index, one] of near.entries()) {
    const parts = near.slice(0, index + 1).filter(isPressable);
    if (isPressable(one) && one.role !== 'AXImage') return { control: one, inContent: false, parts };
    if (icon === null && isPressable(one)) icon = one;
    if (CONTENT_ROLES.has(one.role)) return { control: icon, inContent: icon === null, parts };
  }
  return { control: icon, inContent: false, parts: icon === null ? [] : [icon] };
}

/** A cell or list item with an action of its own; elements that merely lie in such a row are data. */
function actingCell(chain: ElementChain): Element | null {
  const index = chain.slice(0, MAX_PARTS).findIndex(({ role }) => CELL_ROLES.has(role));
  const cell = chain[index];
  const drawn = chain.slice(0, Math.max(index, 0)).every(({ role }) => !CONTENT_ROLES.has(role));
  return cell !== undefined && drawn && cell.actions.some((one) => PRESS_ACTIONS.includes(one)) ? cell : null;
}

/** The kind of a cell or unnamed container, by its short name or the few texts in it. */
async function kindOfCell(desktop: DesktopReader, one: Element, signal: AbortSignal): Promise<ConsequenceKind | null> {
  if (one.title !== '') return kindNamed(one.title, true);
  const words = await textsOnControl(desktop, one, signal);
  return words === null ? null : kindNamed(words.join(' '), true);
}

function kindOfNames(names: readonly string[], brief = false): ConsequenceKind | null {
  for (const name of names) {
    const kind = kindNamed(name, brief);
    if (kind !== null) return kind;
  }
  return null;
}

async function chainOf(desktop: DesktopReader, element: Element | null, signal: AbortSignal): Promise<ElementChain> {
  return element === null ? [] : [element, ...(await desktop.ancestors(element.id, signal))];
}

const surroundings = (chain: ElementChain, { window }: Plan): Surroundings =>
  surroundingsOf(chain, chain[0]?.pid ?? window?.app.pid ?? 0, window?.id ?? null);

/** A press on this element, or on text read there. */
async function recognisePress(
  desktop: DesktopReader,
  plan: Plan,
  element: Element | null,
  says: string | null,
  signal: AbortSignal,
): Promise<Recognised | null> {
  const chain = await chainOf(desktop, element, signal);
  const { control, inContent, parts } = pressedIn(chain);
  const around = surroundings(chain, plan);
  const asRecognised = (kind: ConsequenceKind | null) => (kind === null ? null : { kind, chain, around, control });
  const own =
    control !== null
      ? (kindOfNames(parts.flatMap(namesOf)) ?? kindOfNames(chain.slice(0, 1).flatMap(namesOf), true))
      : inContent || element === null
        ? null
        : kindOfNames(namesOf(element), true);
  const read = says === null || inContent ? null : kindNamed(says, control === null);
  if (own !== null || read !== null) return asRecognised(own ?? read);
  const unnamed = inContent
    ? actingCell(chain)
    : control === null && element !== null && isBox(element)
      ? element
      : null;
  if (unnamed !== null) return asRecognised(await kindOfCell(desktop, unnamed, signal));
  const submits = control?.role === 'AXButton' && (await holdsSecret(desktop, chain, around, signal));
  return asRecognised(submits ? 'submit' : null);
}

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
  const inMenu = await chosenInMenu(desktop, plan, does, signal);
  if (inMenu !== null) return inMenu;
  if (!activates && !space && !deletes && mnemonics.length === 0) return null;
  // In a text area a tab is a character.
  const elsewhere = moved.elsewhere && (does.kind === 'keys' || element?.role !== 'AXTextArea');
  const pressed =
    element !== null && (activates || space) && (pressedIn([element]).control ?? actingCell([element])) !== null;
  if (pressed) return recognisePress(desktop, plan, element, null, signal);
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

/** Keys that only navigate in a menu. */
const MENU_NAVIGATION_KEYS: ReadonlySet<string> = new Set(['escape', 'up', 'down', 'left', 'right', 'home', 'end', 'pageup', 'pagedown']); // prettier-ignore

/** Other keys may choose an item of an open menu, by its letter or the highlighted one. */
async function chosenInMenu(
  desktop: DesktopReader,
  plan: Plan,
  does: KeyInput,
  signal: AbortSignal,
): Promise<Recognised | null> {
  const pid = plan.window?.app.pid;
  if (pid === undefined || does.kind === 'write') return null;
  if (does.kind === 'keys' && does.keys.every((key) => MENU_NAVIGATION_KEYS.has(key))) return null;
  for (const item of await openItemsOf(desktop, pid, signal)) {
    const kind = kindOfNames(namesOf(item));
    if (kind === null) continue;
    const chain = await chainOf(desktop, item, signal);
    return { kind, chain, around: surroundings(chain, plan), control: null };
  }
  return null;
}

const isItem = ({ role, nativeRole, states }: Element): boolean =>
  !states.editable && (ITEM_ROLES.has(role) || ITEM_NATIVE_ROLES.has(nativeRole));

export async function recogniseConsequence(
  desktop: DesktopReader,
  plan: Plan,
  signal: AbortSignal,
): Promise<Recognised | null> {
  const does = plan.does ?? { kind: 'press' };
  const own = await recogniseAct(desktop, plan, does, signal);
  if (own !== null || plan.drop === undefined) return own;
  const hit = await desktop.elementAt(plan.drop.point, signal);
  return hit === null ? null : recognisePress(desktop, plan, hit, null, signal);
}

async function recogniseAct(
  desktop: DesktopReader,
  plan: Plan,
  does: PlannedInput,
  signal: AbortSignal,
): Promise<Recognised | null> {
  if (does.kind === 'nothing') return null;
  if (does.kind !== 'press') return recogniseKeys(desktop, plan, does, signal);
  const element = targetElement(plan);
  return element === null && does.says === undefined
    ? null
    : recognisePress(desktop, plan, element, does.says ?? null, signal);
}
