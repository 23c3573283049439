/** Tools that find elements and describe one. */
import { overlaps } from '../../../base/rect.js';
import { title, subjectWithoutPlace } from '../../protocol/index.js';
import * as z from 'zod';
import { SEARCH_LIMITS } from '../../pipeline/target/selector.js';
import { defineAction } from '../../pipeline/define.js';
import { targetChanged } from '../../pipeline/compare.js';
import type { PlanContext, ReadContext } from '../../pipeline/context.js';
import type { Element, FindResult, Rect } from '../../../native/desktop.js';
import { toPoint } from '../images.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import {
  findSearchPlace,
  plainQueryFields,
  processReadingPlan,
  queryFields,
  readingPlan,
  readingSubject,
  search,
  elementLine,
  createElementFormat,
  shownSchema,
  type ShownElement,
} from './query.js';
import {
  NEEDS_TARGET,
  createTargets,
  namesTarget,
  targetFields,
  targetWords,
  valueField,
  type GivenTarget,
  type Targets,
} from './target.js';
import { moreLines, pageFields, pageResult } from '../paging.js';
import { message } from '../../../messages/index.js';
import { ruleError } from '../../protocol/input-errors.js';

/** Most elements kept for the pages of a list. */
const MAX_KEPT_ELEMENTS = 1000;
const PAGE = { ...pageFields, page_size: z.number().int().min(1).max(500).default(20) };
const listSchema = z.object({
  elements: z.array(shownSchema),
  ...pageResult,
  truncated: z.boolean(),
  note: z.string().optional(),
});
type ElementList = z.infer<typeof listSchema>;

/** State of the whole list, returned with every page. */
interface ListState {
  truncated: boolean;
  note?: string | undefined;
}
interface Entry extends ListState {
  shown: ShownElement;
}

export function findingTools(deps: ToolDeps): Tool[] {
  const targets = createTargets(deps);
  return toolGroup('element', {
    core: [findTool(deps)],
    more: [regionTool(deps), getTool(deps, targets), actionsTool(targets)],
  });
}

const pageText = ({ elements, total, truncated, note, next_page_token: next }: ElementList): string =>
  [
    elements.length === 0
      ? 'Nothing fits. Try fewer fields, visible_only: false, or another parent.'
      : `${total} found, ${elements.length} shown:`,
    ...elements.map(elementLine),
    ...(truncated ? ['Not everything could be read or kept: ask for less (role, title, a window as parent).'] : []),
    ...moreLines(next),
    ...(note === undefined ? [] : [note]),
  ].join('\n');

/** One page of what `find` finds; it is called for the first page only. */
async function elementPage(
  { pages, references }: ToolDeps,
  { caller }: ReadContext,
  tool: string,
  given: Parameters<typeof pages.page>[2],
  find: () => Promise<FindResult>,
): Promise<ElementList> {
  let state: ListState = { truncated: false };
  const { items, ...page } = await pages.page<Entry>(caller, tool, given, async () => {
    const { elements, matched, truncated, note } = await find();
    const kept = elements.slice(0, MAX_KEPT_ELEMENTS);
    state = { truncated: Object.values(truncated).some(Boolean) || matched > kept.length, note };
    return kept.map(createElementFormat(references(caller.agent.id))).map((shown) => ({ shown, ...state }));
  });
  const { truncated, note } = items[0] ?? state;
  return { elements: items.map(({ shown }) => shown), ...page, truncated, ...(note === undefined ? {} : { note }) };
}

const findTool = (deps: ToolDeps) =>
  defineAction({
    name: 'find_elements',
    title: 'Find elements',
    step: 'now',
    does: 'read',
    description:
      'Lists controls that fit all fields given, with the elementId other tools take. Try it before a screenshot.',
    effect: 'disclose',
    needs: ['accessibility'],
    input: z.object({ ...queryFields, visible_only: z.boolean().default(true), ...PAGE }).strict(),
    output: listSchema,
    subject: readingSubject,
    plan: ({ desktop }, { parent }, signal) => readingPlan(desktop, deps.ageOf, parent, signal),
    run: (ctx, given, signal) =>
      elementPage(deps, ctx, 'find_elements', given, async () => {
        const { scope } = await findSearchPlace(ctx.desktop, given.parent, ctx.plan?.window ?? null, signal);
        return search(ctx.desktop, scope, given, given.visible_only, MAX_KEPT_ELEMENTS, signal);
      }),
    text: pageText,
  });

const coordinate = z.number().refine((far) => Math.abs(far) <= 100_000, ruleError('input.too_far'));
const sideLength = coordinate.refine(
  (long) => long > 0,
  ruleError('input.must_be', { takes: message('input.more_than', { min: '0' }) }),
);

