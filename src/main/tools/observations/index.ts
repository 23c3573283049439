import * as z from 'zod';
import type { ReadContext } from '../../pipeline/context.js';
import { defineAction } from '../../pipeline/define.js';
import { subjectWithoutPlace, title } from '../../protocol/index.js';
import type { PollResult, WatchType } from '../../desktop/watch/index.js';
import { alias, unpublished, listSubject, lookUpSubject } from '../parameters.js';
import { withPid } from '../places.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import {
  findWatchPlace,
  typeSchema,
  typesOf,
  watchPlan,
  watchFields,
  watchRequestOf,
  type WatchInput,
} from './place.js';
import { moreLines, pageFields, pageResult } from '../paging.js';
import { ruleError } from '../../protocol/input-errors.js';
import { isRecord } from '../../../base/type-guards.js';
import { quote } from '../../../base/text.js';

/** An event as one line for a model, without empty fields. Pure. */
function eventLine(event: Record<string, unknown>): string {
  const { sequence, kind, event: what, element, window, application, title, changes } = event;
  const subject = isRecord(element)
    ? `${toText(element['elementId'])} ${toText(element['role'])} ${quote(toText(element['title']))}`
    : `${toText(window ?? application)} ${quote(toText(title))}`;
  const list = Array.isArray(changes) ? changes.filter(isRecord).map(changeText) : [];
  const head = [`#${toText(sequence)}`, toText(kind), toText(what), subject].filter((part) => part !== '').join(' ');
  return list.length === 0 ? head : `${head}: ${list.join(', ')}`;
}

const changeText = ({ attribute, before, after }: Record<string, unknown>): string =>
  `${toText(attribute)} ${JSON.stringify(before)} → ${JSON.stringify(after)}`;

const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const nameSchema = z.string().min(1).max(200);
const infoSchema = z.object({
  name: z.string(),
  state: z.string(),
  types: unpublished(z.array(z.string())),
  parent: unpublished(z.string()),
  created: unpublished(z.string()),
  poll_interval_ms: unpublished(z.number()),
  last_sequence: unpublished(z.number()),
  expires: unpublished(z.string().nullable()),
  reason: unpublished(z.string().nullable()),
  notes: unpublished(z.array(z.string())),
});
const eventsSchema = z.object({
  name: z.string(),
  state: z.string(),
  reason: unpublished(z.string().nullable()),
  events: z.array(z.record(z.string(), z.unknown())),
  dropped: unpublished(z.number()),
  next_after: z.number(),
  more: unpublished(z.boolean()),
  notes: unpublished(z.array(z.string())),
});
type Info = z.infer<typeof infoSchema>;
type Events = z.infer<typeof eventsSchema>;

const waitFields = {
  after_sequence: z.number().int().min(0).optional().describe('Default: after the last given.'),
  timeout: z.number().min(0).max(3600).default(30).describe('Seconds.'),
};

interface Wait {
  after_sequence?: number | undefined;
  timeout: number;
}

const WATCH = title('title.watch');

/** Reading an existing observation needs no new approval: before each delivery its own approval is checked again. */
const byName = { needs: [], evidence: 'line' } as const;

