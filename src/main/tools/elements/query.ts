/** Search parameters for elements, in both spellings, and the search. */
import { title, subjectWithoutPlace, rectSchema } from '../../protocol/index.js';
import * as z from 'zod';
import { planReading } from '../../pipeline/target/plans.js';
import { parseRole, shortRole } from '../../desktop/roles.js';
import { nullIfNotFound } from '../../pipeline/failures.js';
import { findApprovedPlace, findPlaceOfProcess, type Place } from '../../pipeline/target/scope.js';
import { SEARCH_LIMITS } from '../../pipeline/target/selector.js';
import {
  matches,
  type DesktopReader,
  type Element,
  type FindResult,
  type Selector,
  type Window,
} from '../../../native/desktop.js';
import { alias } from '../parameters.js';
import { parentSchema, resolveParent } from '../places.js';
import type { HidingReader } from '../../pipeline/masked.js';
import { waitUntilStarted, type AgeOf } from '../../pipeline/target/wait-until-started.js';
import { quote } from '../../../base/text.js';
import type { References } from '../../pipeline/target/references.js';
import { frameText } from '../geometry.js';

/** Elements as tools return them. */
export const shownSchema = z.object({
  elementId: z.string(),
  role: z.string(),
  title: z.string(),
  value: z.string().nullable(),
  frame: rectSchema.nullable(),
  states: z.array(z.string()),
  actions: z.array(z.string()),
  description: z.string().optional().meta({ unpublished: true }),
  identifier: z.string().optional().meta({ unpublished: true }),
});
export type ShownElement = z.infer<typeof shownSchema>;

/** Longest text in a list; get_element returns all of it. */
const MAX_LISTED_LENGTH = 300;

export function createElementFormat(references: References, whole = false): (element: Element) => ShownElement {
  return (element) => {
    const { elementId, role, frame } = references.refer(element);
    const { description, identifier, actions } = element;
    const short = (text: string) => (whole ? text : truncateWithCount(text, MAX_LISTED_LENGTH));
    return {
      elementId,
      role,
      title: short(element.title),
      value: element.value === null ? null : short(element.value),
      frame,
      states: statesOf(element),
      actions,
      ...(description === '' ? {} : { description: short(description) }),
      ...(identifier === '' ? {} : { identifier }),
    };
  };
}

export const statesOf = ({ states }: Element): string[] =>
  Object.entries(states)
    .filter(([, value]) => value === true)
    .map(([name]) => name);

/** Shortens a text and adds the number of characters left out. */
export function truncateWithCount(text: string, longest: number): string {
  const characters = [...text.slice(0, longest * 2)];
  if (characters.length <= longest && text.length <= longest * 2) return text;
  const kept = characters.slice(0, longest).join('');
  return `${kept}… (+${text.length - kept.length})`;
}

export const elementLine = (one: ShownElement): string =>
  [
    `${one.elementId} ${shortRole(one.role)} ${quote(one.title)}`,
    ...(one.value === null || one.value === '' || one.value === one.title ? [] : [`=${quote(one.value)}`]),
    ...(one.frame === null ? [] : [frameText(one.frame)]),
    ...notableStates(one.states),
  ].join(' ');

/** The states that differ from an enabled, visible element. */
export function notableStates(states: readonly string[]): string[] {
  const off = [...(states.includes('enabled') ? [] : ['disabled']), ...(states.includes('visible') ? [] : ['hidden'])];
  const on = states.filter((state) => state !== 'enabled' && state !== 'visible');
  return on.length + off.length === 0 ? [] : [`[${[...off, ...on].join(' ')}]`];
}

const shortText = (longest: number) => z.string().min(1).max(longest);
const nested = z
  .object({
    role: shortText(200).optional(),
    title: shortText(2000).optional(),
    text: shortText(2000).optional(),
    text_contains: shortText(2000).optional(),
  })
  .strict();

/** With descriptions, for search tools. */
export const queryFields = {
  parent: parentSchema,
  role: shortText(200).optional().describe('button, AXTextField, check box …'),
  title: shortText(2000).optional().describe('Part of the title.'),
  identifier: shortText(500).optional().describe('The developer’s name for it, whole.'),
  value: shortText(2000).optional().describe('Part of the value.'),
  selector: alias(nested),
};

/** Without descriptions, for tools listed after one that has them. */
export const plainQueryFields = {
  parent: z.string().max(500).optional(),
  role: shortText(200).optional(),
  title: shortText(2000).optional(),
  identifier: shortText(500).optional(),
  value: shortText(2000).optional(),
  selector: alias(nested),
};

