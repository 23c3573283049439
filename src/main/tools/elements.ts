import * as z from 'zod';
import { clickElement, pressable } from '../action/context/clicking.js';
import { planElement, plannedElement, planReading } from '../action/context/plans.js';
import { elementRefSchema } from '../action/context/references.js';
import { SEARCH } from '../action/context/selecting.js';
import { placeAgain, placeOfApp } from '../action/context/scope.js';
import type { PlanContext } from '../action/context.js';
import { typeInto } from '../action/context/typing.js';
import { defineAction } from '../action/define.js';
import { until } from '../action/waiting.js';
import { matches } from '../../native/desktop.js';
import type { Desktop, Element, FindResult, Selector, Window } from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import { alias, elementIdOf, frameText, parentSchema, scopeOf } from './common.js';
import type { Tool, ToolDeps } from './common.js';

const flat = {
  role: z.string().min(1).max(200).optional().describe('Such as AXButton, AXTextField, AXCheckBox.'),
  title: z.string().min(1).max(2000).optional().describe('Part of the title.'),
  identifier: z.string().min(1).max(500).optional().describe('The developer’s name for it, whole.'),
};
const nested = z
  .object({
    role: z.string().optional(),
    title: z.string().optional(),
    text: z.string().optional(),
    text_contains: z.string().optional(),
  })
  .strict();
const query = {
  parent: parentSchema,
  ...flat,
  value: z.string().min(1).max(2000).optional().describe('Part of the value.'),
  selector: alias(nested),
};
type Query = {
  parent?: string | undefined;
  role?: string | undefined;
  title?: string | undefined;
  identifier?: string | undefined;
  value?: string | undefined;
  selector?: z.infer<typeof nested> | undefined;
};

const shownSchema = elementRefSchema.extend({ states: z.array(z.string()), actions: z.array(z.string()) });
const reading = { verb: 'Read the controls of', done: 'Read the controls of' };
const byId = {
  parent: parentSchema.describe('Not needed.'),
  element_id: z.string().min(1).max(500).describe('elementId of an earlier result.'),
};

