/**
 * Pointer and keys, on the host's side: what is held is known here, so that the next helper can let go of it where one ends.
 * The guard runs right before each event is handed over; one that the helper gets too late is not posted.
 */
import { poll } from '../../../base/poll.js';
import { DesktopError, type InputGuard, type InputInjection, type MouseButton, type Point } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import type { InputHelper, Post } from './events.js';
import { createKeyboard, type Keyboard } from './keyboard.js';
import { createPressedButtons, isUnposted, releaseButtons } from './release-buttons.js';

type Act<Given extends unknown[]> = (...given: [...Given, signal: AbortSignal]) => Promise<void>;

export type MacInput = Omit<InputInjection, 'paste' | 'dropFiles'> & Pick<Keyboard, 'shortcut'>;

const POST_LIMIT_MS = 1000;
const ARRIVAL_LIMIT_MS = 1000;

export function createInput(helper: InputHelper): MacInput {
  const post: Post = async (events, layout, guard, signal) => {
    await guard?.();
    signal.throwIfAborted();
    if (events.length > 0) await helper.post(events, { until: Date.now() + POST_LIMIT_MS, layout }, signal);
  };
  const keyboard = createKeyboard(helper, post);
  const buttons = createPressedButtons();

  const movePointer: MacInput['movePointer'] = async (to, signal) => {
    signal.throwIfAborted();
    if (!Number.isFinite(to.x) || !Number.isFinite(to.y))
      throw new DesktopError('failed', message('native.point_not_finite'));
    const from = await helper.pointer(signal);
    const by = { x: to.x - from.x, y: to.y - from.y };
    const { held, sequence } = buttons.drag();
    await post([{ kind: 'move', at: to, by, held, sequence, flags: keyboard.flags() }], null, null, signal);
    let at = from;
    const arrived = await poll(
      async () => (isNear((at = await helper.pointer(signal)), to) ? true : null),
      ARRIVAL_LIMIT_MS,
      signal,
    );
    if (arrived === null) throw elsewhere(at, to);
  };

  const button = async (name: MouseButton, down: boolean, guard: InputGuard, signal: AbortSignal): Promise<void> => {
    const at = await helper.pointer(signal);
    await guard();
    signal.throwIfAborted();
    const { clicks, sequence } = down ? buttons.press(name, at) : buttons.letGo(name);
    try {
      const flags = keyboard.flags();
      await post([{ kind: 'button', button: name, down, at, clicks, sequence, flags }], null, null, signal);
    } catch (thrown) {
      if (down && isUnposted(thrown)) buttons.released(name);
      throw thrown;
    }
    if (!down) buttons.released(name);
  };

  const scroll: MacInput['scroll'] = async (delta, guard, signal) => {
    for (const lines of linesOf(delta)) {
      await post([{ kind: 'scroll', lines, flags: keyboard.flags() }], null, guard, signal);
    }
  };
  /** Done when its events are through the system. What was posted is not undone where that cannot be told. */
  const arriving =
    <Given extends unknown[]>(act: Act<Given>): Act<Given> =>
    async (...given) => {
      await act(...given);
      const signal = given.at(-1);
      if (signal instanceof AbortSignal) await helper.inputArrived(signal).catch(() => undefined);
    };

  return {
    pointer: (signal) => helper.pointer(signal),
    movePointer: arriving(movePointer),
    button: arriving(button),
    scroll: arriving(scroll),
    key: arriving(keyboard.key),
    typeText: arriving(keyboard.typeText),
    shortcut: arriving(keyboard.shortcut),
    async releaseAll(keep) {
      await releaseButtons({ helper, buttons, flags: keyboard.flags }, keep?.buttons ?? []);
      await keyboard.release(keep?.keys ?? []);
    },
  };
}

/** One event for each, so that the guard runs before each; first up and down, then sideways. */
function linesOf({ x, y }: Point): Point[] {
  const times = (distance: number, line: Point): Point[] =>
    Array.from({ length: Math.round(Math.abs(distance)) }, () => line);
  return [...times(y, { x: 0, y: Math.sign(y) }), ...times(x, { x: Math.sign(x), y: 0 })];
}

const isNear = (a: Point, b: Point): boolean => Math.abs(a.x - b.x) < 1 && Math.abs(a.y - b.y) < 1;

function elsewhere(at: Point, wanted: Point): DesktopError {
  const places = { at: `${at.x},${at.y}`, wanted: `${wanted.x},${wanted.y}` };
  return new DesktopError('failed', message('native.pointer_elsewhere', places));
}
