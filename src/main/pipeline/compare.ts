import { LRUCache } from 'lru-cache';
import { WireError } from '../protocol/index.js';
import type { Element, Window } from '../../native/desktop.js';
import { samePixels } from '../approvals/pixels.js';
import { targetElement, type Plan, type PlanTarget } from '../approvals/plan.js';
import { nothingDone } from './failures.js';
import { message } from '../../messages/index.js';
import { delay } from '../../base/poll.js';
import type { AgeOf } from './target/wait-until-started.js';

type Part =
  | 'window'
  | 'target'
  | 'ancestors'
  | 'text'
  | 'files'
  | 'place'
  | 'drop'
  | 'held'
  | 'application'
  | 'origin'
  | 'command'
  | 'pixels';

interface Drift {
  part: Part;
  /** The field that differs; left out where the whole part does. */
  field?: string;
  approved: unknown;
  now: unknown;
}

/**
 * Differences between the approved and the fresh plan, in the order in which a person would notice them; empty when they agree.
 * A window plan names no element, so any focused element in that window fits. Titles that nobody went by may change, as those
 * of a window that is still loading do.
 */
export function planDrift(approved: Plan, fresh: Plan): Drift[] {
  const drifts = [
    ...(approved.target.kind === 'reading'
      ? []
      : diffFields('window', windowFacts(approved.window), windowFacts(fresh.window))),
    ...(approved.target.kind === 'window'
      ? []
      : diffFields('target', targetFacts(approved.target), targetFacts(fresh.target))),
    ...diffFields('ancestors', { titles: approved.ancestors }, { titles: fresh.ancestors }),
    ...diffFields('text', { text: approved.text }, { text: fresh.text }),
    ...fileDrift(approved, fresh),
    ...diffFields('command', { facts: approved.command }, { facts: fresh.command }),
    ...diffFields('place', { place: placeWithoutTarget(approved) }, { place: placeWithoutTarget(fresh) }),
    ...diffFields('drop', dropFacts(approved), dropFacts(fresh)),
    ...diffFields('held', { keys: approved.held }, { keys: fresh.held }),
    ...viewDrift(approved, fresh),
  ];
  return approved.titlesUnseen === true ? drifts.filter((drift) => !isTitle(drift)) : drifts;
}

const isTitle = ({ part, field }: Drift): boolean =>
  part === 'ancestors' || ((part === 'window' || part === 'drop') && field === 'title');

/**
 * Like `planDrift`, for a step that runs after steps that acted: process, window, origin, element and text must be as approved.
 * Window titles and positions in the tree may have been changed by those steps.
 */
export function stepDrift(approved: Plan, fresh: Plan): Drift[] {
  const target = approved.target.kind;
  return [
    ...(target === 'reading' ? [] : diffFields('window', placeFacts(approved.window), placeFacts(fresh.window))),
    ...(target === 'window'
      ? []
      : diffFields('target', stepTargetFacts(approved.target), stepTargetFacts(fresh.target))),
    ...diffFields('text', { text: approved.text }, { text: fresh.text }),
    // Also what an earlier step wrote is not what the person was asked about.
    ...fileDrift(approved, fresh),
    ...diffFields('command', { facts: approved.command }, { facts: fresh.command }),
    ...diffFields('place', { place: placeWithoutTarget(approved) }, { place: placeWithoutTarget(fresh) }),
    ...diffFields('drop', dropPlace(approved), dropPlace(fresh)),
    ...viewDrift(approved, fresh),
  ];
}

/** The place of an act without a target on screen, such as the folder of a command. */
const placeWithoutTarget = ({ target, subject }: Plan): string | null =>
  target.kind === 'none' ? subject.place : null;

/** Coming into view is fine; a target that the person was shown must not have gone out of view. */
function viewDrift(approved: Plan, fresh: Plan): Drift[] {
  if (fresh.scroller === undefined || approved.scroller !== undefined) return [];
  return [{ part: 'place', approved: 'in view', now: 'out of view' }];
}

/** Roles whose content is known only from pixels. */
const PIXELS_ONLY_ROLES: ReadonlySet<string> = new Set([
  'AXWindow',
  'AXGroup',
  'AXScrollArea',
  'AXWebArea',
  'AXImage',
  'AXUnknown',
]);

/** Whether the element can be compared by more than its pixels. */
export const isIdentifiable = (element: Element | null): boolean =>
  element !== null && !PIXELS_ONLY_ROLES.has(element.role);

/** The origin of a web address; for other addresses scheme and host. */
export function originOf(documentUrl: string | null): string | null {
  if (documentUrl === null || !URL.canParse(documentUrl)) return documentUrl;
  const { protocol, host } = new URL(documentUrl);
  return `${protocol}//${host}`;
}

/** The origin of the target: of its own document, else of the window's. Controls of the browser itself have none. */
export function originAt({ target, window }: Pick<Plan, 'target' | 'window'>): string | null {
  const element = targetElement({ target });
  if (element?.document !== undefined) return originOf(element.document.url);
  return element !== null && window?.documents !== undefined ? null : originOf(window?.documentUrl ?? null);
}

