/** Whether an act, as planned, sends, pays, deletes or signs something: by what is pressed, by its name, and by the form around it. */
import type { DesktopReader, Element } from '../../../native/desktop.js';
import type { Does, Plan } from '../plan.js';
import { kindNamed } from './naming.js';
import { buttonsIn, holdsSecret, openItemsOf, surroundingsOf } from './surroundings.js';
import type { Line, Surroundings } from './surroundings.js';
import { isBox, wordsIn } from './unnamed.js';
import type { Kind } from './words.js';

export interface Recognised {
  kind: Kind;
  line: Line;
  around: Surroundings;
  /** What is pressed; null where keys go to something else. */
  control: Element | null;
}

const CONTROLS: ReadonlySet<string> = new Set(['AXButton', 'AXLink', 'AXMenuItem', 'AXImage']);
/** What is in them is chosen or edited, not pressed. */
const HOLDERS: ReadonlySet<string> = new Set(['AXTextArea', 'AXTextField', 'AXRow', 'AXCell', 'AXComboBox', 'AXPopUpButton', 'AXSlider', 'AXIncrementor', 'AXRadioButton', 'AXCheckBox', 'AXMenu', 'AXMenuBar', 'AXMenuBarItem', 'AXMenuButton', 'AXTabGroup']); // prettier-ignore
const ITEMS: ReadonlySet<string> = new Set(['AXRow', 'AXCell', 'AXList', 'AXTable', 'AXOutline', 'AXImage']);
/** A press on one of these chooses it; where it has an action of its own, that may be all that a button does. */
const CELLS: ReadonlySet<string> = new Set(['AXRow', 'AXCell']);
const ACTIONS: readonly string[] = ['AXPress', 'AXOpen', 'AXConfirm'];
const ITEM_VIEWS: ReadonlySet<string> = new Set(['layered pane', 'icon', 'tree item', 'list item']);
const FAR = 5;

const isControl = ({ role, nativeRole }: Element): boolean => CONTROLS.has(role) || nativeRole === 'toggle button';

/** What an event on the first of the line presses: itself, or what it is a part of. An icon stands for the button around it. */
function pressedIn(line: Line): { control: Element | null; held: boolean; parts: Line } {
  let icon: Element | null = null;
  const near = line.slice(0, FAR);
  for (const [index, one] of near.entries()) {
    const parts = near.slice(0, index + 1).filter(isControl);
    if (isControl(one) && one.role !== 'AXImage') return { control: one, held: false, parts };
    if (icon === null && isControl(one)) icon = one;
    if (HOLDERS.has(one.role)) return { control: icon, held: icon === null, parts };
  }
  return { control: icon, held: false, parts: icon === null ? [] : [icon] };
}

/** The cell or list item itself that acts when it is pressed; what only lies in a row that does is data. */
function actingCell(line: Line): Element | null {
  const index = line.slice(0, FAR).findIndex(({ role }) => CELLS.has(role));
  const cell = line[index];
  const drawn = line.slice(0, Math.max(index, 0)).every(({ role }) => !HOLDERS.has(role));
  return cell !== undefined && drawn && cell.actions.some((one) => ACTIONS.includes(one)) ? cell : null;
}

/** Of a cell, or of a mere box: its short name, else the few words in it. */
async function kindOn(desktop: DesktopReader, one: Element, signal: AbortSignal): Promise<Kind | null> {
  if (one.title !== '') return kindNamed(one.title, true);
  const words = await wordsIn(desktop, one, signal);
  return words === null ? null : kindNamed(words.join(' '), true);
}

const namesOf = ({ title, description, identifier }: Element): string[] => [title, description, identifier];

function named(names: readonly string[], brief = false): Kind | null {
  for (const name of names) {
    const kind = kindNamed(name, brief);
    if (kind !== null) return kind;
  }
  return null;
}

async function lineOf(desktop: DesktopReader, element: Element | null, signal: AbortSignal): Promise<Line> {
  return element === null ? [] : [element, ...(await desktop.ancestors(element.id, signal))];
}

const surroundings = (line: Line, { window }: Plan): Surroundings =>
  surroundingsOf(line, line[0]?.pid ?? window?.app.pid ?? 0, window?.id ?? null);

/** A press on this element, or on words read there. */
async function press(
  desktop: DesktopReader,
  plan: Plan,
  element: Element | null,
  says: string | null,
  signal: AbortSignal,
): Promise<Recognised | null> {
  const line = await lineOf(desktop, element, signal);
  const { control, held, parts } = pressedIn(line);
  const around = surroundings(line, plan);
  const told = (kind: Kind | null) => (kind === null ? null : { kind, line, around, control });
  const own =
    control !== null
      ? (named(parts.flatMap(namesOf)) ?? named(line.slice(0, 1).flatMap(namesOf), true))
      : held || element === null
        ? null
        : named(namesOf(element), true);
  const read = says === null || held ? null : kindNamed(says, control === null);
  if (own !== null || read !== null) return told(own ?? read);
  const bare = held ? actingCell(line) : control === null && element !== null && isBox(element) ? element : null;
  if (bare !== null) return told(await kindOn(desktop, bare, signal));
  const submits = control?.role === 'AXButton' && (await holdsSecret(desktop, line, around, signal));
  return told(submits ? 'submit' : null);
}

