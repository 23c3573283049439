/** Recognises plans that send, pay, delete, sign or authorise something, and presses that nothing identifies: by what is hit, its names, and the page or window around it. */
import type { DesktopReader, Element } from '../../../native/desktop.js';
import { message, type Message } from '../../../messages/index.js';
import { targetElement, type PlannedInput, type Plan } from '../plan.js';
import { blockTexts, hitOf, isActing, isDrawn, shownNames, textsIn, type Hit } from './controls.js';
import { isAmount, isPlainName, kindNamed, type ConsequenceKind } from './naming.js';
import {
  buttonsIn,
  hasContext,
  holdsSecret,
  namesOf,
  openItemsOf,
  surroundingsOf,
  type ElementChain,
  type Surroundings,
} from './surroundings.js';

export interface Recognised {
  kind: ConsequenceKind;
  chain: ElementChain;
  around: Surroundings;
  /** The pressed control; null where keys go to something else. */
  control: Element | null;
  /** What a person reads on it. */
  names?: readonly string[];
}

/** A consequence, or why the person is asked although none is known. Both null: neither. */
export interface Judgement {
  found: Recognised | null;
  unclear: Message | null;
}

const CLEAR: Judgement = { found: null, unclear: null };
const NO_NAME: Judgement = { found: null, unclear: message('note.no_name') };
const NOT_A_CONTROL: Judgement = { found: null, unclear: message('note.not_a_control') };

/** Roles whose items keys delete. */
const ITEM_ROLES: ReadonlySet<string> = new Set(['AXRow', 'AXCell', 'AXList', 'AXTable', 'AXOutline', 'AXImage']);
const ITEM_NATIVE_ROLES: ReadonlySet<string> = new Set(['layered pane', 'icon', 'tree item', 'list item']);
/** A longer text is not a label. */
const MAX_LABEL_LENGTH = 80;

export interface ControlFacts {
  hit: Hit;
  /** What a person reads on it: names, descriptions, values, texts inside. */
  names: readonly string[];
  /** Names in the source of the program or page. */
  identifiers: readonly string[];
  /** Text read there on the screen. */
  says: string | null;
}

function kindOfNames(names: readonly string[], brief = false): ConsequenceKind | null {
  for (const name of names) {
    const kind = kindNamed(name, brief);
    if (kind !== null) return kind;
  }
  return null;
}

/** What a press on this control does, as its names say; `submit` is not among it. Pure. */
export function recogniseControl({ hit, names, identifiers, says }: ControlFacts): ConsequenceKind | null {
  const all = [...names, ...identifiers, ...(says === null ? [] : [says])];
  const { part, control, inPage } = hit;
  if (part === 'press' || (part === 'text' && inPage)) {
    return kindOfNames(all) ?? (names.some((name) => name.length <= MAX_LABEL_LENGTH && isAmount(name)) ? 'pay' : null);
  }
  if (part === 'choose') {
    if (!inPage) return control !== null && isActing(control) ? kindOfNames(names, true) : null;
    const kind = kindOfNames(all, true) ?? kindOfNames(all);
    // The subject of a message may begin like a button.
    return kind === 'send' ? kindOfNames(all, true) : kind;
  }
  if (part === 'text' || part === 'area') return kindOfNames(all, true) ?? (says === null ? null : kindNamed(says));
  return null;
}

async function chainOf(desktop: DesktopReader, element: Element | null, signal: AbortSignal): Promise<ElementChain> {
  return element === null ? [] : [element, ...(await desktop.ancestors(element.id, signal))];
}

const surroundings = (chain: ElementChain, { window }: Plan): Surroundings =>
  surroundingsOf(chain, chain[0]?.pid ?? window?.app.pid ?? 0, window?.id ?? null);

/** The names of what is hit, and where the hit is data with a picture in it, the area that this is. */
async function factsOf(
  desktop: DesktopReader,
  chain: ElementChain,
  says: string | null,
  signal: AbortSignal,
): Promise<ControlFacts> {
  const hit = hitOf(chain);
  const { part, control, inner, inPage } = hit;
  const own = inner.flatMap(shownNames);
  const identifiers = inner.map(({ identifier }) => identifier).filter((one) => one !== '');
  const [first] = chain;
  if (part === 'text' && inPage)
    return { hit, names: [...own, ...(await blockTexts(desktop, chain, signal))], identifiers, says };
  const box = control ?? first;
  if (box === undefined || part === 'edit' || part === 'adjust' || part === 'open')
    return { hit, names: own, identifiers, says };
  const { names, drawn, whole } = await textsIn(desktop, box, signal);
  const blind = part === 'choose' && inPage && drawn && control === first;
  const inside = whole || part !== 'area' ? names : [];
  return { hit: blind ? { ...hit, part: 'area', control: null } : hit, names: [...own, ...inside], identifiers, says };
}

