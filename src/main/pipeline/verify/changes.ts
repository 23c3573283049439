import {
  hasEnded,
  type DesktopReader,
  type Element,
  type Window,
  type Capture,
  type Point,
  type WindowPaint,
} from '../../../native/desktop.js';
import { poll } from '../../../base/poll.js';
import { quote } from '../../../base/text.js';
import { fingerprintPixels } from '../../approvals/pixels.js';
import type { PixelFingerprint } from '../../approvals/plan.js';

/** The reported difference between two readings of an application. Pure. */

/** An application's state: a line for each window and element, by window id or tree path. */
export type Facts = ReadonlyMap<string, string>;

/** After the key of the element that has the caret. */
export const SELECTION_KEY = '/selection';

interface FactsDiff {
  before: string[];
  after: string[];
}

const MAX_LINES = 12;

export function diffFacts(before: Facts, after: Facts): FactsDiff {
  const gone = [...before].filter(([key, value]) => after.get(key) !== value).map(([, value]) => value);
  const come = [...after].filter(([key, value]) => before.get(key) !== value).map(([, value]) => value);
  const [left, fresh] = [withoutMoved(gone, come), withoutMoved(come, gone)];
  return left.length + fresh.length === 0
    ? { before: limitLines(gone), after: limitLines(come) }
    : { before: limitLines(left), after: limitLines(fresh) };
}

/** Leaves out lines that only moved, as those below a new line do. */
function withoutMoved(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(other, (left.get(other) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

/** Elements without text are listed only where there is nothing else. */
function limitLines(lines: readonly string[]): string[] {
  const informative = lines.filter((one) => /[“ ](?!disabled$|hidden$)/u.test(one));
  const all = informative.length === 0 ? lines : informative;
  const more = all.length - MAX_LINES;
  return more <= 0 ? [...all] : [...all.slice(0, MAX_LINES), `and ${more} more`];
}

const isWindow = (line: string): boolean => line.startsWith('window ');

const isSelection = (line: string): boolean => /^(?:caret|selection) in /.test(line);

/** Only a caret or a selection moved, as before what an Enter does. */
export const onlySelects = ({ before, after }: FactsDiff): boolean => [...before, ...after].every(isSelection);

export const hasSelection = (facts: Facts): boolean => [...facts.keys()].some((key) => key.endsWith(SELECTION_KEY));

/** How the line of an application ends that runs no more. */
export const ENDED = ' has ended: it quit or crashed';

/** Only windows were closed, as when a menu closes before the window that its item opens. */
export const onlyCloses = ({ before, after }: FactsDiff): boolean =>
  before.some(isWindow) && !after.some((line) => isWindow(line) || line.endsWith(ENDED));

// Reads an application's state as text lines, without pixels.

/** A process that has closed its windows ends soon, if it does. */
const END_MS = 300;
const LIMITS = { maxDepth: 60, maxNodes: 1500, timeoutMs: 1500, visibleOnly: true, brief: true };

/** Its windows and visible elements. */
export async function readApplicationFacts(
  desktop: DesktopReader,
  { app: { pid, name } }: Window,
  signal: AbortSignal,
): Promise<Facts> {
  const reading = desktop.tree({ pid }, LIMITS, signal);
  // Where it has no windows, there is no tree to read.
  reading.catch(() => undefined);
  const windows = (await desktop.windows(signal)).filter((one) => one.app.pid === pid);
  const lines = new Map(
    windows.map((one) => [`window ${one.id}`, `window ${quoteTruncated(one.title)} ${place(one)}`]),
  );
  if (windows.length === 0) {
    const ended = await poll(() => endOf(desktop, pid, signal), END_MS, signal);
    return ended === true ? new Map([['window ended', `${name}${ENDED}`]]) : lines;
  }
  for (const { element } of (await reading).nodes) {
    lines.set(keyOf(element), lineOf(element));
    const selected = selectionLine(element);
    if (selected !== null) lines.set(`${keyOf(element)}${SELECTION_KEY}`, selected);
  }
  return lines;
}

/** Whether it has; null where it does not answer any more, and may be about to. */
async function endOf(desktop: DesktopReader, pid: number, signal: AbortSignal): Promise<boolean | null> {
  const one = { maxDepth: 0, maxNodes: 1, timeoutMs: END_MS };
  const thrown: unknown = await desktop.tree({ pid }, one, signal).then(
    () => null,
    (error: unknown) => error,
  );
  return thrown === null ? false : hasEnded(thrown) || null;
}

/** A field whose value is not told does not tell how long it is either. */
function selectionLine({ role, title, value, selection }: Element): string | null {
  if (selection === undefined || value === null) return null;
  const { from, to } = selection;
  const field = [role, title === '' ? '' : quoteTruncated(title)].filter((part) => part !== '').join(' ');
  return from === to ? `caret in ${field} at ${from}` : `selection in ${field} from ${from} to ${to}`;
}

const keyOf = ({ path }: Pick<Element, 'path'>): string => path.join('/');

/** Facts of elements that were read elsewhere. */
export const factsOfElements = (elements: readonly Element[]): Facts =>
  new Map(elements.map((element) => [keyOf(element), lineOf(element)]));

const place = ({ frame: { x, y, width, height }, minimized }: Window) =>
  `at (${x}, ${y}), ${width}×${height}${minimized ? ', minimised' : ''}`;

function lineOf({ role, title, value, states }: Element): string {
  const marks = [
    states.enabled ? '' : 'disabled',
    states.focused ? 'focused' : '',
    states.checked === true ? 'checked' : '',
    states.selected === true ? 'selected' : '',
    states.expanded === true ? 'expanded' : '',
    states.visible ? '' : 'hidden',
  ].filter((mark) => mark !== '');
  const said = value === null || value === '' || value === title ? '' : `= ${quoteTruncated(value)}`;
  return [role, title === '' ? '' : quoteTruncated(title), said, ...marks].filter((part) => part !== '').join(' ');
}

/** Shortened, quoted, on one line. */
export const quoteTruncated = (text: string) => quote(text.length > 120 ? `${text.slice(0, 120)}…` : text);

// What an act is compared with. Called by effect.ts, and by act.ts ahead of the handler.

/** An application as it was before an act. Null parts could not be read. */
export interface Baseline {
  paint: WindowPaint | null;
  shown: WindowPicture | null;
  facts: Facts | null;
}

export interface WindowPicture {
  print: PixelFingerprint;
  origin: Point;
}

/** Never rejects. */
export async function readBaseline(
  desktop: DesktopReader,
  window: Window | null,
  signal: AbortSignal,
): Promise<Baseline> {
  if (window === null) return { paint: null, shown: null, facts: null };
  const [paint, shown, facts] = await Promise.all([
    desktop.windowPaint(window.id, null, signal).catch(() => null),
    captureWindow(desktop, window, signal),
    readApplicationFacts(desktop, window, signal).catch(() => null),
  ]);
  return { paint, shown, facts };
}

/** For changes that elements do not report: drawings, scrolled pages. */
export async function captureWindow(
  desktop: DesktopReader,
  window: Window | null,
  signal: AbortSignal,
): Promise<WindowPicture | null> {
  if (window === null) return null;
  const target = { kind: 'window', windowId: window.id } as const;
  const taken = (capture: Capture) => ({ print: fingerprintPixels(capture), origin: capture.origin });
  return desktop.capture(target, signal).then(taken, () => null);
}
