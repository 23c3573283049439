/** What a press hits: a control, data, a text, or an area that nothing identifies; and the texts that a person reads there. */
import type { DesktopReader, Element, TreeNode } from '../../../native/desktop.js';
import type { ElementChain } from './surroundings.js';

/**
 * `press` acts; `open` shows choices; `choose` selects data; `edit` places a caret; `adjust` moves or counts; `text` is read, and in
 * a browser may act; `area` is all else: its content is known only from the picture.
 */
export type Part = 'press' | 'open' | 'choose' | 'edit' | 'adjust' | 'text' | 'area';

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

export interface Hit {
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

export interface Texts {
  /** Names and texts, each once; then all of them as one, with and without spaces. */
  names: string[];
  /** A picture is among it. */
  drawn: boolean;
  whole: boolean;
}

const readable = ({ title, description, value }: Element): string[] =>
  [title, description, value ?? ''].map((text) => text.trim()).filter((text) => text !== '');

/** The texts in the element, without those of controls in it. */
export async function textsIn(desktop: DesktopReader, { pid, id }: Element, signal: AbortSignal): Promise<Texts> {
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
export async function blockTexts(desktop: DesktopReader, chain: ElementChain, signal: AbortSignal): Promise<string[]> {
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
export const shownNames = readable;
