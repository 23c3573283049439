/** What callers say of elements, in either spelling, and the search for it. */
import { title, inNoPlace } from '../../protocol/index.js';
import * as z from 'zod';
import { planReading } from '../../pipeline/target/plans.js';
import { rolesNamed } from '../../desktop/roles.js';
import { orNothing, placeAgain } from '../../pipeline/target/scope.js';
import type { Place } from '../../pipeline/target/scope.js';
import { SEARCH } from '../../pipeline/target/selector.js';
import { matches } from '../../../native/desktop.js';
import type { DesktopReader, Element, FindResult, Selector, Window } from '../../../native/desktop.js';
import { alias, parentSchema, scopeOf } from '../common.js';
import { whenStarted } from '../../pipeline/target/starting.js';
import type { AgeOf } from '../../pipeline/target/starting.js';

const words = (longest: number) => z.string().min(1).max(longest);
const nested = z
  .object({
    role: words(200).optional(),
    title: words(2000).optional(),
    text: words(2000).optional(),
    text_contains: words(2000).optional(),
  })
  .strict();

/** Published where a tool is made for searching. */
export const queryFields = {
  parent: parentSchema,
  role: words(200).optional().describe('button, AXTextField, check box …'),
  title: words(2000).optional().describe('Part of the title.'),
  identifier: words(500).optional().describe('The developer’s name for it, whole.'),
  value: words(2000).optional().describe('Part of the value.'),
  selector: alias(nested),
};

/** The same where the list of tools has said already what they mean. */
export const plainQueryFields = {
  parent: z.string().max(500).optional(),
  role: words(200).optional(),
  title: words(2000).optional(),
  identifier: words(500).optional(),
  value: words(2000).optional(),
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

/** More than these are not looked at when a condition is only known here. */
const MOST_LOOKED_AT = 5000;

/** Flat and nested forms are added up: everything given must fit. */
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
    ...(given.role === undefined ? {} : { roles: rolesNamed(given.role) }),
    ...(given.title === undefined ? {} : { titleContains: given.title }),
    ...(given.identifier === undefined ? {} : { identifier: given.identifier }),
    ...(given.value === undefined ? {} : { valueContains: given.value }),
    ...(visibleOnly ? { visibleOnly } : {}),
  };
  if (selector === undefined) return desktop.find(scope, main, limit, SEARCH, signal);
  const found = await desktop.find(scope, withRole(main, selector.role), MOST_LOOKED_AT, SEARCH, signal);
  const elements = found.elements.filter((element) => fitsNested(selector, element));
  const cutShort = found.matched > found.elements.length;
  const truncated = { ...found.truncated, nodes: found.truncated.nodes || cutShort };
  return { ...found, truncated, elements: elements.slice(0, limit), matched: elements.length };
}

const withRole = (selector: Selector, role: string | undefined): Selector =>
  role === undefined || selector.roles !== undefined ? selector : { ...selector, roles: rolesNamed(role) };

function fitsNested({ role, title, text, text_contains: part }: z.infer<typeof nested>, element: Element): boolean {
  const also: Selector = {
    ...(role === undefined ? {} : { roles: rolesNamed(role) }),
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

/** Where a search is made: `approved` is the window of the plan that allows it, once there is one. */
export async function placeFor(
  desktop: DesktopReader,
  parent: string | undefined,
  approved: Window | null,
  signal: AbortSignal,
): Promise<Place> {
  const { app, window } = await scopeOf(desktop, parent, signal);
  if (app === null) return placeAgain(desktop, undefined, approved, signal);
  return { app, window, scope: window === null ? { pid: app.pid } : { pid: app.pid, windowId: window.id } };
}

/** The same; an application that still starts is waited for. */
export const startedPlace = (
  desktop: DesktopReader,
  ageOf: AgeOf,
  parent: string | undefined,
  signal: AbortSignal,
): Promise<Place> => whenStarted(desktop, ageOf, parent, () => placeFor(desktop, parent, null, signal), signal);

export const readingSubject = () => inNoPlace(title('title.read_controls'));

/** One may wait for an application that is not there yet. */
export async function waitingPlan(desktop: DesktopReader, parent: string | undefined, signal: AbortSignal) {
  return planOf(desktop, parent, await orNothing(placeFor(desktop, parent, null, signal)), signal);
}

export async function readingPlan(
  desktop: DesktopReader,
  ageOf: AgeOf,
  parent: string | undefined,
  signal: AbortSignal,
) {
  return planOf(desktop, parent, await startedPlace(desktop, ageOf, parent, signal), signal);
}

function planOf(desktop: DesktopReader, parent: string | undefined, found: Place | null, signal: AbortSignal) {
  const name = parent ?? (found === null ? 'the application in front' : `${found.app.id} ${found.app.pid}`);
  return planReading(desktop, name, found, signal);
}
