/** Selects the controls of a tree, with their visible frames and labels. Pure. */
import { intersect } from '../../../base/rect.js';
import type { Element, Rect, Tree } from '../../../native/desktop.js';

export interface Mark {
  element: Element;
  label: string;
  /** The visible part of its frame, in points. */
  frame: Rect;
}

export interface Candidate extends Mark {
  inMenu: boolean;
}

/** Controls smaller than this cannot be told apart. */
const MIN_SIDE_POINTS = 5;
const MAX_INNER_TEXTS = 8;
const MAX_LABEL_LENGTH = 60;
/** Marked even if they report no actions. */
const CONTROLS: ReadonlySet<string> = new Set([
  'AXButton', 'AXCheckBox', 'AXRadioButton', 'AXTextField', 'AXTextArea', 'AXComboBox', 'AXPopUpButton', 'AXMenuButton', 'AXMenuItem', 'AXMenuBarItem',
  'AXLink', 'AXSlider', 'AXIncrementor', 'AXDisclosureTriangle', 'AXSwitch', 'AXColorWell', 'AXDateField',
]); // prettier-ignore
/** Never marked, though some applications give them an action. */
const NOT_CONTROLS: ReadonlySet<string> = new Set([
  'AXApplication', 'AXWindow', 'AXSheet', 'AXWebArea', 'AXScrollArea', 'AXScrollBar', 'AXStaticText', 'AXToolbar', 'AXMenuBar', 'AXTabGroup', 'AXTable', 'AXOutline', 'AXList', 'AXGroup', 'AXHeading',
]); // prettier-ignore
const CLIPPING: ReadonlySet<string> = new Set(['AXScrollArea', 'AXWebArea']);

/** What descendants inherit from a node. */
interface Around {
  /** The area that clips them; null: not visible at all. */
  clip: Rect | null;
  /** The enclosing control. */
  control: Rect | null;
  inMenu: boolean;
  inComboBox: boolean;
}

/** In tree order. A control inside another of the same size counts once. Items of an open menu may lie anywhere in `area`, because the menu is a window of its own. */
export function candidates(tree: Tree, inWindow: Rect, area: Rect, menus: boolean): Candidate[] {
  const all: Around[] = [];
  const found: Candidate[] = [];
  for (const [index, { element, parent }] of tree.nodes.entries()) {
    const outer = all[parent] ?? { clip: inWindow, control: null, inMenu: false, inComboBox: false };
    const { frame, role } = element;
    const inMenu = outer.inMenu && role !== 'AXMenuBar';
    const clip = inMenu ? (menus ? area : null) : outer.clip;
    const seen = frame === null || clip === null || outer.inComboBox ? null : intersect(frame, clip);
    const marked = seen !== null && isControl(element) && isSeen(element, seen) && !isSame(seen, outer.control);
    all.push({
      clip: CLIPPING.has(role) && frame !== null ? seen : outer.clip,
      control: marked ? seen : outer.control,
      inMenu: inMenu || role === 'AXMenu',
      inComboBox: outer.inComboBox || role === 'AXComboBox',
    });
    if (marked) found.push({ element, label: labelOf(tree, index), frame: seen, inMenu });
  }
  return found;
}

function isControl({ role, actions, states, title, description }: Element): boolean {
  if (!states.visible || !states.enabled || NOT_CONTROLS.has(role)) return false;
  if (CONTROLS.has(role) || states.editable) return true;
  if (role === 'AXRow' || role === 'AXCell') return actions.length > 0 || states.selected !== null;
  return actions.includes('AXPress') && (title !== '' || description !== '');
}

function isSeen({ frame }: Element, seen: Rect): boolean {
  return frame !== null && seen.width >= MIN_SIDE_POINTS && seen.height >= MIN_SIDE_POINTS;
}

function isSame(frame: Rect, around: Rect | null): boolean {
  const shared = around === null ? null : intersect(frame, around);
  if (around === null || shared === null) return false;
  return shared.width * shared.height > 0.8 * around.width * around.height;
}

/** The label: its own name, else the texts inside it. */
function labelOf(tree: Tree, index: number): string {
  const own = tree.nodes[index];
  if (own === undefined) return '';
  const { title, description } = own.element;
  if (title !== '' || description !== '') return title === '' ? description : title;
  for (const { element, depth } of tree.nodes.slice(index + 1, index + 1 + MAX_INNER_TEXTS)) {
    if (depth <= own.depth) break;
    const words = element.title === '' ? (element.value ?? '') : element.title;
    if (words !== '' && !element.states.secure) return words.slice(0, MAX_LABEL_LENGTH);
  }
  return '';
}
