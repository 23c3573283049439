import type { DesktopActor, DesktopReader, Display, Point, Rect } from '../../native/desktop.js';
import { contains } from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import type { Grip, Hold } from '../pipeline/holds.js';
import type { Plan } from '../pipeline/plan.js';
import { delay } from '../../base/poll.js';
import { nameOf, planPlace, planPoint, spot } from '../pipeline/target/plans.js';
import { quoted } from '../pipeline/target/quoting.js';
import type { Words } from '../pipeline/target/words.js';
import { message } from '../../messages/index.js';
import { subjectOf } from '../pipeline/target/words.js';

const STEP_MS = 16;
const AROUND = 32;
const SHOWN = { width: 480, height: 320 };

/** Through all points at an even pace, the last of them exactly. */
export async function glide(
  desktop: DesktopActor,
  path: readonly Point[],
  durationMs: number,
  signal: AbortSignal,
): Promise<void> {
  const legs = path.slice(1).map((to, index) => ({ from: path[index] ?? to, to }));
  const lengths = legs.map(({ from, to }) => Math.hypot(to.x - from.x, to.y - from.y));
  const whole = lengths.reduce((sum, length) => sum + length, 0);
  const end = performance.now() + durationMs;
  for (const [index, { from, to }] of legs.entries()) {
    const share = whole === 0 ? 1 / legs.length : (lengths[index] ?? 0) / whole;
    const steps = Math.max(2, Math.round((durationMs * share) / STEP_MS));
    for (let step = 1; step <= steps; step += 1) {
      const part = step / steps;
      const next = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
      // A slow desktop takes its time by itself: the pause is cut, the steps are not.
      const left = Math.min((durationMs * share) / steps, end - performance.now());
      if (left > 0) await delay(left, signal);
      await desktop.movePointer(step === steps ? to : next, signal);
    }
    // Applications join moves that reach them together, and would cut the corner.
    if (index < legs.length - 1) await delay(STEP_MS, signal);
  }
}

/** Where the pointer may go: on a display. A window there is shown to the person, and need not be. */
export async function planMove(
  desktop: DesktopReader,
  point: Point,
  words: Words,
  held: readonly Hold[],
  signal: AbortSignal,
): Promise<Plan> {
  const display = displayAt(await desktop.displays(signal), point);
  const grip = held.find(({ input }) => input.buttons.length > 0);
  if (grip !== undefined) return planHeldMove(desktop, point, words, grip, signal);
  const calm = { ...words, needsFocus: false };
  const window = await desktop.windowAt(point, signal);
  if (window !== null) return planPlace(desktop, point, calm, signal);
  return {
    ...bare(calm),
    subject: subjectOf(words, { target: null, point: spot(point), app: null, place: null }),
    target: { kind: 'point', point, offset: point, element: null },
    window: null,
    look: {
      area: around(point, SHOWN, display.frame),
      target: around(point, { width: 2 * AROUND, height: 2 * AROUND }),
    },
  };
}

/** With a button down a move is a drag: from the window that was pressed to whatever lies there. */
async function planHeldMove(
  desktop: DesktopReader,
  point: Point,
  words: Words,
  { window }: Grip,
  signal: AbortSignal,
): Promise<Plan> {
  if (window === null) throw new WireError('DESKTOP_INTERNAL_ERROR', 'A button is held in no window.');
  const end = await desktop.windowAt(point, signal);
  const from = window.title;
  const note =
    end === null
      ? message('note.drags_to_desktop', { window: from })
      : message('note.drags_to', { window: from, end: end.title });
  return {
    ...bare({ ...words, needsFocus: false, notes: [note] }),
    subject: subjectOf(words, {
      target: null,
      point: spot(point),
      app: window.app.name,
      place: window.documentUrl ?? window.title,
    }),
    target: { kind: 'window' },
    window,
    look: { area: window.frame, target: null },
    drop: { point, window: end },
  };
}

/** A drag as the person sees it: where it begins, and where it lets go. */
export async function planDrag(
  desktop: DesktopReader,
  path: readonly Point[],
  words: Words,
  signal: AbortSignal,
): Promise<Plan> {
  const [start, end] = [path[0], path.at(-1)];
  if (start === undefined || end === undefined)
    throw new WireError('DESKTOP_INVALID_REQUEST', 'A drag needs two points.');
  const displays = await desktop.displays(signal);
  for (const point of path) displayAt(displays, point);
  const window = await desktop.windowAt(end, signal);
  const plan = await planPoint(desktop, start, words, signal);
  const elsewhere = window === null || window.id !== plan.window?.id;
  const over =
    window === null ? message('note.ends_over_desktop') : message('note.ends_over', { window: window.title });
  return {
    ...plan,
    notes: elsewhere ? [...plan.notes, over] : plan.notes,
    // A grant for one application is none for what is let go in another.
    alwaysAsk: plan.alwaysAsk || (window !== null && window.app.pid !== plan.window?.app.pid),
    drop: { point: end, window },
  };
}

/** The element an event at the plan's point would hit, in words. */
export function hitOf(plan: Plan | null): string | null {
  if (plan?.target.kind !== 'point' || plan.target.element === null) return null;
  return `${plan.target.element.role} ${quoted(nameOf(plan.target.element))}`;
}

function displayAt(displays: Display[], point: Point): Display {
  const display = displays.find(({ frame }) => contains(frame, point));
  if (display !== undefined) return display;
  throw new WireError('DESKTOP_INVALID_REQUEST', `${spot(point)} lies on no display.`, {
    reason: 'off_screen',
    displays: displays.map(({ id, frame }) => ({ id, frame })),
    next: 'Use a point inside one of the displays in details; points are global, origin top left.',
  });
}

function around({ x, y }: Point, { width, height }: { width: number; height: number }, inside?: Rect): Rect {
  const rect = { x: x - width / 2, y: y - height / 2, width, height };
  if (inside === undefined) return rect;
  const [w, h] = [Math.min(width, inside.width), Math.min(height, inside.height)];
  const fit = (from: number, low: number, high: number) => Math.round(Math.min(Math.max(from, low), high));
  return {
    x: fit(rect.x, inside.x, inside.x + inside.width - w),
    y: fit(rect.y, inside.y, inside.y + inside.height - h),
    width: w,
    height: h,
  };
}

function bare({ text = null, notes = [], needsFocus = false, alwaysAsk = false }: Words) {
  return { text, notes, needsFocus, alwaysAsk, ancestors: [], pixels: null };
}
