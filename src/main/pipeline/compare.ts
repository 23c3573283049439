import { WireError } from '../protocol/index.js';
import type { Element, Window } from '../../native/desktop.js';
import { samePixels } from './pixels.js';
import type { Plan, PlanTarget } from './plan.js';

export interface Drift {
  what: string;
  approved: unknown;
  now: unknown;
}

/** What of the plan decides (a window plan names no element, so whatever has the focus inside that window fits), in the order a person would notice it. Empty when the fresh plan is the approved one. */
export function drift(approved: Plan, fresh: Plan): Drift[] {
  return [
    ...(approved.target.kind === 'reading'
      ? []
      : fields('window', windowFacts(approved.window), windowFacts(fresh.window))),
    ...(approved.target.kind === 'window'
      ? []
      : fields('target', targetFacts(approved.target), targetFacts(fresh.target))),
    ...fields('ancestors', { titles: approved.ancestors }, { titles: fresh.ancestors }),
    ...fields('text', { text: approved.text }, { text: fresh.text }),
    ...fields('place', { place: placeAlone(approved) }, { place: placeAlone(fresh) }),
    ...fields('end of the drag', dropFacts(approved), dropFacts(fresh)),
    ...fields('held input', { keys: approved.held }, { keys: fresh.held }),
    ...viewDrift(approved, fresh),
  ];
}

/**
 * What of a later step still has to be as approved once earlier steps have acted: process, window, origin, element and text.
 * Titles of windows, and where in the tree an element hangs, are what those steps may have changed.
 */
export function stepDrift(approved: Plan, fresh: Plan): Drift[] {
  const target = approved.target.kind;
  return [
    ...(target === 'reading' ? [] : fields('window', placeFacts(approved.window), placeFacts(fresh.window))),
    ...(target === 'window' ? [] : fields('target', identity(approved.target), identity(fresh.target))),
    ...fields('text', { text: approved.text }, { text: fresh.text }),
    ...fields('place', { place: placeAlone(approved) }, { place: placeAlone(fresh) }),
    ...fields('end of the drag', dropPlace(approved), dropPlace(fresh)),
    ...viewDrift(approved, fresh),
  ];
}

/** Of what is done at nothing that shows, such as a command in its folder. */
const placeAlone = ({ target, subject }: Plan): string | null => (target.kind === 'none' ? subject.place : null);

/** Somebody may have scrolled to it meanwhile, but what was shown to the person must not have gone out of view. */
function viewDrift(approved: Plan, fresh: Plan): Drift[] {
  if (fresh.scroller === undefined || approved.scroller !== undefined) return [];
  return [{ what: 'place', approved: 'in view', now: 'out of view' }];
}

/** What these show is no part of them that can be compared. */
const CANVAS: ReadonlySet<string> = new Set([
  'AXWindow',
  'AXGroup',
  'AXScrollArea',
  'AXWebArea',
  'AXImage',
  'AXUnknown',
]);

/** Whether more than its pixels says what it is. */
export const namesItself = (element: Element | null): boolean => element !== null && !CANVAS.has(element.role);

/** What of a document's address says whose it is: the origin on the web, elsewhere the kind of address. */
export function originOf(documentUrl: string | null): string | null {
  if (documentUrl === null || !URL.canParse(documentUrl)) return documentUrl;
  const { protocol, host } = new URL(documentUrl);
  return `${protocol}//${host}`;
}

/** The origin of what is acted on: of the element's own document, else of the window's. A browser's own controls have none. */
export function originAt({ target, window }: Pick<Plan, 'target' | 'window'>): string | null {
  const element = 'element' in target ? target.element : null;
  if (element?.document !== undefined) return originOf(element.document.url);
  return element !== null && window?.documents !== undefined ? null : originOf(window?.documentUrl ?? null);
}

export function pixelDrift(approved: Plan, fresh: Plan): boolean {
  if (approved.pixels === null) return false;
  return fresh.pixels === null || !samePixels(approved.pixels, fresh.pixels);
}

export function targetChanged(drifts: Drift[]): WireError {
  const first = drifts[0];
  const what = first === undefined || first.what === 'pixels' ? 'look of it' : first.what;
  return new WireError('DESKTOP_TARGET_CHANGED', `Nothing was done: the ${what} is not what was approved any more.`, {
    drift: drifts,
  });
}

function fields(part: string, before: Record<string, unknown>, after: Record<string, unknown>): Drift[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => ({ what: `${part} ${name}`, approved: before[name], now: after[name] }));
}

function dropFacts({ drop }: Plan): Record<string, unknown> {
  return drop === undefined ? {} : { point: drop.point, ...windowFacts(drop.window) };
}

function dropPlace({ drop }: Plan): Record<string, unknown> {
  return drop === undefined ? {} : { point: drop.point, ...placeFacts(drop.window) };
}

function windowFacts(window: Window | null): Record<string, unknown> {
  if (window === null) return { id: null };
  const { app, id, title, documentUrl } = window;
  return { id, title, documentUrl, pid: app.pid, startTime: app.startTime, app: app.id };
}

function placeFacts(window: Window | null): Record<string, unknown> {
  const { title: _title, documentUrl: _documentUrl, ...facts } = windowFacts(window);
  return { ...facts, origin: originOf(window?.documentUrl ?? null) };
}

const CHANGED_BY_STEPS: ReadonlySet<string> = new Set(['path', 'enabled', 'editable']);

function identity(target: PlanTarget): Record<string, unknown> {
  return Object.fromEntries(Object.entries(targetFacts(target)).filter(([name]) => !CHANGED_BY_STEPS.has(name)));
}

/** A frame may move with its window; everything else that names the element may not change. */
function targetFacts(target: PlanTarget): Record<string, unknown> {
  switch (target.kind) {
    case 'none':
    case 'titles':
    case 'window':
      return { kind: target.kind };
    case 'reading':
      return { kind: target.kind, name: target.name };
    case 'screen':
      return { kind: target.kind, rect: target.rect };
    case 'point':
      return { kind: target.kind, offset: target.offset, ...elementFacts(target.element) };
    case 'element':
    case 'focus':
      return { kind: target.kind, ...elementFacts(target.element) };
  }
}

function elementFacts(element: Element | null): Record<string, unknown> {
  if (element === null) return { element: null };
  const { id, pid, role, title, path, identifier, states } = element;
  return {
    element: id,
    pid,
    role,
    title,
    path,
    identifier,
    enabled: states.enabled,
    editable: states.editable,
    secure: states.secure,
    document: originOf(element.document?.url ?? null),
  };
}
