/** Which controls of a picture get a number, and in what order. */
import { inTurn, overlap } from './geometry.js';
import type { Desktop, Element, Rect, Tree, Window } from '../../native/desktop.js';
import { contains, DesktopError } from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import { centre } from '../action/context/plans.js';

export interface Mark {
  element: Element;
  label: string;
  /** The part of it that the picture shows, in points. */
  frame: Rect;
}

export interface Marked {
  marks: Mark[];
  /** What is missing, in sentences. */
  notes: string[];
}

const MOST_MARKS = 120;
const MOST_WINDOWS = 8;
const LIMITS = { maxDepth: 80, maxNodes: 4000, timeoutMs: 4000 };
/** Smaller than this, in points, nothing can be told apart. */
const SMALLEST = 5;
const MOST_INSIDE = 8;
const LONGEST_LABEL = 60;
/** Acted on whatever actions they tell of. */
const CONTROLS: ReadonlySet<string> = new Set([
  'AXButton', 'AXCheckBox', 'AXRadioButton', 'AXTextField', 'AXTextArea', 'AXComboBox', 'AXPopUpButton', 'AXMenuButton', 'AXMenuItem', 'AXMenuBarItem',
  'AXLink', 'AXSlider', 'AXIncrementor', 'AXDisclosureTriangle', 'AXSwitch', 'AXColorWell', 'AXDateField',
]); // prettier-ignore
/** Never a target of their own, though some applications give them an action. */
const NOT_CONTROLS: ReadonlySet<string> = new Set([
  'AXApplication', 'AXWindow', 'AXSheet', 'AXWebArea', 'AXScrollArea', 'AXScrollBar', 'AXStaticText', 'AXToolbar', 'AXMenuBar', 'AXTabGroup', 'AXTable', 'AXOutline', 'AXList',
]); // prettier-ignore
const CLIPPING: ReadonlySet<string> = new Set(['AXScrollArea', 'AXWebArea']);

/** `windows` topmost first. `topmost`: what another window covers is left out, as it is in the picture. */
export async function marksIn(
  desktop: Desktop,
  windows: readonly Window[],
  area: Rect,
  topmost: boolean,
  signal: AbortSignal,
): Promise<Marked> {
  const shown = windows.filter((window) => window.visible && overlap(window.frame, area) !== null);
  const looked = await inTurn(shown.slice(0, MOST_WINDOWS), async (window) => {
    const tree = await treeOf(desktop, window, signal);
    if (tree === null) return { window, marks: [], cut: true };
    const fits = candidates(tree, overlap(window.frame, area) ?? area);
    const above = shown.slice(0, shown.indexOf(window)).map(({ frame }) => frame);
    const marks = topmost ? (await uncovered(desktop, window, fits, signal)).map((one) => outside(one, above)) : fits;
    return { window, marks: inReadingOrder(marks), cut: Object.values(tree.truncated).some(Boolean) };
  });
  const all = looked.flatMap(({ marks }) => marks);
  const cut = looked.filter((one) => one.cut).map(({ window }) => `“${window.title}”`);
  const more = all.length - MOST_MARKS;
  return {
    marks: all.slice(0, MOST_MARKS),
    notes: [
      ...(cut.length === 0 ? [] : [`Not all controls of ${cut.join(', ')} could be read.`]),
      ...(more <= 0 ? [] : [`${more} more controls have no number: picture one window, or find_elements.`]),
      ...(shown.length <= MOST_WINDOWS ? [] : [`Only the ${MOST_WINDOWS} topmost windows are numbered.`]),
      ...(all.length > 0 ? [] : ['No control in it tells of itself: try find_text or coordinates.']),
    ],
  };
}

/** null where that window's elements cannot be read. */
async function treeOf(desktop: Desktop, window: Window, signal: AbortSignal): Promise<Tree | null> {
  try {
    return await desktop.tree({ pid: window.app.pid, windowId: window.id }, LIMITS, signal);
  } catch (thrown) {
    if (signal.aborted || !isUnreadable(thrown)) throw thrown;
    return null;
  }
}

function isUnreadable(thrown: unknown): boolean {
  if (thrown instanceof DesktopError) return thrown.code !== 'permission' && thrown.code !== 'lost';
  return thrown instanceof WireError && thrown.code === 'DESKTOP_ELEMENT_NOT_FOUND';
}

