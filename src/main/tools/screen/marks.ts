/** Numbers the controls of a picture. */
import { mapInOrder } from '../geometry.js';
import { candidates, type Candidate, type Mark } from './markable.js';
import { contains, intersect, overlaps } from '../../../base/rect.js';
import { DesktopError, type DesktopReader, type Rect, type Tree, type Window } from '../../../native/desktop.js';
import { WireError } from '../../protocol/index.js';
import { centre } from '../../pipeline/target/plans.js';

interface MarkedPicture {
  marks: Mark[];
  /** Notes on what is missing. */
  notes: string[];
}

const MAX_MARKS = 120;
const MAX_WINDOWS = 8;
const LIMITS = { maxDepth: 80, maxNodes: 4000, timeoutMs: 4000 };

/** `windows`: topmost first. `topmost`: leaves out covered controls, as in the picture. */
export async function marksIn(
  desktop: DesktopReader,
  windows: readonly Window[],
  area: Rect,
  topmost: boolean,
  signal: AbortSignal,
): Promise<MarkedPicture> {
  const shown = windows.filter((window) => window.visible && overlaps(window.frame, area));
  const read = await mapInOrder(shown.slice(0, MAX_WINDOWS), async (window) => {
    const tree = await treeOf(desktop, window, signal);
    // Menus are read with their main window.
    if (tree === null)
      return { window, marks: [], cut: !shown.some((other) => other.normal && isMenuOf(other, window)) };
    const fits = candidates(tree, intersect(window.frame, area) ?? area, area, topmost);
    const above = shown.slice(0, shown.indexOf(window)).map(({ frame }) => frame);
    const hit = topmost ? await uncovered(desktop, window, fits, signal) : fits;
    const marks = hit.map((one) => (one.inMenu || !topmost ? one : uncoveredPart(one, above)));
    return { window, marks: inReadingOrder(marks), cut: Object.values(tree.truncated).some(Boolean) };
  });
  const all = read.flatMap(({ marks }) => marks);
  const cut = read.filter((one) => one.cut).map(({ window }) => `“${window.title}”`);
  const more = all.length - MAX_MARKS;
  return {
    marks: all.slice(0, MAX_MARKS),
    notes: [
      ...(cut.length === 0 ? [] : [`Not all controls of ${cut.join(', ')} could be read.`]),
      ...(more <= 0 ? [] : [`${more} more controls have no number: picture one window, or find_elements.`]),
      ...(shown.length <= MAX_WINDOWS ? [] : [`Only the ${MAX_WINDOWS} topmost windows are numbered.`]),
      ...(all.length > 0 ? [] : ['It shows no control that can be numbered: try find_text or coordinates.']),
    ],
  };
}

/** null where that window's elements cannot be read. */
async function treeOf(desktop: DesktopReader, window: Window, signal: AbortSignal): Promise<Tree | null> {
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

async function uncovered(
  desktop: DesktopReader,
  window: Window,
  marks: Candidate[],
  signal: AbortSignal,
): Promise<Candidate[]> {
  const hits = await Promise.all(
    marks.map(({ frame }) =>
      desktop.windowAt(centre(frame), signal).catch((thrown: unknown) => {
        // Windows hidden from agents cover others too.
        if (thrown instanceof WireError && thrown.details['reason'] === 'protected') return null;
        throw thrown;
      }),
    ),
  );
  return marks.filter(({ inMenu }, index) => {
    const hit = hits[index] ?? null;
    return hit !== null && (hit.id === window.id || (inMenu && isMenuOf(window, hit)));
  });
}

const isMenuOf = (window: Window, popup: Window): boolean => !popup.normal && popup.app.pid === window.app.pid;

/** The frame reduced to an uncovered rectangle around its centre. */
function uncoveredPart(mark: Mark, above: readonly Rect[]): Mark {
  const middle = centre(mark.frame);
  const frame = above.reduce((left, cover) => {
    const hidden = intersect(left, cover);
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

/** Rows from top to bottom, each from left to right. A control belongs to a row if its centre is above the bottom of the row’s shortest control. */
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
