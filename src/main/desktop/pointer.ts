import type { DesktopActor, DesktopReader, Display, Point, Rect, Window } from '../../native/desktop.js';
import { contains } from '../../base/rect.js';
import { WireError } from '../protocol/index.js';
import type { HoldOrigin, HeldInputHandle } from '../pipeline/holds.js';
import type { Plan } from '../approvals/plan.js';
import { delay } from '../../base/poll.js';
import {
  lookAround,
  nameOf,
  planPassivePoint,
  planPoint,
  formatPoint,
  subjectOf,
  type PlanDescription,
} from '../pipeline/target/plans.js';
import { quote } from '../../base/text.js';
import { message } from '../../messages/index.js';

const MOVE_INTERVAL_MS = 16;
const CROP_MARGIN_POINTS = 32;
const CROP_SIZE = { width: 480, height: 320 };

/** Moves the pointer through all points at even speed and ends exactly at the last. */
export async function movePointerAlong(
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
    const steps = Math.max(2, Math.round((durationMs * share) / MOVE_INTERVAL_MS));
    for (let step = 1; step <= steps; step += 1) {
      const part = step / steps;
      const next = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
      // On a slow desktop the pauses get shorter, but no step is left out.
      const left = Math.min((durationMs * share) / steps, end - performance.now());
      if (left > 0) await delay(left, signal);
      await desktop.movePointer(step === steps ? to : next, signal);
    }
    // Applications merge moves that arrive together, which would cut the corner.
    if (index < legs.length - 1) await delay(MOVE_INTERVAL_MS, signal);
  }
}

/** A pointer move to a point on a display, with or without a window there. */
export async function planMove(
  desktop: DesktopReader,
  point: Point,
  description: PlanDescription,
  held: readonly HeldInputHandle[],
  signal: AbortSignal,
): Promise<Plan> {
  const pressed = held.find(({ input }) => input.buttons.length > 0);
  if (pressed !== undefined) {
    const [displays, end] = await Promise.all([desktop.displays(signal), desktop.windowAt(point, signal)]);
    displayAt(displays, point);
    return planHeldMove({ point, end }, description, pressed);
  }
  const [displays, { window, ...rest }] = await Promise.all([
    desktop.displays(signal),
    lookAround(desktop, point, signal),
  ]);
  const display = displayAt(displays, point);
  const withoutFocus = { ...description, needsFocus: false };
  if (window !== null) return planPassivePoint({ window, point, ...rest }, withoutFocus);
  return {
    ...planDefaults(withoutFocus),
    subject: subjectOf(description, { target: null, point: formatPoint(point), app: null, place: null }),
    target: { kind: 'point', point, offset: point, element: null },
    window: null,
    look: {
      area: around(point, CROP_SIZE, display.frame),
      target: around(point, { width: 2 * CROP_MARGIN_POINTS, height: 2 * CROP_MARGIN_POINTS }),
    },
  };
}

/** With a button down a move is a drag, from the pressed window to the window at the point. */
function planHeldMove(
  { point, end }: { point: Point; end: Window | null },
  description: PlanDescription,
  { window }: HoldOrigin,
): Plan {
  if (window === null) throw new WireError('DESKTOP_INTERNAL_ERROR', message('error.held_in_no_window'));
  const from = window.title;
  const note =
    end === null
      ? message('note.drags_to_desktop', { window: from })
      : message('note.drags_to', { window: from, end: end.title });
  return {
    ...planDefaults({ ...description, needsFocus: false, notes: [note] }),
    subject: subjectOf(description, {
      target: null,
      point: formatPoint(point),
      app: window.app.name,
      place: window.documentUrl ?? window.title,
    }),
    target: { kind: 'window' },
    window,
    look: { area: window.frame, target: null },
    drop: { point, window: end },
  };
}

/** A drag with its start and end, as shown to the person. */
export async function planDrag(
  desktop: DesktopReader,
  path: readonly Point[],
  description: PlanDescription,
  signal: AbortSignal,
): Promise<Plan> {
  const [start, end] = [path[0], path.at(-1)];
  if (start === undefined || end === undefined)
    throw new WireError('DESKTOP_INVALID_REQUEST', message('error.drag_needs_points'));
  const displays = await desktop.displays(signal);
  for (const point of path) displayAt(displays, point);
  const window = await desktop.windowAt(end, signal);
  const plan = await planPoint(desktop, start, description, signal);
  const elsewhere = window === null || window.id !== plan.window?.id;
  const over =
    window === null ? message('note.ends_over_desktop') : message('note.ends_over', { window: window.title });
  return {
    ...plan,
    notes: elsewhere ? [...plan.notes, over] : plan.notes,
    // A grant for one application does not cover a drop in another.
    alwaysAsk: plan.alwaysAsk || (window !== null && window.app.pid !== plan.window?.app.pid),
    drop: { point: end, window },
  };
}

/** Describes the element that an event at the plan's point would hit. */
export function describeHit(plan: Plan | null): string | null {
  if (plan?.target.kind !== 'point' || plan.target.element === null) return null;
  return `${plan.target.element.role} ${quote(nameOf(plan.target.element))}`;
}

function displayAt(displays: Display[], point: Point): Display {
  const display = displays.find(({ frame }) => contains(frame, point));
  if (display !== undefined) return display;
  throw new WireError('DESKTOP_INVALID_REQUEST', message('error.on_no_display', { point: formatPoint(point) }), {
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

function planDefaults({ text = null, notes = [], needsFocus = false, alwaysAsk = false }: PlanDescription) {
  return { text, notes, needsFocus, alwaysAsk, ancestors: [], pixels: null };
}