interface Keyed {
  activates: boolean;
  space: boolean;
  /** A key that moves the focus comes before one that presses what has it. */
  elsewhere: boolean;
  deletes: boolean;
  mnemonics: readonly string[];
}

const MOVING: ReadonlySet<string> = new Set(['tab', '\t', 'up', 'down', 'left', 'right']);
const PRESSING: ReadonlySet<string> = new Set(['enter', 'kpenter', '\n', '\r', 'space', ' ']);

/** What keys can do beside writing. */
function keyed(does: Extract<Does, { kind: 'keys' | 'text' | 'write' }>): Keyed {
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
    elsewhere: keys.slice(keys.findIndex((key) => MOVING.has(key)) + 1 || keys.length).some((key) => PRESSING.has(key)),
    deletes: has('delete') || (has('backspace') && modifiers.includes('cmd')),
    mnemonics: modifiers.includes('alt')
      ? keys.filter((key) => [...key].length === 1).map((key) => key.toLowerCase())
      : [],
  };
}

async function typed(
  desktop: DesktopReader,
  plan: Plan,
  does: Extract<Does, { kind: 'keys' | 'text' | 'write' }>,
  signal: AbortSignal,
): Promise<Recognised | null> {
  const element = elementOf(plan);
  const { activates, space, deletes, mnemonics, ...moved } = keyed(does);
  const inMenu = await chosenInMenu(desktop, plan, does, signal);
  if (inMenu !== null) return inMenu;
  if (!activates && !space && !deletes && mnemonics.length === 0) return null;
  // A tab in a text is a character of it.
  const elsewhere = moved.elsewhere && (does.kind === 'keys' || element?.role !== 'AXTextArea');
  const pressed =
    element !== null && (activates || space) && (pressedIn([element]).control ?? actingCell([element])) !== null;
  if (pressed) return press(desktop, plan, element, null, signal);
  const line = await lineOf(desktop, element, signal);
  const around = surroundings(line, plan);
  if (deletes && element !== null && isItem(element)) return { kind: 'delete', line, around, control: null };
  if (!activates && !elsewhere && mnemonics.length === 0) return null;
  if ((activates || elsewhere) && (await holdsSecret(desktop, line, around, signal)))
    return { kind: 'submit', line, around, control: null };
  const { elements } = await buttonsIn(desktop, elsewhere ? around.root : (around.scopes[0] ?? around.root), signal);
  for (const button of elements) {
    const kind = named(namesOf(button));
    if (kind === null) continue;
    const mnemonic = mnemonics.some((key) => button.title.toLowerCase().includes(key));
    // Enter sends from a field; what deletes is pressed by it in a dialog only.
    if (mnemonic || elsewhere || (activates && (kind !== 'delete' || around.dialog)))
      return { kind, line, around, control: null };
  }
  return null;
}

/** Keys that choose nothing in a menu. */
const PASSING: ReadonlySet<string> = new Set(['escape', 'up', 'down', 'left', 'right', 'home', 'end', 'pageup', 'pagedown']); // prettier-ignore

/** Any other key may choose an item of an open menu: by its letter, or the one that is marked. */
async function chosenInMenu(
  desktop: DesktopReader,
  plan: Plan,
  does: Extract<Does, { kind: 'keys' | 'text' | 'write' }>,
  signal: AbortSignal,
): Promise<Recognised | null> {
  const pid = plan.window?.app.pid;
  if (pid === undefined || does.kind === 'write') return null;
  if (does.kind === 'keys' && does.keys.every((key) => PASSING.has(key))) return null;
  for (const item of await openItemsOf(desktop, pid, signal)) {
    const kind = named(namesOf(item));
    if (kind === null) continue;
    const line = await lineOf(desktop, item, signal);
    return { kind, line, around: surroundings(line, plan), control: null };
  }
  return null;
}

const isItem = ({ role, nativeRole, states }: Element): boolean =>
  !states.editable && (ITEMS.has(role) || ITEM_VIEWS.has(nativeRole));

function elementOf({ target }: Plan): Element | null {
  return target.kind === 'element' || target.kind === 'point' || target.kind === 'focus' ? target.element : null;
}

export async function recognise(desktop: DesktopReader, plan: Plan, signal: AbortSignal): Promise<Recognised | null> {
  const does = plan.does ?? { kind: 'press' };
  const own = await ownAct(desktop, plan, does, signal);
  if (own !== null || plan.drop === undefined) return own;
  const hit = await desktop.elementAt(plan.drop.point, signal);
  return hit === null ? null : press(desktop, plan, hit, null, signal);
}

async function ownAct(desktop: DesktopReader, plan: Plan, does: Does, signal: AbortSignal): Promise<Recognised | null> {
  if (does.kind === 'nothing') return null;
  if (does.kind !== 'press') return typed(desktop, plan, does, signal);
  const element = elementOf(plan);
  return element === null && does.says === undefined ? null : press(desktop, plan, element, does.says ?? null, signal);
}
