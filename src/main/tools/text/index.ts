import * as z from 'zod';
import { clickAt } from '../../desktop/click.js';
import { verifyEffect } from '../../pipeline/verify/effect.js';
import { centre, planPoint } from '../../pipeline/target/plans.js';
import type { PlanContext } from '../../pipeline/context.js';
import { defineAction } from '../../pipeline/define.js';
import type { Plan } from '../../approvals/plan.js';
import { WireError, subjectWithoutPlace, title } from '../../protocol/index.js';
import type { Point, Rect, Window } from '../../../native/desktop.js';
import { unpublished } from '../parameters.js';
import { windowName } from '../places.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import { expandRect } from '../geometry.js';
import { moreLines, pageFields, pageResult } from '../paging.js';
import {
  clickTextFields,
  placesLabel,
  findTextPlaces,
  readingTextPlan,
  readText,
  textFields,
  type PlacedMatch,
  type TextPlace,
  type TextQuery,
} from './reading.js';
import { formatEnglish, message, type Message } from '../../../messages/index.js';

/** x and y are the centre. */
const matchSchema = z.object({
  text: z.string(),
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  confidence: z.number().int(),
  window: z.string().optional(),
  covered_by: z.string().optional(),
});
type Match = z.infer<typeof matchSchema>;
/** A recognised word may move this far between readings, in points. */
const TOLERANCE_POINTS = 8;
const MARGIN_POINTS = 6;
const button = z.enum(['left', 'middle', 'right']);

export function textTools(deps: ToolDeps): Tool[] {
  const find = defineAction({
    name: 'find_text',
    title: 'Find text',
    does: 'read',
    description:
      'Reads a window, all windows of an application, or part of the screen (OCR); returns centre and size of each match.',
    effect: 'disclose',
    needs: ['screenRecording'],
    evidence: 'folder',
    input: z.object({ ...textFields, ...pageFields }).strict(),
    output: z.object({ matches: z.array(matchSchema), ...pageResult, place: unpublished(z.string().optional()) }),
    subject: () => subjectWithoutPlace(title('title.read_text_on_screen')),
    plan: ({ desktop }, input, signal) => readingTextPlan(desktop, deps.ageOf, input, signal),
    async run(ctx, given, signal) {
      let where: string | undefined;
      const { items, ...page } = await deps.pages.page(ctx.caller, 'find_text', given, async () => {
        const places = await findTextPlaces(ctx.desktop, deps.ageOf, given, signal);
        where = placesLabel(places);
        const { capture, matches } = await readText(ctx.desktop, deps.recognizer, places, given, signal);
        await ctx.saveEvidence('observe.png', await ctx.imaging.png(capture));
        return matches.map(toMatch);
      });
      return { matches: items, ...page, ...(where === undefined ? {} : { place: where }) };
    },
    text: ({ matches, total, next_page_token: next, place }) =>
      matches.length === 0
        ? `It was not found in ${place ?? 'that place'}. Try fewer words, another parent or region, or capture_screenshot with include_ocr.`
        : [`${total} found:`, ...matches.map(matchLine), ...moreLines(next)].join('\n'),
  });

  const click = defineAction({
    name: 'click_text',
    title: 'Click text',
    step: 'now',
    does: 'click',
    description: 'Clicks text found by OCR. Prefer click_element.',
    effect: 'input',
    needs: ['accessibility', 'screenRecording'],
    verifiesEffect: true,
    input: z
      .object({
        ...clickTextFields,
        occurrence: z.number().int().min(1).max(500).optional().describe('Of several, in find_text’s order.'),
        button: button.default('left'),
        click_count: z.number().int().min(1).max(3).default(1),
      })
      .strict(),
    output: z.object({ clicked: z.literal(true), text: z.string(), x: z.number(), y: z.number() }),
    subject: ({ text, button: name, click_count: count }) => subjectWithoutPlace(clickTitle(name, count), text),
    plan: (ctx, input, signal) => textPlan(ctx, deps, input, signal),
    async act(ctx, { button: name, click_count: count }, signal) {
      const { plan } = ctx;
      if (plan?.target.kind !== 'point') throw new Error('a point plan was expected');
      const { point } = plan.target;
      const act = () => clickAt(ctx.desktop, point, { button: name, count }, signal);
      const effect = await verifyEffect(ctx, act, signal);
      return { value: { clicked: true as const, text: plan.text ?? '', ...point }, effect };
    },
    text: ({ text, x, y }) => `Clicked “${text}” at (${x}, ${y}).`,
  });

  return toolGroup('screen', { core: [find], more: [click] });
}

interface TextClick extends TextQuery {
  occurrence?: number | undefined;
  button: 'left' | 'middle' | 'right';
  click_count: number;
}