const regionTool = (deps: ToolDeps) =>
  defineAction({
    name: 'find_region_elements',
    title: 'Find elements in a region',
    does: 'read',
    description: 'Lists visible elements that touch a rectangle of the screen or of a screenshot.',
    effect: 'disclose',
    needs: ['accessibility'],
    input: z
      .object({
        parent: z.string().max(500).optional(),
        x: coordinate,
        y: coordinate,
        width: sideLength,
        height: sideLength,
        space: z.string().max(200).optional(),
        role: plainQueryFields.role,
        title: plainQueryFields.title,
        selector: queryFields.selector,
        ...PAGE,
      })
      .strict(),
    output: listSchema,
    subject: readingSubject,
    plan: ({ desktop }, { parent }, signal) => readingPlan(desktop, deps.ageOf, parent, signal),
    async run(ctx, given, signal) {
      const area = areaOf(deps.images, given, ctx.caller.agent.id);
      return elementPage(deps, ctx, 'find_region_elements', given, async () => {
        const { scope } = await findSearchPlace(ctx.desktop, given.parent, ctx.plan?.window ?? null, signal);
        const { role, title, selector } = given;
        const query = { role, title, selector };
        const found = await search(ctx.desktop, scope, query, true, SEARCH_LIMITS.maxNodes, signal);
        const elements = found.elements.filter(({ frame }) => frame !== null && overlaps(frame, area));
        return { ...found, elements, matched: elements.length };
      });
    },
    text: pageText,
  });

/** The rectangle in points, converted from pixels of a picture where `space` names one. */
function areaOf(images: ToolDeps['images'], given: Rect & { space?: string | undefined }, owner: string): Rect {
  const { x, y, width, height, space } = given;
  if (space === undefined) return { x, y, width, height };
  const from = toPoint(images, { x, y }, space, owner);
  const to = toPoint(images, { x: x + width - 1, y: y + height - 1 }, space, owner);
  return { x: from.x, y: from.y, width: Math.max(1, to.x - from.x), height: Math.max(1, to.y - from.y) };
}

async function planOne(targets: Targets, ctx: PlanContext, given: GivenTarget, signal: AbortSignal) {
  const { pid } = await targets.findToRead(ctx, given, signal);
  return processReadingPlan(ctx.desktop, pid, signal);
}

/** Reads the element again; throws where it belongs to another application than the approved one. */
async function readAgain(
  targets: Targets,
  ctx: ReadContext,
  given: GivenTarget,
  signal: AbortSignal,
): Promise<Element> {
  const element = await targets.findToRead(ctx, given, signal);
  const approved = ctx.plan?.window?.app;
  if (approved === undefined || approved.pid === element.pid) return element;
  throw targetChanged([{ part: 'application', approved: approved.name, now: null }]);
}

const subjectOf = (given: GivenTarget) => subjectWithoutPlace(title('title.read_element'), targetWords(given));

const one = z
  .object({ ...targetFields, ...valueField })
  .strict()
  .refine(namesTarget, NEEDS_TARGET);

const getTool = ({ references }: ToolDeps, targets: Targets) =>
  defineAction({
    name: 'get_element',
    title: 'Get element',
    does: 'read',
    description: 'One element as it is now: its whole value, states, actions, frame.',
    effect: 'disclose',
    needs: ['accessibility'],
    input: one,
    output: shownSchema,
    subject: subjectOf,
    plan: (ctx, given, signal) => planOne(targets, ctx, given, signal),
    run: async (ctx, given, signal) =>
      createElementFormat(references(ctx.caller.agent.id), true)(await readAgain(targets, ctx, given, signal)),
    text: (shown) =>
      [elementLine(shown), ...(shown.actions.length === 0 ? [] : [`Actions: ${shown.actions.join(', ')}`])].join('\n'),
  });

const actionsTool = (targets: Targets) =>
  defineAction({
    name: 'get_element_actions',
    title: 'List actions',
    does: 'read',
    description: 'The actions that an element offers to perform_element_action.',
    effect: 'disclose',
    needs: ['accessibility'],
    input: one,
    output: z.object({ actions: z.array(z.string()) }),
    subject: subjectOf,
    plan: (ctx, given, signal) => planOne(targets, ctx, given, signal),
    run: async (ctx, given, signal) => ({ actions: (await readAgain(targets, ctx, given, signal)).actions }),
    text: ({ actions }) =>
      actions.length === 0 ? 'It has none; click_element clicks it with the pointer.' : actions.join(', '),
  });
