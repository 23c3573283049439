/** Recognises presses that send, pay, delete, sign or authorise something, and those that nothing identifies: by what is hit, its names, and the page or window around it. */
import type { DesktopReader, Element, TreeNode } from '../../../native/desktop.js';
import { message, type Message } from '../../../messages/index.js';
import type { Plan, ConsequenceKind } from '../../approvals/plan.js';
import { isAmount, isName, isPlainName, kindNamed } from './naming.js';
import { hasContext, holdsSecret, surroundingsOf, type ElementChain, type Surroundings } from './surroundings.js';

// What a press hits: a control, data, a text, or an area that nothing identifies; and the texts that a person reads
// there.

/**
 * `press` acts; `open` shows choices; `choose` selects data; `edit` places a caret; `adjust` moves or counts; `text` is read, and in
 * a browser may act; `area` is all else: its content is known only from the picture.
 */
type Part = 'press' | 'open' | 'choose' | 'edit' | 'adjust' | 'text' | 'area';

const ROLES: Readonly<Record<Exclude<Part, 'area'>, readonly string[]>> = {
  press: ['AXButton', 'AXLink', 'AXMenuItem', 'AXMenuButton', 'AXCheckBox', 'AXRadioButton', 'AXDisclosureTriangle', 'AXColorWell', 'AXDockItem'], // prettier-ignore
  open: ['AXComboBox', 'AXPopUpButton', 'AXMenu', 'AXMenuBarItem'],
  choose: ['AXRow', 'AXCell', 'AXColumn'],
  edit: ['AXTextField', 'AXTextArea', 'AXSearchField', 'AXSecureTextField', 'AXDateField', 'AXTimeField'],
  adjust: ['AXSlider', 'AXScrollBar', 'AXSplitter', 'AXIncrementor', 'AXStepper', 'AXValueIndicator', 'AXHandle'],
  text: ['AXStaticText', 'AXHeading'],
};
const PART_OF = new Map(
  Object.entries(ROLES).flatMap(([part, roles]) => roles.map((role) => [role, part as Exclude<Part, 'area'>] as const)),
);
/** Icons of an icon view are chosen, as rows are. */
const ICON_ROLES: ReadonlySet<string> = new Set(['icon', 'desktop icon']);
const PICTURE_ROLES: ReadonlySet<string> = new Set(['canvas', 'drawing area', 'image', 'embedded', 'video', 'animation', 'chart', 'image map']); // prettier-ignore
const PRESS_ACTIONS: readonly string[] = ['AXPress', 'AXOpen', 'AXConfirm'];
const MAX_PARTS = 8;

function partOf({ role, nativeRole, states, title }: Element): Part {
  if (states.editable) return 'edit';
  if (ICON_ROLES.has(nativeRole) && title !== '') return 'choose';
  return PART_OF.get(role) ?? 'area';
}

interface Hit {
  part: Part;
  /** The control or the data; null for a text or an area. */
  control: Element | null;
  /** From what was hit up to the control. */
  inner: ElementChain;
  /** In a page: there everything may act, as browsers do not tell what listens to clicks. */
  inPage: boolean;
}

/** What an event on the first element of the chain reaches: the nearest control around it. */
export function hitOf(chain: ElementChain): Hit {
  const near = chain.slice(0, MAX_PARTS);
  const inPage = chain[0]?.document !== undefined;
  const parts = near.map(partOf);
  const index = parts.findIndex((part) => part !== 'text' && part !== 'area');
  const [part, control] = [parts[index], near[index]];
  if (part === undefined || control === undefined)
    return { part: parts[0] ?? 'area', control: null, inner: near.slice(0, 1), inPage };
  const inner = near.slice(0, index + 1);
  const drawn = part === 'choose' && inPage && inner.some(({ nativeRole }) => PICTURE_ROLES.has(nativeRole));
  return drawn ? { part: 'area', control: null, inner, inPage } : { part, control, inner, inPage };
}

/** A row or cell that tells of an action besides being chosen. */
export const isActing = ({ actions }: Element): boolean => actions.some((one) => PRESS_ACTIONS.includes(one));

/** Areas that the application draws itself, perhaps with buttons. */
export const isDrawn = ({ nativeRole }: Element): boolean => nativeRole === 'drawing area' || nativeRole === 'canvas';

const LIMITS = { maxDepth: 5, maxNodes: 40, timeoutMs: 1500 };
const MAX_BLOCKS = 3;
const MAX_BLOCK_LENGTH = 60;

