import { title } from '../../protocol/index.js';
import * as z from 'zod';
import { planReading } from '../../pipeline/target/plans.js';
import { findApprovedPlace, findPlaceOfProcess } from '../../pipeline/target/scope.js';
import type { PlanContext } from '../../pipeline/context.js';
import type { Plan } from '../../approvals/plan.js';
import {
  ATTRIBUTES,
  INTERVAL_MS,
  WATCH_TYPES,
  watchesElements,
  type WatchScope,
  type WatchType,
  type WatchRequest,
} from '../../desktop/watch/index.js';
import { elementIdOf } from '../images.js';
import { alias, planTitles } from '../parameters.js';
import { appName, resolveParent, windowName } from '../places.js';
import type { ToolDeps } from '../tool.js';
import { message } from '../../../messages/index.js';
import { ruleError } from '../../protocol/input-errors.js';

const SHORT: ReadonlyMap<string, WatchType> = new Map(WATCH_TYPES.map((type) => [type.replace('_changes', ''), type]));
export const typeSchema = z.enum([...WATCH_TYPES, ...SHORT.keys()]).meta({ enum: [...WATCH_TYPES] });
const attributeSchema = z.enum([...ATTRIBUTES, 'text']).meta({ enum: [...ATTRIBUTES] });
const activate = z.boolean().refine((on) => !on, ruleError('input.no_activation'));

/** Parameters shared by the tools that start watching. */
export const watchFields = {
  parent: z.string().max(500).optional(),
  visible_only: z.boolean().optional(),
  poll_interval_ms: z.number().optional(),
  poll_interval: alias(z.number()),
  roles: z.array(z.string().min(1).max(100)).max(20).optional(),
  attributes: z
    .array(attributeSchema)
    .max(ATTRIBUTES.length + 1)
    .optional(),
  activate: alias(activate),
};

export interface WatchInput {
  parent?: string | undefined;
  visible_only?: boolean | undefined;
  poll_interval_ms?: number | undefined;
  poll_interval?: number | undefined;
  roles?: string[] | undefined;
  attributes?: string[] | undefined;
}

export const typesOf = (given: readonly string[]): WatchType[] => {
  const full = new Set(given.map((one) => SHORT.get(one) ?? one));
  return WATCH_TYPES.filter((type) => full.has(type));
};

type PlaceDependencies = Pick<ToolDeps, 'references' | 'images'>;

/** The place to watch; without a parent the application of the approved plan, else the one in front. */
export async function findWatchPlace(
  { references, images }: PlaceDependencies,
  { desktop, caller }: PlanContext,
  parent: string | undefined,
  types: readonly WatchType[],
  approved: Plan | null,
  signal: AbortSignal,
): Promise<{ place: WatchScope; reading: Parameters<typeof planReading>[2] }> {
  if (parent !== undefined && /^(applications\/[^/]+\/elements\/|e:|mark:)/.test(parent)) {
    const own = references(caller.agent.id);
    const elementId = elementIdOf(images, parent, caller.agent.id);
    const element = await own.resolve(desktop, { elementId }, signal);
    const reading = await findPlaceOfProcess(desktop, element.pid, signal);
    const name = `${appName(reading.app)}/elements/${own.refer(element).elementId}`;
    return { reading, place: { parent: name, app: reading.app, windowId: null, elementId: element.id } };
  }
  const found = await resolveParent(desktop, parent, signal);
  if (found.app === null && !watchesElements({ types }))
    return { reading: null, place: { parent: '', app: null, windowId: null, elementId: null } };
  const front =
    found.app === null ? await findApprovedPlace(desktop, undefined, approved?.window ?? null, signal) : null;
  const { app, window } = front === null ? found : { app: front.app, window: null };
  if (app === null) throw new Error('a place has an application');
  const name = window === null ? appName(app) : windowName(window);
  return {
    reading: front ?? { app, window, scope: { pid: app.pid } },
    place: { parent: name, app, windowId: window?.id ?? null, elementId: null },
  };
}

export async function watchPlan(
  deps: PlaceDependencies,
  ctx: PlanContext,
  asked: WatchInput,
  types: readonly WatchType[],
  signal: AbortSignal,
): Promise<Plan> {
  const { reading, place } = await findWatchPlace(deps, ctx, asked.parent, types, null, signal);
  const bare =
    place.app === null
      ? planTitles(title('title.watch_titles'))
      : await planReading(ctx.desktop, asked.parent ?? `${place.app.id} ${place.app.pid}`, reading, signal);
  const act = place.app === null ? bare.subject.title : title('title.watch_controls');
  const subject = { ...bare.subject, title: act };
  return { ...bare, subject, covers: [message('note.goes_on_between_calls')] };
}

export function watchRequestOf(place: WatchScope, types: WatchType[], asked: WatchInput): WatchRequest {
  const seconds = asked.poll_interval === undefined ? undefined : asked.poll_interval * 1000;
  const askedMs = asked.poll_interval_ms ?? seconds ?? INTERVAL_MS.default;
  const intervalMs = Math.round(Math.min(INTERVAL_MS.max, Math.max(INTERVAL_MS.min, askedMs)));
  const named = new Set((asked.attributes ?? []).map((one) => (one === 'text' ? 'value' : one)));
  const usual = ATTRIBUTES.filter((one) => one !== 'visible' && one !== 'frame');
  return {
    scope: place,
    types,
    visibleOnly: asked.visible_only ?? false,
    roles: asked.roles ?? [],
    attributes: asked.attributes === undefined ? usual : ATTRIBUTES.filter((one) => named.has(one)),
    intervalMs,
    requestedIntervalMs: askedMs,
  };
}
