import {
  DesktopError,
  type DesktopReader,
  type Element,
  type Point,
  type Rect,
  type Window,
} from '../../../native/desktop.js';
import { title, WireError, type Title, type Subject } from '../../protocol/index.js';
import { targetElement, type Plan, type AskReason, type PlannedInput } from '../../approvals/plan.js';
import { coveredError, coverNote, findCover, type Place } from './scope.js';
import { message, type Message } from '../../../messages/index.js';
import { contains } from '../../../base/rect.js';
import { isOneOf, NEVER_ALWAYS } from '../../approvals/app-kinds.js';
import { isOfKind, type AppKind } from '../consequence/key-table.js';

const CROP_MARGIN_POINTS = 32;

export async function planElement(
  desktop: DesktopReader,
  element: Element,
  description: PlanDescription,
  signal: AbortSignal,
): Promise<Plan> {
  const [windows, ancestors] = await Promise.all([desktop.windows(signal), desktop.ancestors(element.id, signal)]);
  const window = await containingWindow(desktop, windows, element, ancestors, signal);
  const scroller = description.mayScroll === true ? await scrollerFor(desktop, element, signal) : null;
  const shown =
    scroller === null ? withCoverNote(description, windows, window, element.frame) : describeScroll(description);
  return {
    ...planDefaults(shown),
    ...askedOf(shown, takesLines(element, window)),
    subject: subjectOf(shown, { target: nameOf(element), app: window?.app.name ?? null, place: placeName(window) }),
    target: { kind: 'element', element },
    window,
    ancestors: titlesOf(ancestors),
    look: element.frame === null && scroller === null ? null : lookAt(window, scroller === null ? element.frame : null),
    ...(scroller === null ? {} : { scroller }),
  };
}

async function scrollerFor(
  desktop: DesktopReader,
  { id, states }: Element,
  signal: AbortSignal,
): Promise<Element | null> {
  return states.visible || !states.enabled ? null : desktop.scrollerOf(id, signal);
}

/** A press at a point, in the topmost window there. Throws for the bare desktop and for tooltips. */
export async function planPoint(
  desktop: DesktopReader,
  point: Point,
  description: PlanDescription,
  signal: AbortSignal,
): Promise<Plan> {
  const { window, ...rest } = await lookAround(desktop, point, signal);
  if (window === null)
    throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.no_window_at', { point: formatPoint(point) }), {
      reason: 'no_window',
      next: 'Take a screenshot and use a point inside a window; points are global, origin top left.',
    });
  const plan = planPassivePoint({ window, point, ...rest }, description);
  const element = targetElement(plan);
  if (element?.role === 'AXHelpTag' || window.tooltip === true) throw coveredError(null, window, point);
  const ancestors = element === null ? [] : await desktop.ancestors(element.id, signal);
  const pressed = plan.does?.kind === 'nothing' && plan.does.button === true && isInMenu([element, ...ancestors]);
  return { ...plan, ...(pressed ? { does: { kind: 'press' } } : {}), ancestors: titlesOf(ancestors) };
}

const MENU_PARTS = 4;
/** Menus take any button for a press. */
const isInMenu = (chain: readonly (Element | null)[]): boolean =>
  chain.slice(0, MENU_PARTS).some((one) => one?.role === 'AXMenuItem');

/** What could not be read because the application does not answer is left out: it can still be pressed, and takes keys. */
async function unlessSilent(look: Promise<Element | null>): Promise<{ element: Element | null; silent: boolean }> {
  try {
    return { element: await look, silent: false };
  } catch (thrown) {
    if (thrown instanceof DesktopError && thrown.code === 'not_responding') return { element: null, silent: true };
    throw thrown;
  }
}

/** The person is told, and asked each time. */
const whenSilent = (description: PlanDescription, silent: boolean): PlanDescription =>
  silent
    ? { ...description, alwaysAsk: true, notes: [...(description.notes ?? []), message('note.app_silent')] }
    : description;

/** Keys may go to another application that shows in the window. */
const whenShared = (description: PlanDescription, shared: boolean): PlanDescription =>
  shared
    ? { ...description, alwaysAsk: true, notes: [...(description.notes ?? []), message('note.keys_inside')] }
    : description;

/** What is at a point of the screen. */
interface Surroundings {
  /** The topmost one there. */
  window: Window | null;
  element: Element | null;
  /** The application does not answer what is there. */
  silent?: boolean;
  /** All there are. */
  windows: Window[];
}

