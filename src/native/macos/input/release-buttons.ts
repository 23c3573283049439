/** Lets go of held buttons without a drop or a click. */
import { cornerOutside } from '../../../base/rect.js';
import { DesktopError, type MouseButton, type Point } from '../../desktop.js';
import type { InputEvent, InputHelper, InputServed } from './events.js';
import { KEY_CODES } from './layouts.js';

/** A helper that ends in it is followed by another one. */
const MOST_TRIES = 3;
const RELEASE_LIMIT_MS = 5000;
/** The corners themselves may start something: the screen saver, an overview of all windows. */
const CORNER_INSET = 40;

/** Refused before anything was posted, so nothing is held by it. */
export const isUnposted = (thrown: unknown): boolean =>
  thrown instanceof DesktopError && (thrown.code === 'permission' || thrown.text.code === 'native.input_late');

/** Never rejects: gives up only where no helper can be had. */
export async function postAgain(helper: Pick<InputServed, 'post'>, events: readonly InputEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tried(() => helper.post(events, { until: null, layout: null }, AbortSignal.timeout(RELEASE_LIMIT_MS)));
}

async function tried<T>(work: () => Promise<T>): Promise<T | null> {
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    try {
      return await work();
    } catch (thrown) {
      if (thrown instanceof DesktopError && thrown.code === 'lost') return null;
    }
  }
  return null;
}

export interface Releasing {
  helper: InputHelper;
  buttons: PressedButtons;
  flags(): number;
}

/** After Escape, which ends a drag, outside the window that was pressed; the pointer returns to its place. Never rejects. */
export async function releaseButtons(
  { helper, buttons, flags }: Releasing,
  keep: readonly MouseButton[],
): Promise<void> {
  const held = buttons.held(keep);
  const [first] = held;
  if (first === undefined) return;
  const signal = AbortSignal.timeout(RELEASE_LIMIT_MS);
  const before = await tried(() => helper.pointer(signal));
  const at = await awayFrom(helper, [first.at, ...(before === null ? [] : [before])], signal);
  const start = before ?? first.at;
  const move = (from: Point, to: Point, button: MouseButton | null, sequence: number): InputEvent => ({
    kind: 'move',
    at: to,
    by: { x: to.x - from.x, y: to.y - from.y },
    held: button,
    sequence,
    flags: flags(),
  });
  const escape = (down: boolean): InputEvent => ({
    kind: 'key',
    code: KEY_CODES.get('escape') ?? 0,
    down,
    flags: flags(),
  });
  const { held: dragging, sequence } = buttons.drag();
  const ups = held.map(({ button }): InputEvent => {
    const { clicks, sequence: own } = buttons.letGo(button);
    return { kind: 'button', button, down: false, at, clicks, sequence: own, flags: flags() };
  });
  await postAgain(helper, [escape(true), escape(false), move(start, at, dragging, sequence), ...ups]);
  for (const { button } of held) buttons.released(button);
  const still = buttons.drag();
  await postAgain(helper, [move(at, start, still.held, still.sequence)]);
}

/** Where it is held itself, if the screen cannot be read. */
async function awayFrom(helper: InputHelper, points: readonly Point[], signal: AbortSignal): Promise<Point> {
  const windows = await tried(() => Promise.all(points.map((point) => helper.windowAt(point, signal))));
  const frames = (windows ?? []).flatMap((window) => (window === null ? [] : [window.frame]));
  const screen = (await tried(() => helper.displays(signal)))?.[0]?.frame;
  const [here = { x: 0, y: 0 }] = points;
  if (screen === undefined) return here;
  const inside = {
    x: screen.x + CORNER_INSET,
    y: screen.y + CORNER_INSET,
    width: screen.width - 2 * CORNER_INSET,
    height: screen.height - 2 * CORNER_INSET,
  };
  return cornerOutside(frames, inside);
}

interface Pressed {
  clicks: number;
  sequence: number;
}

/** Which buttons are held, and the numbers that events of one press share. */
type PressedButtons = ReturnType<typeof createPressedButtons>;

/** Presses of one button closer together than this count as a double click. */
const DOUBLE_CLICK_MS = 500;
const DOUBLE_CLICK_POINTS = 4;

export function createPressedButtons(now: () => number = () => performance.now()) {
  const held = new Map<MouseButton, Pressed & { at: Point }>();
  let last: { button: MouseButton; at: Point; time: number; clicks: number } | null = null;
  let sequence = 0;
  return {
    press(button: MouseButton, at: Point): Pressed {
      const repeats = last?.button === button && now() - last.time < DOUBLE_CLICK_MS && isClose(last.at, at);
      const clicks = repeats && last !== null ? last.clicks + 1 : 1;
      last = { button, at, time: now(), clicks };
      const pressed = { clicks, sequence: ++sequence, at };
      held.set(button, pressed);
      return pressed;
    },
    /** Its numbers; it stays held until `released`, because the event may still fail. */
    letGo: (button: MouseButton): Pressed => held.get(button) ?? { clicks: 1, sequence },
    released: (button: MouseButton): void => void held.delete(button),
    /** For a movement: the button that drags. */
    drag(): { held: MouseButton | null; sequence: number } {
      const [first] = held;
      return first === undefined ? { held: null, sequence: 0 } : { held: first[0], sequence: first[1].sequence };
    },
    held: (keep: readonly MouseButton[]): { button: MouseButton; at: Point }[] =>
      [...held].filter(([button]) => !keep.includes(button)).map(([button, { at }]) => ({ button, at })),
  };
}

const isClose = (a: Point, b: Point): boolean =>
  Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) <= DOUBLE_CLICK_POINTS;