export function elementTools({ references, images }: ToolDeps): Tool[] {
  const shown = (element: Element) => ({
    ...references.refer(element),
    states: Object.entries(element.states)
      .filter(([, value]) => value === true)
      .map(([name]) => name),
    actions: element.actions,
  });
  const named = ({ desktop, caller }: PlanContext, id: string, signal: AbortSignal) =>
    references.resolve(desktop, { elementId: elementIdOf(images, id, caller.agent.id) }, signal);
  const line = (one: z.infer<typeof shownSchema>) =>
    [
      `${one.elementId} ${one.role} “${one.title}”`,
      ...(one.value === null || one.value === '' ? [] : [`= “${one.value}”`]),
      ...(one.frame === null ? [] : [frameText(one.frame)]),
      ...notable(one.states),
    ].join(' ');

  const find = defineAction({
    name: 'find_elements',
    title: 'Find elements',
    description:
      'Lists the controls that fit all fields given, each with the elementId that other tools take. Try this before a screenshot.',
    effect: 'disclose',
    needs: ['accessibility'],
    evidence: 'line',
    input: z
      .object({
        ...query,
        visible_only: z.boolean().default(true),
        page_size: z.number().int().min(1).max(200).default(20),
      })
      .strict(),
    output: z.object({ elements: z.array(shownSchema), matched: z.number().int(), truncated: z.boolean() }),
    subject: () => ({ ...reading, target: null, app: null, place: null }),
    plan: ({ desktop }, { parent }, signal) => readingPlan(desktop, parent, false, signal),
    async run({ desktop, plan }, { visible_only: visibleOnly, page_size: size, ...given }, signal) {
      const found = await search(desktop, plan?.window ?? null, given, visibleOnly, size, signal);
      return {
        elements: found.elements.map(shown),
        matched: found.matched,
        truncated: Object.values(found.truncated).some(Boolean),
      };
    },
    text: ({ elements, matched, truncated }) =>
      elements.length === 0
        ? `Nothing fits${truncated ? ' in the part that could be read in time' : ''}. Try fewer fields, visible_only: false, or another parent.`
        : [`${matched} found, ${elements.length} shown:`, ...elements.map(line)].join('\n'),
  });

  const get = defineAction({
    name: 'get_element',
    title: 'Get element',
    description: 'One element as it is now: value, states, actions, frame.',
    effect: 'disclose',
    needs: ['accessibility'],
    evidence: 'line',
    input: z.object(byId).strict(),
    output: shownSchema,
    subject: ({ element_id: id }) => ({ verb: 'Read', done: 'Read', target: id, app: null, place: null }),
    async plan(ctx, { element_id: id }, signal) {
      const found = await placeOfApp(ctx.desktop, (await named(ctx, id, signal)).pid, signal);
      return planReading(ctx.desktop, `${found.app.id} ${found.app.pid}`, found, signal);
    },
    run: async (ctx, { element_id: id }, signal) => shown(await named(ctx, id, signal)),
    text: line,
  });

  const click = defineAction({
    name: 'click_element',
    title: 'Click element',
    description:
      'Presses an element. The person may be asked first. The result says what changed: read it, do not assume.',
    effect: 'input',
    needs: ['accessibility'],
    evidence: 'folder',
    input: z.object(byId).strict(),
    output: z.object({ clicked: z.literal(true), method: z.enum(['accessibility', 'pointer']) }),
    subject: ({ element_id: id }) => ({ verb: 'Click', done: 'Clicked', target: id, app: null, place: null }),
    async plan(ctx, { element_id: id }, signal) {
      const element = await named(ctx, id, signal);
      assertUsable(element);
      return planElement(
        ctx.desktop,
        element,
        { verb: 'Click', done: 'Clicked', needsFocus: !pressable(element) },
        signal,
      );
    },
    async run(ctx, _input, signal) {
      return { clicked: true as const, method: await clickElement(ctx, plannedElement(ctx.plan), signal) };
    },
    text: ({ method }) => `Clicked (${method}).`,
  });

  const write = defineAction({
    name: 'write_element_value',
    title: 'Write value',
    description: 'Replaces the whole text of a field and reads it back. The person may be asked first.',
    effect: 'input',
    needs: ['accessibility'],
    evidence: 'folder',
    input: z.object({ ...byId, value: z.string().min(1).max(100_000) }).strict(),
    output: z.object({ written: z.literal(true), method: z.enum(['accessibility', 'keys', 'paste']) }),
    subject: ({ element_id: id }) => ({
      verb: 'Replace the text of',
      done: 'Replaced the text of',
      target: id,
      app: null,
      place: null,
    }),
    async plan(ctx, { element_id: id, value }, signal) {
      const element = await named(ctx, id, signal);
      assertUsable(element);
      const words = {
        verb: 'Replace the text of',
        done: 'Replaced the text of',
        text: value,
        notes: ['Replaces what is there.'],
        alwaysAsk: /\p{Cc}/u.test(value),
      };
      return planElement(ctx.desktop, element, { ...words, needsFocus: !element.states.editable }, signal);
    },
    async run(ctx, { value }, signal) {
      const typing = { text: value, clearBefore: true, paste: false };
      const method = await typeInto(ctx, plannedElement(ctx.plan), typing, signal);
      return { written: true as const, method };
    },
    text: ({ method }) => `Written (${method}).`,
  });

  const wait = defineAction({
    name: 'wait_element',
    title: 'Wait for element',
    description: 'Waits until an element that fits is visible. DESKTOP_TIMEOUT after `timeout` seconds.',
    effect: 'disclose',
    needs: ['accessibility'],
    evidence: 'line',
    input: z
      .object({
        ...query,
        timeout: z.number().min(0.1).max(3600).default(30),
        poll_interval: z.number().min(0.01).max(60).default(0.5),
      })
      .strict(),
    output: z.object({ element: shownSchema, matched: z.number().int(), elapsed_ms: z.number().int() }),
    subject: () => ({ ...reading, target: null, app: null, place: null }),
    plan: ({ desktop }, { parent }, signal) => readingPlan(desktop, parent, true, signal),
    async run({ desktop, plan }, { timeout, poll_interval: poll, ...given }, signal) {
      const start = performance.now();
      const look = () => appeared(desktop, plan?.window ?? null, given, signal);
      const found = await until(look, timeout * 1000, poll * 1000, signal);
      const elapsed = Math.round(performance.now() - start);
      const first = found?.elements[0];
      if (found === null || first === undefined)
        throw new WireError('DESKTOP_TIMEOUT', `Nothing that fits appeared within ${timeout} s.`, {
          reason: 'condition',
          elapsedMs: elapsed,
        });
      return { element: shown(first), matched: found.matched, elapsed_ms: elapsed };
    },
    text: ({ element, matched, elapsed_ms: elapsed }) =>
      `${line(element)}${matched > 1 ? `, the first of ${matched} that fit` : ''}, after ${elapsed} ms`,
  });

  return [find, get, click, write, wait].map((action) => ({ group: 'element', core: true, action }));
}

