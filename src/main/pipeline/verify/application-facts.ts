/** Reads an application's state as text lines, without pixels. */
import { hasEnded, type DesktopReader, type Element, type Window } from '../../../native/desktop.js';
import { ENDED, SELECTION_KEY, type Facts } from './changes.js';
import { poll } from '../../../base/poll.js';
import { quote } from '../../../base/text.js';

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
