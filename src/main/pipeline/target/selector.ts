import * as z from 'zod';
import {
  DesktopError,
  type DesktopReader,
  type Element,
  type FindResult,
  type Selector,
  type Window,
} from '../../../native/desktop.js';
import { WireError } from '../../protocol/index.js';
import { findApprovedPlace, type Place, type DesktopRoute } from './scope.js';
import { candidateOf, givenRefSchema, type GivenRef, type References } from './references.js';
import { message } from '../../../messages/index.js';
import { ruleError } from '../../protocol/input-errors.js';

export const selectorSchema = z
  .object({
    byRole: z.string().min(1).max(200).optional(),
    titleContains: z.string().min(1).max(2000).optional(),
    valueContains: z.string().min(1).max(2000).optional(),
    identifier: z.string().min(1).max(500).optional(),
    limit: z.number().int().min(1).max(500).optional(),
  })
  .strict();
type GivenSelector = z.infer<typeof selectorSchema>;

/** At least one; with both, the selector is used where the reference is not found any more. */
export const targetSchema = z
  .object({ elementRef: givenRefSchema.optional(), selector: selectorSchema.optional() })
  .refine((target) => target.elementRef !== undefined || target.selector !== undefined, ruleError('input.needs_ref'));
export const oneTargetSchema = targetSchema.refine(
  (target) => target.elementRef === undefined || target.selector === undefined,
  ruleError('input.one_ref'),
);
export type SelectorTarget = z.infer<typeof targetSchema>;

const DEFAULT_LIMIT = 10;
const MAX_HIDDEN_CHECKED = 20;
export const SEARCH_LIMITS = { maxDepth: 100, maxNodes: 20_000, timeoutMs: 10_000 };

function toSelector(given: GivenSelector): Selector {
  const { byRole, titleContains, valueContains, identifier } = given;
  return {
    ...(byRole === undefined ? {} : { role: byRole }),
    ...(titleContains === undefined ? {} : { titleContains }),
    ...(valueContains === undefined ? {} : { valueContains }),
    ...(identifier === undefined ? {} : { identifier }),
  };
}

/** `approved`: the window of the approved plan, if there is one. */
export async function findAll(
  desktop: DesktopReader,
  route: DesktopRoute | undefined,
  given: GivenSelector,
  signal: AbortSignal,
  approved: Window | null = null,
): Promise<FindResult & { place: Place }> {
  const place = await findApprovedPlace(desktop, route, approved, signal);
  const found = await desktop.find(place.scope, toSelector(given), given.limit ?? DEFAULT_LIMIT, SEARCH_LIMITS, signal);
  return { ...found, place };
}

/** Exactly one visible, enabled match, or an error that lists the candidates. */
async function findOnlyMatch(
  desktop: DesktopReader,
  references: References,
  route: DesktopRoute | undefined,
  given: GivenSelector,
  signal: AbortSignal,
): Promise<Element> {
  const found = await findAll(desktop, route, { ...given, limit: 50 }, signal);
  return onlyUsableMatch(desktop, references, found.place, found, { ...given }, signal);
}

/** `selector` is repeated in errors. */
export async function onlyUsableMatch(
  desktop: DesktopReader,
  references: References,
  { window, app, scope }: Place,
  found: FindResult,
  selector: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Element> {
  const usable = withoutLabelTexts(await usableOf(desktop, found.elements, signal));
  const [first] = usable;
  if (usable.length === 1 && first !== undefined) return first;
  const place = scope.windowId === undefined ? app.name : (window?.title ?? app.name);
  const candidates = (usable.length > 0 ? usable : found.elements).slice(0, 10).map(candidateOf(references.refer));
  if (usable.length > 1)
    throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.several_fit', { count: usable.length, place }), {
      reason: 'ambiguous',
      candidates,
      next: 'Use one candidate’s elementId, or a selector that fits only one.',
    });
  const why = found.elements.length === 0 ? 'no_match' : 'not_usable';
  const text = message(why === 'no_match' ? 'error.none_fits' : 'error.none_usable', { place });
  throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', text, {
    reason: why,
    selector,
    candidates,
    ...(why === 'not_usable'
      ? { next: 'First show or enable it: open its menu or tab, close the dialog in front of it, or scroll to it.' }
      : (await hasPopup(desktop, app, signal))
        ? { next: IN_POPUP }
        : {}),
    truncated: found.truncated,
    ...(found.note === undefined ? {} : { note: found.note }),
  });
}