/** Asked for at once. Where there is no window, nothing else is told. */
export async function lookAround(desktop: DesktopReader, point: Point, signal: AbortSignal): Promise<Surroundings> {
  const asked = Promise.all([unlessSilent(desktop.elementAt(point, signal)), desktop.windows(signal)]);
  asked.catch(() => {});
  const window = await desktop.windowAt(point, signal);
  if (window === null) return { window, element: null, windows: [] };
  const [found, windows] = await asked;
  return { window, ...found, windows };
}

/** For acts that press nothing: tooltips are allowed, and what the element is part of is not read. */
export function planPassivePoint(
  { window, element, silent = false, windows, point }: Surroundings & { window: Window; point: Point },
  given: PlanDescription,
): Plan {
  const description = whenSilent(given, silent);
  const offset = { x: point.x - window.frame.x, y: point.y - window.frame.y };
  const target: Rect = {
    x: point.x - CROP_MARGIN_POINTS,
    y: point.y - CROP_MARGIN_POINTS,
    width: 2 * CROP_MARGIN_POINTS,
    height: 2 * CROP_MARGIN_POINTS,
  };
  return {
    ...planDefaults(
      withCoverNote({ needsFocus: true, ...description }, windows, window, { ...point, width: 1, height: 1 }),
    ),
    subject: subjectOf(description, {
      ...(element === null ? { target: null, point: formatPoint(point) } : { target: nameOf(element) }),
      app: window.app.name,
      place: placeName(window),
    }),
    target: { kind: 'point', point, offset, element },
    window,
    ancestors: [],
    look: { area: window.frame, target },
  };
}

/** Keys and text without a target: the focused element in the window of `place`. */
export async function planFocus(
  desktop: DesktopReader,
  place: Place,
  given: PlanDescription,
  signal: AbortSignal,
): Promise<Plan> {
  const windows = await desktop.windows(signal);
  const window = place.window ?? windows.find((one) => one.app.pid === place.app.pid && one.normal) ?? null;
  if (window === null)
    throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.no_window_to_type', { app: place.app.name }), {
      reason: 'no_window',
    });
  const nothing = Promise.resolve(null);
  const { element, silent } = await unlessSilent(window.focused ? desktop.focusedElement(signal) : nothing);
  const own = element !== null && element.pid === window.app.pid ? element : null;
  const description = whenShared(whenSilent(given, silent), own === null && window.inside !== undefined);
  return {
    ...planDefaults(
      withCoverNote(
        { needsFocus: true, does: { kind: 'text', text: description.text ?? '\n' }, ...description },
        windows,
        window,
        own?.frame ?? null,
      ),
    ),
    ...askedOf(description, takesLines(own, window)),
    subject: subjectOf(description, {
      target: own === null ? null : nameOf(own),
      app: window.app.name,
      place: placeName(window),
    }),
    target: window.focused ? { kind: 'focus', element: own } : { kind: 'window' },
    window,
    ancestors: [],
    look: { area: window.frame, target: own?.frame ?? null },
  };
}

export async function planWindow(window: Window, description: PlanDescription): Promise<Plan> {
  return {
    ...planDefaults(description),
    subject: subjectOf(description, { target: window.title, app: window.app.name, place: placeName(window) }),
    target: { kind: 'window' },
    window,
    ancestors: [],
    look: lookAt(window),
  };
}

/** Discloses part of the screen, or an application's text, to an agent. */
export function planDisclosure(
  description: PlanDescription,
  what: { target?: string; app: string | null; place: string | null; rect: Rect; part?: true },
): Plan {
  return {
    ...planDefaults(description),
    subject: subjectOf(description, { target: what.target ?? null, app: what.app, place: what.place }),
    target: { kind: 'screen', rect: what.rect, ...(what.part === undefined ? {} : { part: what.part }) },
    window: null,
    ancestors: [],
    look: { area: what.rect, target: null },
  };
}

/** Discloses the text of an application's controls. `place` is null while the application does not run. */
export async function planReading(
  desktop: DesktopReader,
  name: string,
  place: Place | null,
  signal: AbortSignal,
): Promise<Plan> {
  const all = place === null || place.window !== null ? [] : await desktop.windows(signal);
  const windows = all.filter((one) => one.app.pid === place?.app.pid);
  const window = place?.window ?? windows.find((one) => one.normal) ?? windows[0] ?? null;
  const subject = {
    title: title('title.read_controls'),
    target: place === null ? name : null,
    app: place?.app.name ?? null,
    place: placeName(window),
  };
  return {
    // Without a window it may appear in any, so no grant for one application covers it.
    ...planDefaults({ alwaysAsk: window === null }),
    subject,
    target: { kind: 'reading', name },
    window,
    ancestors: [],
    look: lookAt(window),
  };
}