/** Reads the text at every planning: the approved text must still be at its place. */
async function textPlan(ctx: PlanContext, deps: ToolDeps, asked: TextClick, signal: AbortSignal): Promise<Plan> {
  const { desktop } = ctx;
  const places = await findTextPlaces(desktop, deps.ageOf, asked, signal);
  const { matches } = await readText(desktop, deps.recognizer, approvedPlaces(places, ctx.approved), asked, signal);
  const before = await approvedPoint(ctx, signal);
  const again = before === null ? undefined : matches.find(({ frame }) => isNear(centre(frame), before));
  const match = again ?? chooseMatch(matches, asked, placesLabel(places));
  const point = again === undefined || before === null ? centre(match.frame) : before;
  const notes = [message('note.read_from_picture')];
  const does =
    asked.button === 'right'
      ? ({ kind: 'nothing', button: true } as const)
      : ({ kind: 'press', says: match.text } as const);
  const plan = await planPoint(
    desktop,
    point,
    { title: clickTitle(asked.button, asked.click_count), text: match.text, notes, does },
    signal,
  );
  const [{ window: read } = { window: null }] = places;
  if (read !== null && plan.window !== null && plan.window.id !== match.window?.id)
    throw coveredText(match.text, plan.window);
  const target = expandRect(match.frame, MARGIN_POINTS);
  return {
    ...plan,
    subject: { ...plan.subject, target: match.text },
    look: plan.look && {
      ...plan.look,
      target: again === undefined ? target : shiftedArea(ctx.approved, point, target),
    },
  };
}

/** Only the window of the approved text is read again. */
function approvedPlaces(places: TextPlace[], approved: Plan | undefined): TextPlace[] {
  const own = places.filter(({ window }) => window !== null && window.id === approved?.window?.id);
  return own.length > 0 ? own : places;
}

/** The approved point, moved with its window. */
async function approvedPoint({ desktop, approved }: PlanContext, signal: AbortSignal): Promise<Point | null> {
  if (approved?.target.kind !== 'point') return null;
  const { offset } = approved.target;
  const window = (await desktop.windows(signal)).find(({ id }) => id === approved.window?.id);
  return window === undefined ? null : { x: window.frame.x + offset.x, y: window.frame.y + offset.y };
}

const isNear = (a: Point, b: Point): boolean =>
  Math.abs(a.x - b.x) <= TOLERANCE_POINTS && Math.abs(a.y - b.y) <= TOLERANCE_POINTS;

/** The same part of the window as approved, so that its pixels can be compared. */
function shiftedArea(approved: Plan | undefined, point: Point, otherwise: Rect): Rect {
  const old = approved?.look?.target;
  if (old == null || approved?.target.kind !== 'point') return otherwise;
  return { ...old, x: old.x + point.x - approved.target.point.x, y: old.y + point.y - approved.target.point.y };
}

/** Covered matches count, as in find_text, but are not clicked. */
function chooseMatch(matches: readonly PlacedMatch[], { text, occurrence }: TextClick, place: string): PlacedMatch {
  const reachable = matches.filter(({ cover }) => cover === null);
  const wanted = reachable.length > 0 ? reachable : matches;
  const match = occurrence !== undefined ? matches[occurrence - 1] : wanted.length === 1 ? wanted[0] : undefined;
  if (match !== undefined && match.cover !== null) throw coveredText(match.text, match.cover);
  if (match !== undefined) return match;
  if (matches.length === 0)
    throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.text_not_there', { text, place }), {
      reason: 'no_match',
      next: 'See what can be read with find_text, or with capture_screenshot and include_ocr.',
    });
  throw new WireError(
    'DESKTOP_ELEMENT_NOT_FOUND',
    message('error.text_several_times', { text, count: matches.length, place }),
    {
      reason: 'ambiguous',
      candidates: matches
        .slice(0, 20)
        .map((one, index) => ({ occurrence: index + 1, ...centre(one.frame), ...whereOf(one) })),
      next: 'Say which with occurrence, or narrow the place with parent or region.',
    },
  );
}

/** Names the window without its title, which was not approved for disclosure. */
const coverName = (cover: Window): Message =>
  message('cover.window_of', { app: cover.app.name, name: windowName(cover) });

function coveredText(text: string, cover: Window): WireError {
  return new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.covered', { name: text, cover: coverName(cover) }), {
    reason: 'covered',
    next: 'Bring its window to the front with focus_window first, or move what covers it.',
  });
}

const whereOf = ({ window, cover }: PlacedMatch) => ({
  ...(window === null ? {} : { window: windowName(window) }),
  ...(cover === null ? {} : { covered_by: formatEnglish(coverName(cover)) }),
});

function toMatch(match: PlacedMatch): Match {
  const { text, frame, confidence } = match;
  return {
    text,
    ...centre(frame),
    width: roundToTenth(frame.width),
    height: roundToTenth(frame.height),
    confidence,
    ...whereOf(match),
  };
}

function matchLine({ text, x, y, width, height, confidence, window, covered_by: cover }: Match): string {
  const where = window === undefined ? '' : `, in ${window}`;
  const hidden = cover === undefined ? '' : `, not clickable: covered by ${cover}`;
  return `“${text}” around (${x}, ${y}), ${width}×${height}, ${confidence} % sure${where}${hidden}`;
}

const roundToTenth = (value: number): number => Math.round(value * 10) / 10;

const clickTitle = (name: 'left' | 'middle' | 'right', count: number) =>
  title('title.click', { button: name, count, keys: '' });