interface Texts {
  /** Names and texts, each once; then all of them as one, with and without spaces. */
  names: string[];
  /** A picture is among it. */
  drawn: boolean;
  whole: boolean;
}

const readable = ({ title, description, value }: Element): string[] =>
  [title, description, value ?? ''].map((text) => text.trim()).filter((text) => text !== '');

/** The texts in the element, without those of controls in it. */
async function textsIn(desktop: DesktopReader, { pid, id }: Element, signal: AbortSignal): Promise<Texts> {
  const { nodes, truncated } = await desktop.tree({ pid, elementId: id }, LIMITS, signal);
  const inside = nodes.filter((node, index) => index > 0 && !isInControl(nodes, node));
  const leaves = inside.flatMap(({ element }) => readable(element).slice(0, 1));
  const once = leaves.filter((text, index) => text !== leaves[index - 1]);
  const all = once.length > 1 ? [once.join(' '), once.join('')] : [];
  return {
    names: [...new Set([...inside.flatMap(({ element }) => readable(element)), ...all])],
    drawn: inside.some(({ element }) => PICTURE_ROLES.has(element.nativeRole)),
    whole: !truncated.depth && !truncated.nodes && !truncated.time,
  };
}

function isInControl(nodes: readonly TreeNode[], node: TreeNode): boolean {
  for (let at: TreeNode | undefined = node; at !== undefined && at.parent >= 0; at = nodes[at.parent]) {
    const part = partOf(at.element);
    if (part !== 'text' && part !== 'area') return true;
  }
  return false;
}

/** The texts of the short blocks around a text: its words may be split between elements. */
async function blockTexts(desktop: DesktopReader, chain: ElementChain, signal: AbortSignal): Promise<string[]> {
  const blocks = chain.slice(1, 1 + MAX_BLOCKS);
  const found: string[] = [];
  for (const block of blocks) {
    if (block.role === 'AXWebArea' || block.role === 'AXWindow') break;
    const { names, whole } = await textsIn(desktop, block, signal);
    if (!whole || names.some((text) => text.length > MAX_BLOCK_LENGTH)) break;
    found.push(...names);
  }
  return [...new Set(found)];
}

/** What a person reads on an element. */
const shownNames = readable;

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

export const CLEAR: Judgement = { found: null, unclear: null };
export const NO_NAME: Judgement = { found: null, unclear: message('note.no_name') };
export const NOT_A_CONTROL: Judgement = { found: null, unclear: message('note.not_a_control') };

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

export function kindOfNames(names: readonly string[], brief = false): ConsequenceKind | null {
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
  // Pages call buttons so.
  if (part === 'open') return inPage ? kindOfNames(all, true) : null;
  if (part === 'text' || part === 'area') return kindOfNames(all, true) ?? (says === null ? null : kindNamed(says));
  return null;
}

export async function chainOf(
  desktop: DesktopReader,
  element: Element | null,
  signal: AbortSignal,
): Promise<ElementChain> {
  return element === null ? [] : [element, ...(await desktop.ancestors(element.id, signal))];
}

export const surroundings = (chain: ElementChain, { window }: Plan): Surroundings =>
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
  if (box === undefined || part === 'edit' || part === 'adjust' || (part === 'open' && !inPage))
    return { hit, names: own, identifiers, says };
  const { names, drawn, whole } = await textsIn(desktop, box, signal);
  const blind = part === 'choose' && inPage && drawn && control === first;
  const inside = whole || part !== 'area' ? names : [];
  return { hit: blind ? { ...hit, part: 'area', control: null } : hit, names: [...own, ...inside], identifiers, says };
}

/** A press on this element, or on text read there. */
export async function judgePress(
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
  if (name === undefined || ((part === 'press' || inPage) && !names.some(isName))) return NO_NAME;
  const acts = part === 'press' || (part === 'text' && inPage && name.length <= MAX_LABEL_LENGTH);
  // The text drawn inside may differ from the name; one without letters, as an arrow, tells nothing more.
  const inside = part === 'press' ? names.slice(1).filter((one) => /\p{L}/u.test(one)) : [];
  const unknown = [name, ...inside].find((one) => !isPlainName(one));
  if (!acts || unknown === undefined || !(await hasContext(desktop, plan.window, chain, around, signal))) return CLEAR;
  return { found: null, unclear: message('note.unknown_name', { name: unknown.slice(0, MAX_LABEL_LENGTH) }) };
}
