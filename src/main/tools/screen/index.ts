/** Tools that take pictures of the screen. */
import { type Tool, type ToolDeps, toolGroup } from '../tool.js';
import { screenshotTools } from './screenshots.js';
import { textTools } from '../text/index.js';
import * as z from 'zod';
import { defineAction } from '../../pipeline/define.js';
import { rectSchema, subjectWithoutPlace, title, WireError } from '../../protocol/index.js';
import { contains, overlaps } from '../../../base/rect.js';
import type { Display, Capture, DesktopReader, Element, Point, Rect, Window } from '../../../native/desktop.js';
import { resolveDisplay, expandRect, clipToDisplays, regionSchema } from '../geometry.js';
import { listSubject, lookUpSubject, alias } from '../parameters.js';
import { moreLines, pageFields, pageResult } from '../paging.js';
import { nameOf, planElement } from '../../pipeline/target/plans.js';
import { cropCapture } from '../../pipeline/capture.js';
import { spaceSchema, toPoint } from '../images.js';
import {
  areaPlan,
  assertShows,
  deliverPicture,
  encodeAhead,
  pictureFields,
  pictureResultSchema,
  pictureText,
  toRect,
} from './picture.js';
import { createTargets, namesTarget, NEEDS_TARGET, targetFields } from '../elements/target.js';
import { message } from '../../../messages/index.js';
import { ruleError } from '../../protocol/input-errors.js';

/** Small crops are enlarged towards this width, because models read small details badly. */
const TARGET_WIDTH = 1280;
const ELEMENT = title('title.picture_element');
const MAX_ENLARGEMENT = 4;

function closeupTools(deps: ToolDeps): Tool[] {
  const { images } = deps;
  const targets = createTargets(deps);

  const element = defineAction({
    name: 'capture_element_screenshot',
    title: 'Picture an element',
    does: 'picture',
    description: 'Takes a screenshot of one element, even if covered.',
    effect: 'disclose',
    needs: ['screenRecording', 'accessibility'],
    evidence: 'folder',
    input: z
      .object({
        ...targetFields,
        padding: z.number().min(0).max(500).default(0),
        ...pictureFields,
      })
      .strict()
      .refine(namesTarget, NEEDS_TARGET),
    output: pictureResultSchema,
    subject: ({ element_id: id }) => subjectWithoutPlace(ELEMENT, id ?? null),
    async plan(ctx, input, signal) {
      const found = await targets.findToRead(ctx, input, signal);
      const plan = await planElement(ctx.desktop, found, { title: ELEMENT }, signal);
      const frame = frameOf(found);
      if (plan.window === null)
        return areaPlan(ctx.desktop, await clipToDisplays(ctx.desktop, frame, undefined, signal), signal);
      assertShows(plan.window);
      // Only the window is compared, because the element may blink.
      return {
        ...plan,
        target: { kind: 'window' as const },
        look: { area: plan.window.frame, target: expandRect(frame, input.padding) },
      };
    },
    async run(ctx, input, signal) {
      const frame = expandRect(frameOf(await targets.findToRead(ctx, input, signal)), input.padding);
      const capture = await captureFrame(ctx.desktop, ctx.plan?.window ?? null, frame, signal);
      return deliverPicture(ctx, deps, { capture, times: enlargementFor(capture, TARGET_WIDTH / 4) }, input, signal);
    },
    text: pictureText,
  });

  const zoom = defineAction({
    name: 'zoom',
    title: 'Zoom in',
    does: 'picture',
    description: 'A screenshot of a part of a display at full density, enlarged if small: around a point, or a region.',
    effect: 'disclose',
    needs: ['screenRecording'],
    evidence: 'folder',
    input: z
      .object({
        coordinate: z.array(z.number()).length(2).optional().describe('[x, y]'),
        x: alias(z.number()),
        y: alias(z.number()),
        scale: z.number().min(1).max(8).default(4).describe('Part of the display: 1/scale.'),
        region: regionSchema.optional().describe('Instead of a point.'),
        space: spaceSchema,
        ...pictureFields,
      })
      .strict()
      .refine(
        ({ coordinate, x, y, region }) =>
          region !== undefined || coordinate !== undefined || (x !== undefined && y !== undefined),
        { ...ruleError('input.picture_place'), path: ['coordinate'] },
      ),
    output: pictureResultSchema,
    subject: () => subjectWithoutPlace(title('title.picture_part')),
    plan: async ({ desktop, caller }, input, signal) =>
      areaPlan(desktop, await zoomArea(desktop, input, caller.agent.id, signal), signal),
    async run(ctx, input, signal) {
      const rect = await zoomArea(ctx.desktop, input, ctx.caller.agent.id, signal);
      const timesOf = (picture: Capture) => enlargementFor(picture, TARGET_WIDTH);
      const begin = encodeAhead(ctx, input, timesOf);
      const capture = await ctx.desktop.capture({ kind: 'region', rect }, signal, begin);
      return deliverPicture(ctx, deps, { capture, times: timesOf(capture) }, input, signal);
    },
    text: pictureText,
  });

  interface Asked {
    coordinate?: number[] | undefined;
    x?: number | undefined;
    y?: number | undefined;
    region?: Rect | undefined;
    scale: number;
    space?: string | undefined;
  }

  async function zoomArea(desktop: DesktopReader, asked: Asked, owner: string, signal: AbortSignal): Promise<Rect> {
    const { region, coordinate, space, scale } = asked;
    if (region !== undefined) return clipToDisplays(desktop, toRect(images, region, space, owner), undefined, signal);
    const [x = 0, y = 0] = coordinate ?? [asked.x, asked.y];
    const point = toPoint(images, { x, y }, space, owner);
    const display = await displayAt(desktop, point, signal);
    return clipToDisplays(desktop, around(point, display, scale), display.id, signal);
  }

  return toolGroup('screen', { more: [element, zoom] });
}

