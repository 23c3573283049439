/** The element of a tool call, given by its id, in either spelling, or by fields that fit only one. */
import * as z from 'zod';
import { nameOf, planElement, type PlanDescription } from '../../pipeline/target/plans.js';
import { onlyUsableMatch } from '../../pipeline/target/selector.js';
import type { PlanContext } from '../../pipeline/context.js';
import type { DesktopReader, Element } from '../../../native/desktop.js';
import { WireError, title } from '../../protocol/index.js';
import { elementIdOf } from '../images.js';
import { alias } from '../parameters.js';
import { withPid, parentSchema, resolveParent } from '../places.js';
import type { ToolDeps } from '../tool.js';
import { isQuery, findSearchPlace, queryFields, search, findStartedPlace, type Query } from './query.js';
import { message } from '../../../messages/index.js';
import { ruleError } from '../../protocol/input-errors.js';

const id = z.string().min(1).max(500);

/** Publishes the id only; the search fields are accepted as well. */
export const targetFields = {
  element_id: id.optional().describe('An elementId.'),
  name: alias(id),
  parent: alias(parentSchema),
  role: alias(queryFields.role),
  title: alias(queryFields.title),
  identifier: alias(queryFields.identifier),
  selector: queryFields.selector,
};
/** For frequently used tools, which publish the search fields too. */
export const namedTargetFields = {
  ...targetFields,
  element_id: id.optional().describe('From an earlier result. Or find one element by:'),
  parent: z.string().max(500).optional(),
  role: z.string().min(1).max(200).optional(),
  title: z.string().min(1).max(2000).optional(),
};
/** For tools without a `value` parameter of their own. */
export const valueField = { value: alias(queryFields.value) };

export interface GivenTarget extends Query {
  element_id?: string | undefined;
  name?: string | undefined;
}

export const namesTarget = (given: GivenTarget): boolean =>
  (given.element_id ?? given.name) !== undefined || isQuery(queryOf(given));
export const NEEDS_TARGET = ruleError('input.needs_target');

export const targetWords = (given: GivenTarget): string =>
  given.element_id ?? given.name ?? given.title ?? given.identifier ?? given.role ?? 'an element';

interface FindMode {
  /** For reading: the element may have another title by now, and need not be usable. */
  toRead: boolean;
  /** Does not wait for an application that is starting. */
  atOnce: boolean;
}

const MAX_CANDIDATES = 50;
const NAMED = /^applications\/([^/]+)(?:\/windows\/[^/]+)?\/elements\/(.+)$/;