/** Qt tells nothing of what its popups hold. */
const IN_POPUP =
  'A popup of it is open. If find_elements lists nothing of that, look with capture_window_screenshot; click what shows with click or click_text, then type_text.';

async function hasPopup(desktop: DesktopReader, { pid }: Place['app'], signal: AbortSignal): Promise<boolean> {
  const windows = await desktop.windows(signal);
  return windows.some(({ app, normal, visible, tooltip }) => app.pid === pid && !normal && visible && tooltip !== true);
}

/** Enabled and visible elements; without any, enabled ones that can be scrolled into view. */
async function usableOf(desktop: DesktopReader, elements: readonly Element[], signal: AbortSignal): Promise<Element[]> {
  const enabled = elements.filter(({ states }) => states.enabled);
  const shown = enabled.filter(({ states }) => states.visible);
  if (shown.length > 0) return shown;
  const hidden = enabled.slice(0, MAX_HIDDEN_CHECKED);
  const scrollers = await Promise.all(hidden.map(({ id }) => desktop.scrollerOf(id, signal).catch(nullIfStale)));
  return hidden.filter((_, index) => scrollers[index] !== null);
}

function nullIfStale(thrown: unknown): null {
  if (thrown instanceof DesktopError && thrown.code === 'stale') return null;
  throw thrown;
}

/**
 * The text inside or around a control and the label of a field have its name, and so may a part of a date; the control is what was
 * meant.
 */
function withoutLabelTexts(elements: readonly Element[]): Element[] {
  const isSame = (one: Element, other: Element) => one.pid === other.pid && one.title.trim() === other.title.trim();
  const stands = (other: Element, text: Element): boolean =>
    other.role !== 'AXStaticText' &&
    isSame(other, text) &&
    (other.states.editable || isAncestorPath(other.path, text.path) || isAncestorPath(text.path, other.path));
  const isPart = (one: Element): boolean =>
    elements.some(
      (other) => other.role === 'AXDateField' && isSame(other, one) && isAncestorPath(other.path, one.path),
    );
  return elements.filter(
    (one) => !isPart(one) && (one.role !== 'AXStaticText' || !elements.some((other) => stands(other, one))),
  );
}

export const isAncestorPath = (path: readonly number[], other: readonly number[]): boolean =>
  path.length < other.length && path.every((step, depth) => other[depth] === step);

/** The reference first; where it cannot be found again and a selector is given too, the selector. */
export async function resolveTarget(
  desktop: DesktopReader,
  references: References,
  route: DesktopRoute | undefined,
  target: SelectorTarget,
  signal: AbortSignal,
): Promise<Element> {
  const { elementRef, selector } = target;
  if (elementRef === undefined && selector === undefined)
    throw new WireError('DESKTOP_INVALID_REQUEST', message('error.no_target'));
  if (elementRef === undefined) return findOnlyMatch(desktop, references, route, selector ?? {}, signal);
  return fromRef(desktop, references, route, elementRef, selector, signal);
}

async function fromRef(
  desktop: DesktopReader,
  references: References,
  route: DesktopRoute | undefined,
  ref: GivenRef,
  selector: GivenSelector | undefined,
  signal: AbortSignal,
): Promise<Element> {
  try {
    return await references.resolve(desktop, ref, signal);
  } catch (thrown) {
    if (selector === undefined || !(thrown instanceof WireError) || thrown.code !== 'DESKTOP_ELEMENT_NOT_FOUND')
      throw thrown;
    return findOnlyMatch(desktop, references, route, selector, signal);
  }
}
