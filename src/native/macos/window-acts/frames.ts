/** Moves, resizes, maximises and minimises windows, and reads what became of it from the window server. */
import { intersect } from '../../../base/rect.js';
import { DesktopError, type Rect } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import { poll } from '../../../base/poll.js';
import { becomes, truth } from '../accessibility/actions.js';
import { ATTRIBUTE } from '../accessibility/names.js';
import { elementOf } from '../accessibility/answers.js';
import type { Core } from '../core.js';
import { visibleFrames } from '../screen/displays.js';
import { onWindow, requireRow, type ActParts } from './focus.js';

/** Points. */
const TOLERANCE = 2;
const MOST_CORRECTIONS = 3;
const SETTLE_MS = 300;
const POLL_MS = 20;

/** The frame as the window server has it then. */
export async function setWindowFrame(
  parts: ActParts,
  id: string,
  frame: Partial<Rect>,
  signal: AbortSignal,
): Promise<Rect> {
  const { pid, frame: before } = requireRow(parts, id);
  requireSettable(parts, id, frame);
  const wanted = { ...before, ...frame };
  await withoutEnhancement(parts.core, pid, async () => {
    for (let tries = 0; tries <= MOST_CORRECTIONS; tries++) {
      const now = requireRow(parts, id).frame;
      if (isNear(now, wanted)) return;
      signal.throwIfAborted();
      ask(parts, id, now, wanted, frame);
      const reached = (): Promise<true | null> =>
        Promise.resolve(isNear(requireRow(parts, id).frame, wanted) ? true : null);
      await poll(reached, SETTLE_MS, signal, POLL_MS);
    }
  });
  return requireRow(parts, id).frame;
}

/** Position before size: the other way round the size is taken back, and both calls say success. */
function ask(parts: ActParts, id: string, now: Rect, wanted: Rect, given: Partial<Rect>): void {
  const { ax, making } = parts.core;
  onWindow(parts, id, (window, scope) => {
    const moves = differs(now.x, wanted.x) || differs(now.y, wanted.y);
    const resizes = given.width !== undefined || given.height !== undefined;
    const [position, size] = [making.point(scope, wanted), making.size(scope, wanted)];
    if (moves && position !== null) ax.set(window, ATTRIBUTE.position, position);
    if (resizes && size !== null) ax.set(window, ATTRIBUTE.size, size);
  });
}

function requireSettable(parts: ActParts, id: string, { x, y, width, height }: Partial<Rect>): void {
  const { ax } = parts.core;
  onWindow(parts, id, (window) => {
    const moves = x !== undefined || y !== undefined;
    const resizes = width !== undefined || height !== undefined;
    if (moves && !ax.settable(window, ATTRIBUTE.position)) {
      throw new DesktopError('unsupported', message('native.frame_fixed', { what: 'place' }));
    }
    if (resizes && !ax.settable(window, ATTRIBUTE.size)) {
      throw new DesktopError('unsupported', message('native.frame_fixed', { what: 'other' }));
    }
  });
}

/** An application whose interface is enhanced for assistive programs ignores moves of its windows. */
async function withoutEnhancement(core: Core, pid: number, work: () => Promise<void>): Promise<void> {
  const { ax, scoped, making } = core;
  const set = (on: boolean): boolean =>
    scoped((scope) => ax.set(ax.application(scope, pid), ATTRIBUTE.enhancedInterface, making.boolean(on)));
  const enhanced = scoped((scope) => truth(core, ax.application(scope, pid), ATTRIBUTE.enhancedInterface)) === true;
  if (!enhanced || !set(false)) return work();
  try {
    await work();
  } finally {
    set(true);
  }
}

export async function setWindowMinimized(
  parts: ActParts,
  id: string,
  minimized: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { ax, making } = parts.core;
  const is = (): boolean | null => onWindow(parts, id, (window) => truth(parts.core, window, ATTRIBUTE.minimized));
  if (is() === minimized) return;
  onWindow(parts, id, (window, scope) => {
    const hasButton = elementOf(ax.attribute(scope, window, ATTRIBUTE.minimizeButton)) !== null;
    if ((minimized && !hasButton) || !ax.settable(window, ATTRIBUTE.minimized)) {
      throw new DesktopError('unsupported', message('native.cannot_minimise'));
    }
    ax.set(window, ATTRIBUTE.minimized, making.boolean(minimized));
  });
  // On the screen again comes after the animation.
  if (await becomes(() => is() === minimized && requireRow(parts, id).onScreen === !minimized, signal)) return;
  throw new DesktopError('failed', message(minimized ? 'native.minimise_ignored' : 'native.not_restored'));
}

/**
 * Gives a window all the room of its display, and tells the frame it had; null where it had that already. The zoom button is not
 * pressed: it makes a window full-screen.
 */
export async function maximize(parts: ActParts, id: string, signal: AbortSignal): Promise<Rect | null> {
  const { frame: before } = requireRow(parts, id);
  const room = roomOf(parts.core, before);
  if (room === null) throw new DesktopError('failed', message('native.no_displays'));
  if (isNear(before, room)) return null;
  const fixed = onWindow(parts, id, (window) => !parts.core.ax.settable(window, ATTRIBUTE.size));
  if (fixed) throw new DesktopError('unsupported', message('native.size_fixed'));
  if (isNear(await setWindowFrame(parts, id, room, signal), room)) return before;
  throw new DesktopError('failed', message('native.not_maximised', { to: 'maximise' }));
}

/** Of the display that shows most of it. */
function roomOf(core: Core, frame: Rect): Rect | null {
  const shown = (room: Rect): number => {
    const common = intersect(room, frame);
    return common === null ? 0 : common.width * common.height;
  };
  return visibleFrames(core).toSorted((a, b) => shown(b) - shown(a))[0] ?? null;
}

const differs = (a: number, b: number): boolean => Math.abs(a - b) > TOLERANCE;

export const isNear = (a: Rect, b: Rect): boolean =>
  ![a.x - b.x, a.y - b.y, a.width - b.width, a.height - b.height].some((each) => differs(each, 0));