/** A press on this element, or on text read there. */
async function judgePress(
  desktop: DesktopReader,
  plan: Plan,
  element: Element | null,
  says: string | null,
  signal: AbortSignal,
): Promise<Judgement> {
  const chain = await chainOf(desktop, element, signal);
  const facts = await factsOf(desktop, chain, says, signal);
  const { control, part } = facts.hit;
  const around = surroundings(chain, plan);
  const kind = recogniseControl(facts);
  const as = (one: ConsequenceKind): Judgement => ({
    found: { kind: one, chain, around, control, names: facts.names },
    unclear: null,
  });
  if (kind !== null) return as(kind);
  if (control?.role === 'AXButton' && (await holdsSecret(desktop, chain, around, signal))) return as('submit');
  return part === 'area' ? NOT_A_CONTROL : judgeUnknown(desktop, plan, facts, { chain, around }, signal);
}

/** Without a name, or with one that says nothing where payments, accounts, deletions or publishing are near. */
async function judgeUnknown(
  desktop: DesktopReader,
  plan: Plan,
  { hit: { part, inPage }, names }: ControlFacts,
  { chain, around }: { chain: ElementChain; around: Surroundings },
  signal: AbortSignal,
): Promise<Judgement> {
  if (part === 'edit' || part === 'adjust' || part === 'open') return CLEAR;
  const [name] = names;
  if (name === undefined) return NO_NAME;
  const acts = part === 'press' || (part === 'text' && inPage && name.length <= MAX_LABEL_LENGTH);
  if (!acts || isPlainName(name) || !(await hasContext(desktop, plan.window, chain, around, signal))) return CLEAR;
  return { found: null, unclear: message('note.unknown_name', { name: name.slice(0, MAX_LABEL_LENGTH) }) };
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
  const { part } = hitOf(element === null ? [] : [element]);
  const pressed = element !== null && (part === 'press' || (part === 'choose' && isActing(element)));
  if (pressed && (activates || space)) return (await judgePress(desktop, plan, element, null, signal)).found;
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
  return alone || dropped.unclear?.code !== NOT_A_CONTROL.unclear?.code ? CLEAR : dropped;
}

async function judgeInput(
  desktop: DesktopReader,
  plan: Plan,
  does: PlannedInput,
  signal: AbortSignal,
): Promise<Judgement> {
  const { target } = plan;
  const element = targetElement(plan);
  if (does.kind === 'nothing' || (target.kind !== 'point' && target.kind !== 'focus' && target.kind !== 'element'))
    return does.kind === 'nothing' || does.kind === 'press'
      ? CLEAR
      : { found: await recogniseKeys(desktop, plan, does, signal), unclear: null };
  if (does.kind === 'press') return judgePress(desktop, plan, element, does.says ?? null, signal);
  if (does.kind === 'write' && element !== null && hitOf([element]).part !== 'edit')
    return judgeChoice(desktop, plan, element, does.text, signal);
  const found = await recogniseKeys(desktop, plan, does, signal);
  return found === null ? judgeSpace(desktop, does, element, signal) : { found, unclear: null };
}

/** Writing the name of an option chooses it. */
async function judgeChoice(
  desktop: DesktopReader,
  plan: Plan,
  element: Element,
  option: string,
  signal: AbortSignal,
): Promise<Judgement> {
  const kind = kindNamed(option);
  if (kind === null) return CLEAR;
  const chain = await chainOf(desktop, element, signal);
  return {
    found: { kind, chain, around: surroundings(chain, plan), control: element, names: [option] },
    unclear: null,
  };
}

/** Space presses what has the focus. */
async function judgeSpace(
  desktop: DesktopReader,
  does: KeyInput,
  element: Element | null,
  signal: AbortSignal,
): Promise<Judgement> {
  if (does.kind !== 'keys' || !does.keys.some((key) => key === 'space' || key === ' ')) return CLEAR;
  if (element === null) return NO_NAME;
  if (isDrawn(element)) return NOT_A_CONTROL;
  const { hit, names } = await factsOf(desktop, [element], null, signal);
  return hit.part === 'press' && names.length === 0 ? NO_NAME : CLEAR;
}