/** In tree order. A control inside another of the same size is the same to a person. */
function candidates(tree: Tree, area: Rect): Mark[] {
  const clips: (Rect | null)[] = [];
  const inside: (Rect | null)[] = [];
  const marks: Mark[] = [];
  for (const [index, { element, parent }] of tree.nodes.entries()) {
    const clip = parent < 0 ? area : (clips[parent] ?? null);
    const around = parent < 0 ? null : (inside[parent] ?? null);
    const { frame } = element;
    const seen = frame === null || clip === null ? null : overlap(frame, clip);
    clips.push(CLIPPING.has(element.role) && frame !== null ? seen : clip);
    const marked = seen !== null && isControl(element) && isSeen(element, seen) && !isSame(seen, around);
    inside.push(marked ? seen : around);
    if (marked) marks.push({ element, label: labelOf(tree, index), frame: seen });
  }
  return marks;
}

function isControl({ role, actions, states, title, description }: Element): boolean {
  if (!states.visible || !states.enabled || NOT_CONTROLS.has(role)) return false;
  if (CONTROLS.has(role) || states.editable) return true;
  if (role === 'AXRow' || role === 'AXCell') return actions.length > 0 || states.selected !== null;
  return actions.includes('AXPress') && (title !== '' || description !== '');
}

function isSeen({ frame }: Element, seen: Rect): boolean {
  return frame !== null && contains(seen, centre(frame)) && seen.width >= SMALLEST && seen.height >= SMALLEST;
}

function isSame(frame: Rect, around: Rect | null): boolean {
  if (around === null) return false;
  return frame.width * frame.height > 0.8 * around.width * around.height;
}

async function uncovered(desktop: Desktop, window: Window, marks: Mark[], signal: AbortSignal): Promise<Mark[]> {
  const hits = await Promise.all(
    marks.map(({ frame }) =>
      desktop.windowAt(centre(frame), signal).catch((thrown: unknown) => {
        // What is kept from agents covers like any other window.
        if (thrown instanceof WireError && thrown.details['reason'] === 'protected') return null;
        throw thrown;
      }),
    ),
  );
  return marks.filter((_, index) => hits[index]?.id === window.id);
}

/** Its frame without what other windows cover of it, as far as that is a rectangle around its middle. */
function outside(mark: Mark, above: readonly Rect[]): Mark {
  const middle = centre(mark.frame);
  const frame = above.reduce((left, cover) => {
    const hidden = overlap(left, cover);
    if (hidden === null) return left;
    const [right, bottom] = [hidden.x + hidden.width, hidden.y + hidden.height];
    const parts = [
      { ...left, width: hidden.x - left.x },
      { ...left, x: right, width: left.x + left.width - right },
      { ...left, height: hidden.y - left.y },
      { ...left, y: bottom, height: left.y + left.height - bottom },
    ].filter((part) => contains(part, middle));
    return parts.toSorted((a, b) => b.width * b.height - a.width * a.height)[0] ?? left;
  }, mark.frame);
  return { ...mark, frame };
}

/** Rows from the top, each from the left. What lies by its middle above the end of a row’s shortest is in that row. */
function inReadingOrder(marks: readonly Mark[]): Mark[] {
  const rows: Mark[][] = [];
  for (const mark of marks.toSorted((a, b) => a.frame.y - b.frame.y)) {
    const row = rows.at(-1);
    const middle = mark.frame.y + mark.frame.height / 2;
    const inRow = row !== undefined && middle < Math.min(...row.map(({ frame }) => frame.y + frame.height));
    if (inRow) row.push(mark);
    else rows.push([mark]);
  }
  return rows.flatMap((row) => row.toSorted((a, b) => a.frame.x - b.frame.x));
}

/** What a person would call it: its own name, else the words in it. */
function labelOf(tree: Tree, index: number): string {
  const own = tree.nodes[index];
  if (own === undefined) return '';
  const { title, description } = own.element;
  if (title !== '' || description !== '') return title === '' ? description : title;
  for (const { element, depth } of tree.nodes.slice(index + 1, index + 1 + MOST_INSIDE)) {
    if (depth <= own.depth) break;
    const words = element.title === '' ? (element.value ?? '') : element.title;
    if (words !== '' && !element.states.secure) return words.slice(0, LONGEST_LABEL);
  }
  return '';
}
