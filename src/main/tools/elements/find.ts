/** Tools that find elements and describe one. */
import { title, inNoPlace } from '../../protocol/index.js';
import * as z from 'zod';
import { planReading } from '../../pipeline/target/plans.js';
import { SEARCH_LIMITS } from '../../pipeline/target/selector.js';
import { defineAction } from '../../pipeline/define.js';
import { targetChanged } from '../../pipeline/compare.js';
import type { PlanContext, ReadContext } from '../../pipeline/context.js';
import type { Element, Rect } from '../../../native/desktop.js';
import { toPoint, toolGroup } from '../common.js';
import type { Tool, ToolDeps } from '../common.js';
import { findSearchPlace, plainQueryFields, queryFields, readingPlan, readingSubject, search } from './query.js';
import { elementLine, createElementFormat, shownSchema } from './shown.js';
import type { ShownElement } from './shown.js';
import { NEEDS_TARGET, createTargets, namesTarget, targetFields, targetWords, valueField } from './target.js';
import type { GivenTarget, Targets } from './target.js';
import { moreLines, pageFields, pageResult } from '../paging.js';

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
  note: string | undefined;
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

const findTool = ({ references, pages, ageOf }: ToolDeps) =>
  defineAction({
    name: 'find_elements',
    title: 'Find elements',
    description:
      'Lists controls that fit all fields given, with the elementId other tools take. Try it before a screenshot.',
    effect: 'disclose',
    needs: ['accessibility'],
    input: z.object({ ...queryFields, visible_only: z.boolean().default(true), ...PAGE }).strict(),
    output: listSchema,
    subject: readingSubject,
    plan: ({ desktop }, { parent }, signal) => readingPlan(desktop, ageOf, parent, signal),
    async run({ desktop, plan, caller }, given, signal) {
      const { page_size: size, page_token: token, ...query } = given;
      const { visible_only: visibleOnly, ...fields } = query;
      const state: ListState = { truncated: false, note: undefined };
      const asked = { owner: caller.agent.id, tool: 'find_elements', query, size, token };
      const page = await pages.page<Entry>(asked, async () => {
        const { scope } = await findSearchPlace(desktop, fields.parent, plan?.window ?? null, signal);
        const found = await search(desktop, scope, fields, visibleOnly, MAX_KEPT_ELEMENTS, signal);
        state.truncated = Object.values(found.truncated).some(Boolean) || found.matched > found.elements.length;
        state.note = found.note;
        return found.elements
          .map(createElementFormat(references(caller.agent.id)))
          .map((shown) => ({ shown, ...state }));
      });
      return listPage(page, state);
    },
    text: pageText,
  });

function listPage(
  page: { items: Entry[]; total: number; next_page_token: string | null },
  empty: ListState,
): ElementList {
  const { truncated, note } = page.items[0] ?? empty;
  return {
    elements: page.items.map(({ shown }) => shown),
    total: page.total,
    next_page_token: page.next_page_token,
    truncated,
    ...(note === undefined ? {} : { note }),
  };
}

const coordinate = z.number().refine((far) => Math.abs(far) <= 100_000, 'too far');
const sideLength = coordinate.refine((long) => long > 0, 'must be more than 0');

const regionTool = ({ references, pages, images, ageOf }: ToolDeps) =>
  defineAction({
    name: 'find_region_elements',
    title: 'Find elements in a region',
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
    plan: ({ desktop }, { parent }, signal) => readingPlan(desktop, ageOf, parent, signal),
    async run({ desktop, plan, caller }, given, signal) {
      const { page_size: size, page_token: token, ...query } = given;
      const owner = caller.agent.id;
      const area = areaOf(images, query, owner);
      const asked = { owner, tool: 'find_region_elements', query, size, token };
      const state: ListState = { truncated: false, note: undefined };
      const page = await pages.page<Entry>(asked, async () => {
        const { scope } = await findSearchPlace(desktop, query.parent, plan?.window ?? null, signal);
        const { role, title, selector } = query;
        const found = await search(desktop, scope, { role, title, selector }, true, SEARCH_LIMITS.maxNodes, signal);
        state.truncated = Object.values(found.truncated).some(Boolean);
        state.note = found.note;
        const inside = found.elements.filter(({ frame }) => frame !== null && touches(frame, area));
        return inside
          .slice(0, MAX_KEPT_ELEMENTS)
          .map(createElementFormat(references(owner)))
          .map((shown) => ({ shown, ...state }));
      });
      return listPage(page, state);
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

const touches = (a: Rect, b: Rect): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

async function planOne(targets: Targets, ctx: PlanContext, given: GivenTarget, signal: AbortSignal) {
  const found = await targets.place(ctx, await targets.look(ctx, given, signal), signal);
  return planReading(ctx.desktop, `${found.app.id} ${found.app.pid}`, found, signal);
}

/** Reads the element again; throws where it belongs to another application than the approved one. */
async function readAgain(
  targets: Targets,
  ctx: ReadContext,
  given: GivenTarget,
  signal: AbortSignal,
): Promise<Element> {
  const element = await targets.look(ctx, given, signal);
  const approved = ctx.plan?.window?.app;
  if (approved === undefined || approved.pid === element.pid) return element;
  throw targetChanged([{ part: 'application', approved: approved.name, now: null }]);
}

const subjectOf = (given: GivenTarget) => inNoPlace(title('title.read_element'), targetWords(given));

const one = z
  .object({ ...targetFields, ...valueField })
  .strict()
  .refine(namesTarget, NEEDS_TARGET);

const getTool = ({ references }: ToolDeps, targets: Targets) =>
  defineAction({
    name: 'get_element',
    title: 'Get element',
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
    description: 'The actions that an element offers to perform_element_action.',
    effect: 'disclose',
    needs: ['accessibility'],
    input: one,
    output: z.object({ actions: z.array(z.string()) }),
    subject: subjectOf,
    plan: (ctx, given, signal) => planOne(targets, ctx, given, signal),
    run: async (ctx, given, signal) => ({ actions: (await readAgain(targets, ctx, given, signal)).actions }),
    text: ({ actions }) =>
      actions.length === 0 ? 'It offers none; click_element clicks it with the pointer.' : actions.join(', '),
  });