/** Only what is out of the ordinary: an element is enabled and visible unless said otherwise. */
function notable(states: string[]): string[] {
  const off = [...(states.includes('enabled') ? [] : ['disabled']), ...(states.includes('visible') ? [] : ['hidden'])];
  const on = states.filter((state) => state !== 'enabled' && state !== 'visible');
  return on.length + off.length === 0 ? [] : [`[${[...off, ...on].join(' ')}]`];
}

async function appeared(
  desktop: Desktop,
  approved: Window | null,
  given: Query,
  signal: AbortSignal,
): Promise<FindResult | null> {
  const found = await orNothing(search(desktop, approved, given, true, 1, signal));
  return found !== null && found.matched > 0 ? found : null;
}

/** Flat and nested forms are added up: everything given must fit. */
async function search(
  desktop: Desktop,
  approved: Window | null,
  given: Query,
  visibleOnly: boolean,
  limit: number,
  signal: AbortSignal,
): Promise<FindResult> {
  const { scope } = await place(desktop, given.parent, approved, signal);
  const { selector } = given;
  const also: Selector = {
    ...(selector?.role === undefined ? {} : { role: selector.role }),
    ...(selector?.title === undefined ? {} : { titleContains: selector.title }),
  };
  const text = selector?.text_contains ?? selector?.text;
  const main: Selector = {
    ...also,
    ...(given.role === undefined ? {} : { role: given.role }),
    ...(given.title === undefined ? {} : { titleContains: given.title }),
    ...(given.identifier === undefined ? {} : { identifier: given.identifier }),
    ...(given.value === undefined ? {} : { valueContains: given.value }),
    ...(visibleOnly ? { visibleOnly } : {}),
  };
  const extra = (element: Element) => matches(also, element) && (text === undefined || says(element, text));
  const found = await desktop.find(scope, main, selector === undefined ? limit : 5000, SEARCH, signal);
  if (selector === undefined) return found;
  const elements = found.elements.filter(extra);
  return { ...found, elements: elements.slice(0, limit), matched: elements.length };
}

const says = (element: Element, text: string) =>
  [element.title, element.value ?? '', element.description].some((part) => part.includes(text));

async function place(desktop: Desktop, parent: string | undefined, approved: Window | null, signal: AbortSignal) {
  const { app, window } = await scopeOf(desktop, parent, signal);
  if (app === null) return placeAgain(desktop, undefined, approved, signal);
  return { app, window, scope: window === null ? { pid: app.pid } : { pid: app.pid, windowId: window.id } };
}

/** One may wait for an application that is not there yet. */
async function readingPlan(desktop: Desktop, parent: string | undefined, waits: boolean, signal: AbortSignal) {
  const looked = place(desktop, parent, null, signal);
  const found = await (waits ? orNothing(looked) : looked);
  const name = parent ?? (found === null ? 'the application in front' : `${found.app.id} ${found.app.pid}`);
  return planReading(desktop, name, found, signal);
}

async function orNothing<T>(looked: Promise<T>): Promise<T | null> {
  try {
    return await looked;
  } catch (thrown) {
    if (thrown instanceof WireError && thrown.code === 'DESKTOP_ELEMENT_NOT_FOUND') return null;
    throw thrown;
  }
}

function assertUsable({ states, title }: Element): void {
  if (states.enabled && states.visible) return;
  throw new WireError(
    'DESKTOP_ELEMENT_NOT_FOUND',
    `“${title}” is ${states.enabled ? 'not on screen' : 'disabled'} now.`,
    { reason: 'not_usable' },
  );
}