export interface Query {
  parent?: string | undefined;
  role?: string | undefined;
  title?: string | undefined;
  identifier?: string | undefined;
  value?: string | undefined;
  selector?: z.infer<typeof nested> | undefined;
}

/** Most elements that are filtered here, for conditions that the backend does not know. */
const MAX_SCANNED = 5000;

/** Fields of the flat and the nested form must all fit. */
export async function search(
  desktop: DesktopReader,
  scope: Place['scope'],
  given: Query,
  visibleOnly: boolean,
  limit: number,
  signal: AbortSignal,
): Promise<FindResult> {
  const { selector } = given;
  const main: Selector = {
    ...(given.role === undefined ? {} : { roles: parseRole(given.role) }),
    ...(given.title === undefined ? {} : { titleContains: given.title }),
    ...(given.identifier === undefined ? {} : { identifier: given.identifier }),
    ...(given.value === undefined ? {} : { valueContains: given.value }),
    ...(visibleOnly ? { visibleOnly } : {}),
  };
  if (selector === undefined) return desktop.find(scope, main, limit, SEARCH_LIMITS, signal);
  const found = await desktop.find(scope, withRole(main, selector.role), MAX_SCANNED, SEARCH_LIMITS, signal);
  const elements = found.elements.filter((element) => fitsNested(selector, element));
  const cutShort = found.matched > found.elements.length;
  const truncated = { ...found.truncated, nodes: found.truncated.nodes || cutShort };
  return { ...found, truncated, elements: elements.slice(0, limit), matched: elements.length };
}

const withRole = (selector: Selector, role: string | undefined): Selector =>
  role === undefined || selector.roles !== undefined ? selector : { ...selector, roles: parseRole(role) };

function fitsNested({ role, title, text, text_contains: part }: z.infer<typeof nested>, element: Element): boolean {
  const also: Selector = {
    ...(role === undefined ? {} : { roles: parseRole(role) }),
    ...(title === undefined ? {} : { titleContains: title }),
  };
  const said = [element.title, element.value ?? '', element.description];
  return (
    matches(also, element) &&
    (text === undefined || said.includes(text)) &&
    (part === undefined || said.some((one) => one.includes(part)))
  );
}

export const isQuery = ({ parent: _parent, ...fields }: Query): boolean =>
  Object.values(fields).some((field) => field !== undefined);

/** Where to search. `approved`: the window of the approved plan, if there is one. */
export async function findSearchPlace(
  desktop: DesktopReader,
  parent: string | undefined,
  approved: Window | null,
  signal: AbortSignal,
): Promise<Place> {
  const { app, window } = await resolveParent(desktop, parent, signal);
  if (app === null) return findApprovedPlace(desktop, undefined, approved, signal);
  return { app, window, scope: window === null ? { pid: app.pid } : { pid: app.pid, windowId: window.id } };
}

/** Like `findSearchPlace`, but waits for an application that is starting. */
export const findStartedPlace = (
  desktop: HidingReader,
  ageOf: AgeOf,
  parent: string | undefined,
  signal: AbortSignal,
): Promise<Place> =>
  waitUntilStarted(desktop, ageOf, parent, () => findSearchPlace(desktop, parent, null, signal), signal);

export const readingSubject = () => subjectWithoutPlace(title('title.read_controls'));

/** For waits: the application need not run yet. */
export async function waitingPlan(desktop: DesktopReader, parent: string | undefined, signal: AbortSignal) {
  return planOf(desktop, parent, await findSearchPlace(desktop, parent, null, signal).catch(nullIfNotFound), signal);
}

export async function readingPlan(
  desktop: HidingReader,
  ageOf: AgeOf,
  parent: string | undefined,
  signal: AbortSignal,
) {
  return planOf(desktop, parent, await findStartedPlace(desktop, ageOf, parent, signal), signal);
}

export async function processReadingPlan(desktop: DesktopReader, pid: number, signal: AbortSignal) {
  return planOf(desktop, undefined, await findPlaceOfProcess(desktop, pid, signal), signal);
}

function planOf(desktop: DesktopReader, parent: string | undefined, found: Place | null, signal: AbortSignal) {
  const name = parent ?? (found === null ? 'the application in front' : `${found.app.id} ${found.app.pid}`);
  return planReading(desktop, name, found, signal);
}
