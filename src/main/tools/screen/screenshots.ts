import { title, subjectWithoutPlace, WireError } from '../../protocol/index.js';
import * as z from 'zod';
import { planDisclosure, centre } from '../../pipeline/target/plans.js';
import { defineAction } from '../../pipeline/define.js';
import type { ReadContext } from '../../pipeline/context.js';
import { type Window, DesktopError, type DesktopReader, type Rect, type Tree } from '../../../native/desktop.js';
import { alias } from '../parameters.js';
import { resolveWindow } from '../places.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import {
  appsIn,
  areaPlan,
  displayId,
  windowOrFront,
  windowPlan,
  deliverPicture,
  encodeAhead,
  ifChangedField,
  pictureFields,
  pictureResultSchema,
  pictureText,
  qualityField,
  sizeFields,
  type PictureInput,
  candidates,
  type Candidate,
  type Mark,
} from './picture.js';
import { resolveDisplay, clipToDisplays, regionFields, mapInOrder } from '../geometry.js';
import { areaOf, captureWithPopups } from '../../desktop/window-picture.js';
import { message } from '../../../messages/index.js';
import { contains, intersect, overlaps } from '../../../base/rect.js';

// Numbers the controls of a picture.

interface MarkedPicture {
  marks: Mark[];
  /** Notes on what is missing. */
  notes: string[];
}

const MAX_MARKS = 120;
const MAX_WINDOWS = 8;
const LIMITS = { maxDepth: 80, maxNodes: 4000, timeoutMs: 4000 };

/** `windows`: topmost first. `topmost`: leaves out covered controls, as in the picture. */
async function marksIn(
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

const windowName = z.string().min(1).max(500);
const marks = z.boolean().default(false).describe('Numbers controls; "mark:N@<image id>" is an element_id.');

export function screenshotTools(deps: ToolDeps): Tool[] {
  const screenshot = defineAction({
    name: 'capture_screenshot',
    title: 'Take a screenshot',
    does: 'picture',
    description: 'Takes a screenshot of a display, or of a window even if covered. Use its id as `space` of a click.',
    effect: 'disclose',
    needs: ['screenRecording'],
    evidence: 'folder',
    input: z
      .object({
        display_id: displayId.optional().describe('From list_displays; default: main'),
        display: alias(displayId),
        window_id: windowName.optional().describe('From list_windows.'),
        ...pictureFields,
        ...sizeFields,
        ...ifChangedField,
        marks,
      })
      .strict(),
    output: pictureResultSchema,
    subject: () => subjectWithoutPlace(title('title.picture_screen')),
    async plan({ desktop }, { window_id: name, display_id: id, display, marks: numbered }, signal) {
      if (name !== undefined) return windowPlan(await resolveWindow(desktop, name, signal), numbered);
      const shown = await resolveDisplay(desktop, id ?? display, signal);
      const { frame } = shown;
      const several = (await desktop.displays(signal)).length > 1;
      return planDisclosure(
        {
          title: title(several ? 'title.picture_display' : 'title.picture_screen'),
          covers: numbered ? [message('note.reads_controls_in_it')] : [],
        },
        {
          ...(several ? { target: shown.name } : {}),
          app: await appsIn(desktop, frame, signal),
          place: null,
          rect: frame,
        },
      );
    },
    async run(ctx, input, signal) {
      const window = ctx.plan?.window ?? null;
      if (window !== null) return windowShot(ctx, deps, window, input, [], signal);
      const display = await resolveDisplay(ctx.desktop, input.display_id ?? input.display, signal);
      const begin = input.marks ? undefined : encodeAhead(ctx, input);
      const capture = await ctx.desktop.capture({ kind: 'display', displayId: display.id }, signal, begin);
      const windows = input.marks ? await ctx.desktop.windows(signal) : [];
      const found = input.marks ? await marksIn(ctx.desktop, windows, display.frame, true, signal) : {};
      return deliverPicture(ctx, deps, { capture, ...found }, input, signal);
    },
    text: pictureText,
  });

  const window = defineAction({
    name: 'capture_window_screenshot',
    title: 'Picture a window',
    does: 'picture',
    description: 'Takes a screenshot of one whole window, even if covered.',
    effect: 'disclose',
    needs: ['screenRecording'],
    evidence: 'folder',
    input: z
      .object({
        window: windowName.optional().describe('From list_windows; default: in front'),
        name: alias(windowName),
        window_id: alias(windowName),
        ...pictureFields,
        ...qualityField,
        marks,
        include_shadow: z.boolean().default(false),
      })
      .strict(),
    output: pictureResultSchema,
    subject: ({ window: given, name, window_id: id }) =>
      subjectWithoutPlace(title('title.picture_window'), given ?? name ?? id ?? null),
    async plan({ desktop }, { window: given, name, window_id: id, marks: numbered }, signal) {
      return windowPlan(await windowOrFront(desktop, given ?? name ?? id, signal), numbered);
    },
    async run(ctx, input, signal) {
      if (ctx.plan?.window == null) throw new Error('a window plan was expected');
      const notes = input.include_shadow ? ['Pictures of windows have no shadow here.'] : [];
      return windowShot(ctx, deps, ctx.plan.window, input, notes, signal);
    },
    text: pictureText,
  });

  const region = defineAction({
    name: 'capture_region_screenshot',
    title: 'Picture a region',
    does: 'picture',
    description: 'A screenshot of a rectangle of the screen, in global points, also across displays.',
    effect: 'disclose',
    needs: ['screenRecording'],
    evidence: 'folder',
    input: z
      .object({
        ...regionFields,
        display_id: displayId.optional().describe('Only what lies on it.'),
        display: alias(displayId),
        ...pictureFields,
      })
      .strict(),
    output: pictureResultSchema,
    subject: () => subjectWithoutPlace(title('title.picture_part')),
    async plan({ desktop }, { display_id: id, display, ...rect }, signal) {
      return areaPlan(desktop, await clipToDisplays(desktop, rect, id ?? display, signal), signal);
    },
    async run(ctx, { display_id: id, display, ...input }, signal) {
      const rect = await clipToDisplays(ctx.desktop, input, id ?? display, signal);
      const capture = await ctx.desktop.capture({ kind: 'region', rect }, signal, encodeAhead(ctx, input));
      return deliverPicture(ctx, deps, { capture }, input, signal);
    },
    text: pictureText,
  });

  return toolGroup('screen', { core: [screenshot], more: [window, region] });
}

async function windowShot(
  ctx: ReadContext,
  deps: ToolDeps,
  window: Window,
  asked: PictureInput & { marks: boolean },
  notes: string[],
  signal: AbortSignal,
) {
  const begin = asked.marks ? undefined : encodeAhead(ctx, asked);
  const { capture, popups } = await captureWithPopups(ctx.desktop, window, signal, begin);
  // The picture shows the window with its popups alone, so nothing else covers its controls.
  const shown = [...popups, window];
  const found = asked.marks
    ? await marksIn(ctx.desktop, shown, areaOf(capture), popups.length > 0, signal)
    : { marks: [], notes: [] };
  return deliverPicture(ctx, deps, { capture, marks: found.marks, notes: [...notes, ...found.notes] }, asked, signal);
}