/** In a field that still has its text, a caret over a letter is no difference: it may have stopped blinking meanwhile. */
export function pixelDrift(approved: Plan, fresh: Plan): boolean {
  if (approved.pixels === null) return false;
  const [before, now] = [targetElement(approved), targetElement(fresh)];
  const overText = before?.states.editable === true && before.value !== null && before.value === now?.value;
  return fresh.pixels === null || !samePixels(approved.pixels, fresh.pixels, { overText });
}

export function targetChanged(drifts: Drift[]): WireError {
  const { part, field }: Pick<Drift, 'part' | 'field'> = drifts[0] ?? { part: 'pixels' };
  const why = message('error.changed', {
    part: part === 'pixels' ? 'other' : part,
    field: field === undefined ? '' : message('error.changed_field', { field }),
  });
  return new WireError('DESKTOP_TARGET_CHANGED', nothingDone(why), { drift: drifts.map(describeDrift) });
}

type PlannedFiles = Pick<Plan, 'files' | 'replaces'>;

/** The files that it runs, hands over or writes in the place of are others, or were written since. */
export function fileDrift(approved: PlannedFiles, fresh: PlannedFiles): Drift[] {
  const [before, now] = [approved, fresh].map(({ files = [], replaces }) => JSON.stringify([files, replaces]));
  // Whoever calls learns no more of a file than the path.
  return before === now ? [] : [{ part: 'files', approved: pathsOf(approved), now: 'other files, or other content' }];
}

const pathsOf = ({ files = [], replaces }: PlannedFiles): string[] =>
  [...files, ...(replaces === undefined ? [] : [replaces])].map(({ path }) => path);

/** As it appears in the details of the error. */
function describeDrift({ part, field, approved, now }: Drift) {
  const name = part === 'drop' ? 'end of the drag' : part === 'held' ? 'held input' : part;
  return { what: field === undefined ? name : `${name} ${field}`, approved, now };
}

function diffFields(part: Part, before: Record<string, unknown>, after: Record<string, unknown>): Drift[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => ({ part, field: name, approved: before[name], now: after[name] }));
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

function stepTargetFacts(target: PlanTarget): Record<string, unknown> {
  return Object.fromEntries(Object.entries(targetFacts(target)).filter(([name]) => !CHANGED_BY_STEPS.has(name)));
}

/** Frames are left out, because an element moves with its window. */
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

// Windows that may still be loading when a person is to be asked about them: what they then allow would not be there any more. Comes in:
// the plan of a request. Called right before a person is asked.

/** The first window of a younger process may still be loading. */
const STARTING_MS = 30_000;
/** A window that has not changed for so long has loaded. */
const UNCHANGED_MS = 400;
/** Some windows never rest. */
const MAX_WAIT_MS = 5_000;
const POLL_MS = 100;
const MAX_PROCESSES = 200;
const MAX_WINDOWS = 1_000;

/** The plan is another by now, and everything that follows from it is found out anew. Nobody was asked. */
export class PlanOutdated extends WireError {
  constructor() {
    super('DESKTOP_TARGET_CHANGED', message('error.changed', { part: 'window', field: '' }));
  }
}

export class NewWindows {
  private readonly processes = new LRUCache<string, true>({ max: MAX_PROCESSES });
  private readonly loaded = new LRUCache<string, true>({ max: MAX_WINDOWS });

  /** `ageOf`: milliseconds since a process started; null where unknown. */
  constructor(private readonly ageOf: AgeOf) {}

  /** Waits until the plan's window has loaded. Throws PlanOutdated where `planAgain` then gives, or gave meanwhile, another plan. */
  async waitUntilLoaded(plan: Plan, planAgain: () => Promise<Plan>, signal: AbortSignal): Promise<void> {
    const { window } = plan;
    if (window === null) return;
    const isNew = this.isNew(window);
    this.processes.set(processOf(window), true);
    this.loaded.set(windowKey(window), true);
    if (isNew && (await changesWhileLoading(plan, planAgain, signal))) throw new PlanOutdated();
  }

  /** Of a process with other windows, any that nobody was asked about; else the one that a young process starts with. */
  private isNew(window: Window): boolean {
    if (this.loaded.has(windowKey(window))) return false;
    const age = this.ageOf(window.app.pid);
    return this.processes.has(processOf(window)) || (age !== null && age < STARTING_MS);
  }
}

const processOf = ({ app: { pid, startTime } }: Window): string => `${pid} ${startTime}`;
const windowKey = (window: Window): string => `${processOf(window)} ${window.id}`;

async function changesWhileLoading(plan: Plan, planAgain: () => Promise<Plan>, signal: AbortSignal): Promise<boolean> {
  const end = performance.now() + MAX_WAIT_MS;
  let [last, changedAt] = [plan, performance.now()];
  while (performance.now() - changedAt < UNCHANGED_MS && performance.now() < end) {
    await delay(POLL_MS, signal);
    try {
      const now = await planAgain();
      if (planDrift(last, now).length > 0) [last, changedAt] = [now, performance.now()];
    } catch {
      signal.throwIfAborted();
      // The target is gone. The call is planned again, and that plan's error says so.
      return true;
    }
  }
  return last !== plan;
}