async function displayAt(desktop: DesktopReader, point: Point, signal: AbortSignal): Promise<Display> {
  const all = await desktop.displays(signal);
  const found = all.find(({ frame }) => contains(frame, point));
  if (found !== undefined) return found;
  throw new WireError(
    'DESKTOP_INVALID_REQUEST',
    message('error.on_no_display', { point: `(${point.x}, ${point.y})` }),
    {
      reason: 'outside_displays',
      displays: all.map(({ id, frame }) => ({ name: `displays/${id}`, frame })),
    },
  );
}

/** A part of the display around the point with the display's proportions, kept inside it, on whole pixels. */
function around({ x, y }: Point, { frame, scale: density }: Display, scale: number): Rect {
  const whole = (points: number) => Math.round(points * density) / density;
  const [width, height] = [whole(frame.width / scale), whole(frame.height / scale)];
  const start = (at: number, length: number, part: number) =>
    whole(Math.max(0, Math.min(length - part, at - part / 2)));
  return {
    x: frame.x + start(x - frame.x, frame.width, width),
    y: frame.y + start(y - frame.y, frame.height, height),
    width,
    height,
  };
}

const enlargementFor = ({ width, height }: { width: number; height: number }, comfortable: number): number =>
  Math.max(1, Math.min(MAX_ENLARGEMENT, Math.floor(comfortable / Math.max(width, height))));

function frameOf(element: Element): Rect {
  const { frame } = element;
  if (frame !== null && frame.width > 0 && frame.height > 0) return frame;
  throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.no_place', { name: nameOf(element) }), {
    reason: 'not_visible',
    next: 'Scroll it into view, or picture its window.',
  });
}

/**
 * A part of the picture of the element's window; menus and the like are windows of their own. Never a picture of the screen where the
 * window is known: an element reports its own frame, and a false one would show another application.
 */
async function captureFrame(desktop: DesktopReader, window: Window | null, frame: Rect, signal: AbortSignal) {
  if (window === null) {
    const rect = await clipToDisplays(desktop, frame, undefined, signal);
    return desktop.capture({ kind: 'region', rect }, signal);
  }
  const own = (await desktop.windows(signal)).filter(
    (one) => one.app.pid === window.app.pid && one.visible && overlaps(one.frame, frame),
  );
  const shows = own.find(({ id }) => id === window.id) ?? own[0];
  const part =
    shows === undefined
      ? null
      : cropCapture(await desktop.capture({ kind: 'window', windowId: shows.id }, signal), frame);
  if (part !== null) return part;
  throw new WireError('DESKTOP_TARGET_CHANGED', message('error.in_no_picture'), {
    reason: 'moved',
    next: 'Scroll it into view, or picture its window.',
  });
}

export function screenTools(deps: ToolDeps): Tool[] {
  return [...screenshotTools(deps), ...closeupTools(deps), ...textTools(deps), ...displayTools(deps)];
}

const displaySchema = z.object({ name: z.string(), frame: rectSchema, scale: z.number(), main: z.boolean() });
type Shown = z.infer<typeof displaySchema>;

const shown = ({ id, frame, scale, main }: Display): Shown => ({ name: `displays/${id}`, frame, scale, main });
const line = ({ name, frame: { x, y, width, height }, scale, main }: Shown): string =>
  `${name} ${width}×${height} at (${x}, ${y}), scale ${scale}${main ? ', main' : ''}`;

function displayTools({ pages }: ToolDeps): Tool[] {
  const list = defineAction({
    name: 'list_displays',
    title: 'List displays',
    description: 'Displays with frame (global points, may be negative) and scale (pixels per point).',
    effect: 'read',
    needs: [],
    input: z.object(pageFields).strict(),
    output: z.object({ displays: z.array(displaySchema), ...pageResult }),
    subject: () => listSubject('displays'),
    async run({ desktop, caller }, given, signal) {
      const all = async () => (await desktop.displays(signal)).map(shown);
      const { items, ...page } = await pages.page(caller, 'list_displays', given, all);
      return { displays: items, ...page };
    },
    text: ({ displays, next_page_token: next }) => [...displays.map(line), ...moreLines(next)].join('\n'),
  });

  const get = defineAction({
    name: 'get_display',
    title: 'Get display',
    description: 'One display: frame in global points, scale in pixels per point.',
    effect: 'read',
    needs: [],
    input: z.object({ name: z.string().min(1).max(200).describe('displays/{id}') }).strict(),
    output: displaySchema,
    subject: ({ name }) => lookUpSubject('display', name),
    run: async ({ desktop }, { name }, signal) => shown(await resolveDisplay(desktop, name, signal)),
    text: line,
  });

  const cursor = defineAction({
    name: 'cursor_position',
    title: 'Pointer position',
    does: 'pointer',
    description: 'Where the pointer is, in global points, and on which display.',
    effect: 'read',
    needs: [],
    input: z.object({}).strict(),
    output: z.object({ x: z.number(), y: z.number(), display: z.string().nullable() }),
    subject: () => subjectWithoutPlace(title('title.look_for_pointer')),
    async run({ desktop }, _input, signal) {
      const [{ x, y }, displays] = await Promise.all([desktop.pointer(signal), desktop.displays(signal)]);
      const on = displays.find(({ frame }) => contains(frame, { x, y }));
      return { x, y, display: on === undefined ? null : `displays/${on.id}` };
    },
    text: ({ x, y, display }) => `(${x}, ${y}) on ${display ?? 'no display'}.`,
  });

  return toolGroup('screen', { more: [list, get, cursor] });
}