/** The picture shows the window alone, so a note says what covers the target on screen. */
function withCoverNote(
  description: PlanDescription,
  windows: readonly Window[],
  window: Window | null,
  target: Rect | null,
): PlanDescription {
  const cover = window === null || target === null || !window.visible ? null : findCover(windows, window, target);
  return cover === null ? description : { ...description, notes: [...(description.notes ?? []), coverNote(cover)] };
}

export const formatPoint = ({ x, y }: Point): string => `(${x}, ${y})`;

function planDefaults(description: Partial<PlanDescription>) {
  return {
    text: description.text ?? null,
    notes: description.notes ?? [],
    ...(description.covers === undefined || description.covers.length === 0 ? {} : { covers: description.covers }),
    needsFocus: description.needsFocus ?? false,
    ...askedOf(description, false),
    ...(description.does === undefined ? {} : { does: description.does }),
    pixels: null,
  };
}

/** The approved element itself, not another one that fits the reference by now. */
export function plannedElement(plan: Plan | null): Element {
  if (plan?.target.kind !== 'element') throw new Error('an element plan was expected');
  return plan.target.element;
}

export function nameOf(element: Element): string {
  if (element.title !== '') return element.title;
  if (element.description !== '') return element.description;
  return element.nativeRole === '' ? element.role : element.nativeRole;
}

/** null for a window that cannot be seen. */
const lookAt = (window: Window | null, target: Rect | null = null): Plan['look'] =>
  window === null || !window.visible ? null : { area: window.frame, target };

const titlesOf = (ancestors: readonly Element[]): string[] =>
  ancestors.map(({ title }) => title).filter((title) => title !== '');

function placeName(window: Window | null): string | null {
  return window === null ? null : (window.documentUrl ?? window.title);
}

export function centre(frame: Rect): Point {
  return { x: Math.floor(frame.x + frame.width / 2), y: Math.floor(frame.y + frame.height / 2) };
}

// Title and notes of an act that first scrolls to its target. Pure.

/** Says it in the title, or in a note where the act has no short name. Needs the focus, because the wheel reaches only the front window. */
function describeScroll(words: PlanDescription): PlanDescription {
  const then = scrollTitle(words.title);
  if (then === null)
    return { ...words, needsFocus: true, notes: [message('note.scrolls_first'), ...(words.notes ?? [])] };
  return { ...words, needsFocus: true, title: then };
}

function scrollTitle(act: Title): Title | null {
  if (act.code === 'title.click') return title('title.scroll_then', { then: 'press' });
  if (act.code === 'title.write') return title('title.scroll_then', { then: 'write' });
  return act.code === 'title.set_state' ? title('title.scroll_then', { then: act.params.state }) : null;
}

/** Rounding and thin borders, in points. */
const SAME_FRAME_TOLERANCE = 4;
const SAME_FRAME = 4;
const SAME_TITLE = 2;
const ROOT_LIMITS = { maxDepth: 0, maxNodes: 1, timeoutMs: 1000 };
const POPUP_ITEMS: ReadonlySet<string> = new Set(['AXMenuItem', 'AXMenu']);

/**
 * The window that shows an element: the popup it is in, else the window at the root of its tree. Never simply the topmost window
 * of the application, which may be a tooltip. null where the window is unknown.
 */
export async function containingWindow(
  desktop: DesktopReader,
  windows: readonly Window[],
  element: Element,
  ancestors: readonly Element[],
  signal: AbortSignal,
): Promise<Window | null> {
  const inner = windows.flatMap((window) => (window.inside ?? []).map(({ app }) => ({ ...window, app })));
  const own = [...windows, ...inner].filter(({ app }) => app.pid === element.pid);
  const popup = own.find((window) => isPopupOf(window, element, ancestors));
  if (popup !== undefined) return popup;
  const normal = own.filter((window) => window.normal);
  const root = [element, ...ancestors].findLast(({ role }) => role === 'AXWindow' || role === 'AXSheet');
  if (root === undefined) return onlyOne(normal, element);
  const scored = own.map((window) => ({ window, score: similarity(window, root) }));
  const best = Math.max(...scored.map(({ score }) => score));
  const likely = scored.filter(({ score }) => score === best).map(({ window }) => window);
  if (best < SAME_TITLE) return onlyOne(normal, element);
  if (likely.length === 1) return likely[0] ?? null;
  return (await pairedWith(desktop, root, likely, signal)) ?? onlyOne(likely, element);
}