export function observationTools(deps: ToolDeps): Tool[] {
  const { observations, pages } = deps;

  async function begin(ctx: ReadContext, asked: WatchInput, types: WatchType[], join: boolean, signal: AbortSignal) {
    const agentId = ctx.caller.agent.id;
    const { place } = await findWatchPlace(deps, ctx, asked.parent, types, ctx.plan, signal);
    const request = watchRequestOf(place, types, asked);
    const known = join ? observations.findEquivalent(agentId, request) : null;
    return known ?? observations.create(request, { agentId, approvalState: ctx.approvalState, plan: ctx.plan });
  }

  const create = defineAction({
    name: 'create_observation',
    title: 'Watch for changes',
    description: 'Watches elements, windows or applications from now on. Get its events with poll_observation.',
    effect: 'disclose',
    needs: ['accessibility'],
    input: z
      .object({
        ...watchFields,
        parent: watchFields.parent.describe(
          'Application, window or element; default: in front, of windows and applications all',
        ),
        type: typeSchema.default('element_changes'),
      })
      .strict(),
    output: infoSchema,
    subject: ({ parent }) => subjectWithoutPlace(WATCH, parent ?? null),
    plan: (ctx, asked, signal) => watchPlan(deps, ctx, asked, typesOf([asked.type]), signal),
    run: (ctx, asked, signal) => begin(ctx, asked, typesOf([asked.type]), false, signal),
    text: infoLine,
  });

  const stream = defineAction({
    name: 'stream_observations',
    title: 'Stream changes',
    description: 'Waits for events of an observation: of `name`, or of a new one for `parent` and `types`.',
    effect: 'disclose',
    needs: ['accessibility'],
    input: z
      .object({
        name: nameSchema.optional(),
        ...watchFields,
        visible_only: alias(z.boolean()),
        attributes: watchFields.attributes.meta({ items: { type: 'string' } }),
        types: z
          .array(typeSchema)
          .min(1)
          .max(10)
          .optional()
          .meta({ items: { type: 'string' } }),
        ...waitFields,
      })
      .strict()
      .refine(
        (given) => given.name === undefined || (given.parent === undefined && given.types === undefined),
        ruleError('input.name_or_place'),
      ),
    output: eventsSchema,
    subject: ({ name, parent }) => subjectWithoutPlace(WATCH, name ?? parent ?? null),
    async plan(ctx, { name, types, ...asked }, signal) {
      if (name === undefined) return watchPlan(deps, ctx, asked, typesOf(types ?? ['element_changes']), signal);
      const { plan } = observations.owner(ctx.caller.agent.id, name);
      if (plan === null) throw new Error('An observation without a plan.');
      // Approved when it was created; its window may be closed by now.
      return { ...plan, look: null, pixels: null, alwaysAsk: false };
    },
    async run(ctx, { name, types, ...asked }, signal) {
      const wanted = typesOf(types ?? ['element_changes']);
      return wait(ctx, name ?? (await begin(ctx, asked, wanted, true, signal)).name, asked, signal);
    },
    text: eventsText,
  });

  async function wait(ctx: ReadContext, name: string, given: Wait, signal: AbortSignal) {
    const how = { after: given.after_sequence ?? null, timeoutMs: given.timeout * 1000 };
    return eventsOf(await observations.poll(ctx.caller.agent.id, name, how, signal));
  }

  const poll = defineAction({
    ...byName,
    effect: 'bookkeeping',
    name: 'poll_observation',
    title: 'Wait for changes',
    description: 'Waits until an observation has events, or for `timeout`, and returns them in order.',
    input: z.object({ name: nameSchema, ...waitFields }).strict(),
    output: eventsSchema,
    subject: ({ name }) => subjectWithoutPlace(title('title.wait_for_changes'), name),
    run: (ctx, given, signal) => wait(ctx, given.name, given, signal),
    text: eventsText,
  });

  const get = defineAction({
    ...byName,
    effect: 'bookkeeping',
    name: 'get_observation',
    title: 'Get observation',
    description: 'State of one observation, also for a while after it has ended.',
    input: z.object({ name: nameSchema }).strict(),
    output: infoSchema,
    subject: ({ name }) => lookUpSubject('observation', name),
    run: async ({ caller }, { name }) => observations.get(caller.agent.id, name),
    text: infoLine,
  });

  const list = defineAction({
    ...byName,
    effect: 'bookkeeping',
    name: 'list_observations',
    title: 'List observations',
    description: 'Your observations, oldest first.',
    input: z.object({ parent: z.string().max(500).optional(), ...pageFields }).strict(),
    output: z.object({ observations: z.array(infoSchema).meta({ items: { type: 'object' } }), ...pageResult }),
    subject: () => listSubject('observations'),
    async run({ desktop, caller }, given, signal) {
      const { items, ...page } = await pages.page(caller, 'list_observations', given, async () => {
        const parent = await withPid(desktop, given.parent ?? '', signal);
        return observations.list(caller.agent.id).filter((one) => isBelow(one.parent, parent));
      });
      return { observations: items, ...page };
    },
    text: ({ observations: all, next_page_token: next }) =>
      all.length === 0 ? 'No observations.' : [...all.map(infoLine), ...moreLines(next)].join('\n'),
  });

  const cancel = defineAction({
    ...byName,
    effect: 'bookkeeping',
    name: 'cancel_observation',
    title: 'Stop watching',
    description: 'Ends an observation, and calls that wait for its events.',
    input: z.object({ name: nameSchema }).strict(),
    output: infoSchema,
    subject: ({ name }) => subjectWithoutPlace(title('title.stop_observation'), name),
    run: async ({ caller }, { name }) => observations.cancel(caller.agent.id, name),
    text: infoLine,
  });

  return toolGroup('observation', { more: [create, stream, poll, get, list, cancel] });
}

const isBelow = (place: string, parent: string): boolean =>
  ['', '-', 'applications/-'].includes(parent) || place === parent || place.startsWith(`${parent}/`);

function eventsOf({ info, events, dropped, next, more }: PollResult): Events {
  const { name, state, reason, notes } = info;
  return { name, state, reason, events, dropped, next_after: next, more, notes };
}

function infoLine({
  name,
  types = [],
  parent = '',
  state,
  reason = null,
  notes = [],
  last_sequence: last,
}: Info): string {
  const what = `${name} ${types.join(' ')} of ${parent === '' ? 'everything' : parent}: ${state}`;
  return [`${what}, ${last} events${reason === null ? '' : `. ${reason}`}`, ...notes].join('\n');
}

function eventsText({
  name,
  state,
  reason = null,
  events,
  dropped,
  next_after: next,
  more,
  notes = [],
}: Events): string {
  return [
    ...(dropped === 0 ? [] : [`${dropped} earlier events are lost.`]),
    ...(events.length === 0 ? ['No events.'] : events.map(eventLine)),
    `${name}: ${state}${reason === null ? '' : ` (${reason})`}, next after_sequence ${next}${more ? ', more wait' : ''}`,
    ...notes,
  ].join('\n');
}