export function createTargets({ references, images, ageOf }: ToolDeps) {
  /** The element found when the call was planned, by the call's input. */
  const planned = new WeakMap<object, Element>();

  async function find(
    ctx: PlanContext,
    given: GivenTarget,
    mode: FindMode,
    signal: AbortSignal,
    key: object = given,
  ): Promise<Element> {
    const named = given.element_id ?? given.name;
    if (named === undefined) return findByFields(ctx, given, mode, signal, key);
    const owner = ctx.caller.agent.id;
    const ref = { elementId: elementIdOf(images, named, owner) };
    const element = await references(owner)[mode.toRead ? 'follow' : 'resolve'](ctx.desktop, ref, signal);
    const pid = NAMED.exec(await withPid(ctx.desktop, named, signal))?.[1];
    if (pid !== undefined && pid !== '-' && pid !== String(element.pid))
      throw otherParentError(named, `applications/${pid}`);
    await assertInside(ctx, element, given.parent, named, signal);
    return element;
  }

  /** Prefers an exact title to titles that contain it. */
  async function findByFields(
    { desktop, caller }: PlanContext,
    given: GivenTarget,
    { toRead, atOnce }: FindMode,
    signal: AbortSignal,
    key: object,
  ): Promise<Element> {
    const query = queryOf(given);
    const place = atOnce
      ? await findSearchPlace(desktop, given.parent, null, signal)
      : await findStartedPlace(desktop, ageOf, given.parent, signal);
    const found = await search(desktop, place.scope, query, false, MAX_CANDIDATES, signal);
    const [only] = found.elements;
    if (toRead && found.matched === 1 && only !== undefined) return only;
    const usable = found.elements.filter(({ states }) => states.enabled);
    const shown = usable.filter(({ states }) => states.visible);
    const exact = await exactlyNamed(desktop, shown, usable, given.title, signal);
    const elements = exact.length === 1 ? exact : found.elements;
    const own = references(caller.agent.id);
    const one = await onlyUsableMatch(desktop, own, place, { ...found, elements }, { ...query }, signal);
    return asPlanned(desktop, key, one, signal);
  }

  /** Also one that is to be scrolled to, such as the third row of a list that shows the thirtieth. */
  async function exactlyNamed(
    desktop: DesktopReader,
    shown: readonly Element[],
    usable: readonly Element[],
    title: string | undefined,
    signal: AbortSignal,
  ): Promise<Element[]> {
    const isExact = (one: Element): boolean => one.title === title;
    const exact = shown.filter(isExact);
    const [hidden, ...others] = exact.length > 0 ? [] : usable.filter(isExact);
    if (hidden === undefined || others.length > 0) return exact;
    return shown.length === 0 || (await desktop.scrollerOf(hidden.id, signal)) !== null ? [hidden] : [];
  }

  /** Some toolkits (Qt's trees) give rows new ids at every listing; keeps the planned element where it is the same row. */
  async function asPlanned(
    desktop: DesktopReader,
    key: object,
    element: Element,
    signal: AbortSignal,
  ): Promise<Element> {
    const before = planned.get(key);
    planned.set(key, before ?? element);
    if (before === undefined || before.id === element.id || !sameRow(before, element)) return element;
    const still = await desktop.element(before.id, signal).catch(() => null);
    return still !== null && sameRow(still, element) ? still : element;
  }

  async function assertInside(
    { desktop }: PlanContext,
    element: Element,
    parent: string | undefined,
    named: string,
    signal: AbortSignal,
  ): Promise<void> {
    if (parent === undefined) return;
    const { app, window } = await resolveParent(desktop, parent, signal);
    if (app !== null && app.pid !== element.pid) throw otherParentError(named, parent);
    if (window === null) return;
    const { window: own } = await planElement(desktop, element, { title: title('verbatim', { text: '' }) }, signal);
    if (own?.id !== window.id) throw otherParentError(named, parent);
  }

  return {
    /** Finds an element to read, in any state. */
    findToRead: (ctx: PlanContext, given: GivenTarget, signal: AbortSignal, atOnce = false) =>
      find(ctx, given, { toRead: true, atOnce }, signal),
    /** Finds an element to act on. `key` is the call’s input, the same object at every planning. */
    async findToAct(ctx: PlanContext, given: GivenTarget, signal: AbortSignal, key: object = given): Promise<Element> {
      const element = await find(ctx, given, { toRead: false, atOnce: false }, signal, key);
      const { enabled, visible } = element.states;
      const scrolls = enabled && !visible && (await ctx.desktop.scrollerOf(element.id, signal)) !== null;
      if (!scrolls) assertUsable(element);
      return element;
    },
    plan: (ctx: PlanContext, element: Element, words: PlanDescription, signal: AbortSignal) =>
      planElement(ctx.desktop, element, { ...words, mayScroll: true }, signal),
  };
}
export type Targets = ReturnType<typeof createTargets>;

const queryOf = ({ role, title, identifier, value, selector }: GivenTarget): Query => ({
  role,
  title,
  identifier,
  value,
  selector,
});

const sameRow = (a: Element, b: Element): boolean =>
  a.pid === b.pid && a.role === b.role && a.title === b.title && a.path.join('/') === b.path.join('/');

function otherParentError(named: string, parent: string): WireError {
  return new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.not_in_parent', { name: named, parent }), {
    reason: 'other_parent',
    next: 'Leave parent out, or look the element up in that parent.',
  });
}

function assertUsable(element: Element): void {
  const { enabled, visible } = element.states;
  if (enabled && visible) return;
  throw new WireError(
    'DESKTOP_ELEMENT_NOT_FOUND',
    message(enabled ? 'error.not_on_screen_now' : 'error.disabled_now', { name: nameOf(element) }),
    { reason: 'not_usable', next: 'Wait for it with wait_element_state, or do first what shows or enables it.' },
  );
}