/** A normal window wins over a popup of the same title: toolkits give tooltips the title of the application. */
function similarity(window: Window, root: Element): number {
  const frame = root.frame !== null && isNear(root.frame, window.frame) ? SAME_FRAME : 0;
  const score = frame + (window.title === root.title ? SAME_TITLE : 0);
  return score > 0 && window.normal ? score + 1 : score;
}

/** An open menu or list is a window of its own, often missing in the tree. */
function isPopupOf(window: Window, element: Element, ancestors: readonly Element[]): boolean {
  if (window.normal || !window.visible || element.frame === null || !holds(window.frame, element.frame)) return false;
  if (POPUP_ITEMS.has(element.role)) return true;
  return ancestors.some(({ frame, role }) => role === 'AXMenu' || (frame !== null && isNear(frame, window.frame)));
}

/** The window that the backend pairs with this accessible root. */
async function pairedWith(
  desktop: DesktopReader,
  root: Element,
  windows: readonly Window[],
  signal: AbortSignal,
): Promise<Window | null> {
  for (const window of windows) {
    const scope = { pid: window.app.pid, windowId: window.id };
    const tree = await desktop.tree(scope, ROOT_LIMITS, signal).catch(() => null);
    signal.throwIfAborted();
    if (tree?.nodes[0]?.element.id === root.id) return window;
  }
  return null;
}

function onlyOne(windows: readonly Window[], { frame }: Element): Window | null {
  if (windows.length === 1) return windows[0] ?? null;
  return windows.find((window) => frame !== null && holds(window.frame, frame)) ?? null;
}

function holds(outer: Rect, inner: Rect): boolean {
  const last = { x: inner.x + inner.width - 1, y: inner.y + inner.height - 1 };
  return contains(outer, inner) && contains(outer, last);
}

function isNear(one: Rect, other: Rect): boolean {
  const near = (a: number, b: number) => Math.abs(a - b) <= SAME_FRAME_TOLERANCE;
  return near(one.x, other.x) && near(one.y, other.y) && near(one.width, other.width) && near(one.height, other.height);
}

export interface PlanDescription {
  title: Title;
  /** The act uses the keyboard. */
  keyboard?: true;
  text?: string | null;
  notes?: Message[];
  covers?: Message[];
  needsFocus?: boolean;
  alwaysAsk?: boolean;
  asksFor?: AskReason;
  breaksLines?: true;
  /** Left out: a press; with the focus as target, typing the text. */
  does?: PlannedInput;
  /** An element out of view may be scrolled to before the act. */
  mayScroll?: true;
}

export const subjectOf = (
  { title, keyboard }: Pick<PlanDescription, 'title' | 'keyboard'>,
  rest: Omit<Subject, 'title' | 'keyboard'>,
): Subject => ({ title, ...(keyboard === undefined ? {} : { keyboard }), ...rest });

/** Whether a grant may cover it. Line breaks are text where `takesLines`. */
function askedOf(
  { alwaysAsk = false, asksFor, breaksLines }: Partial<PlanDescription>,
  takesLines: boolean,
): Pick<Plan, 'alwaysAsk' | 'asksFor' | 'breaksLines'> {
  const broken = breaksLines === undefined ? {} : { breaksLines };
  if (alwaysAsk) return { alwaysAsk, ...broken, ...(asksFor === undefined ? {} : { asksFor }) };
  if (breaksLines === undefined || takesLines) return { alwaysAsk, ...broken };
  return { alwaysAsk: true, asksFor: 'enter', ...broken };
}

// Where Enter is text: in text areas of a toolkit, in which it cannot send or run anything.

/** AT-SPI's word for the text areas of GTK and Qt; a terminal has another, and so has what pages draw. */
const TEXT = 'text';
/** In these Enter sends, opens or runs, also from a text area. */
const KINDS: readonly AppKind[] = ['browser', 'chat', 'mail', 'ide', 'emacs', 'terminal', 'files'];

/**
 * In a page the script decides what Enter does in a text area, and chats send with it: nothing that a browser shows counts here. In a
 * window with a button that sends, or with a password, Enter is judged as before, whatever field has the focus.
 */
export function takesLines(element: Element | null, window: Window | null): boolean {
  if (element === null || window === null || element.pid !== window.app.pid) return false;
  if (element.document !== undefined || window.documents !== undefined || window.documentUrl !== null) return false;
  const { role, nativeRole, states } = element;
  if (role !== 'AXTextArea' || nativeRole !== TEXT || !states.editable || states.secure) return false;
  const { id, name, otherIds = [], program = '' } = window.app;
  const names = [id, name, ...otherIds, program.split('/').at(-1) ?? ''];
  return !isOneOf(NEVER_ALWAYS, names) && !KINDS.some((kind) => isOfKind(kind, names.join(' ')));
}
