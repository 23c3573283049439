/** The picture of a window with its open menus, lists and tooltips, which are windows of their own. */
import { DesktopError, type Capture, type Rect, type Window } from '../../native/desktop.js';
import type { ReadContext } from '../pipeline/context.js';
import { WireError } from '../protocol/index.js';

type Reader = ReadContext['desktop'];
/** What lies beside the windows in the picture. */
const BESIDE = 0x80;

/** `popups`: those in the picture, topmost first. */
export async function captureWithPopups(
  desktop: Reader,
  window: Window,
  signal: AbortSignal,
  begin: Parameters<Reader['capture']>[2],
): Promise<{ capture: Capture; popups: Window[] }> {
  const open = popupsOf(await desktop.windows(signal), window);
  const take = (one: Window, first?: typeof begin) =>
    desktop.capture({ kind: 'window', windowId: one.id }, signal, first);
  if (open.length === 0) return { capture: await take(window, begin), popups: [] };
  const own = await take(window);
  const taken = await Promise.all(open.map((one) => take(one).catch(nullIfGoneOrHidden)));
  const pictures = taken.flatMap((one) => (one?.scale === own.scale ? [one] : []));
  const capture = pictures.length === 0 ? own : compose([own, ...pictures.toReversed()]);
  for (const part of pictures.length === 0 ? [] : [own, ...pictures]) part.rgb.release?.();
  return { capture, popups: open.filter((_, index) => taken[index] !== null) };
}

/** What shows above the window and belongs to no other normal one of the application. */
function popupsOf(windows: readonly Window[], { id, app }: Window): Window[] {
  const above = windows.slice(
    0,
    Math.max(
      0,
      windows.findIndex((one) => one.id === id),
    ),
  );
  const own = above.filter((one) => one.app.pid === app.pid && one.visible);
  return own.slice(own.findLastIndex(({ normal }) => normal) + 1);
}

function nullIfGoneOrHidden(thrown: unknown): null {
  const hidden = thrown instanceof WireError && thrown.details['reason'] === 'protected';
  if (hidden || (thrown instanceof DesktopError && ['not_found', 'unsupported', 'stale'].includes(thrown.code)))
    return null;
  throw thrown;
}

/** Each over the earlier ones, at its place. */
function compose(pictures: readonly [Capture, ...Capture[]]): Capture {
  const { scale } = pictures[0];
  const places = pictures.map(({ origin, width, height }) => ({
    x: Math.round(origin.x * scale),
    y: Math.round(origin.y * scale),
    width,
    height,
  }));
  const left = Math.min(...places.map(({ x }) => x));
  const top = Math.min(...places.map(({ y }) => y));
  const width = Math.max(...places.map((one) => one.x + one.width)) - left;
  const height = Math.max(...places.map((one) => one.y + one.height)) - top;
  const rgb = new Uint8Array(width * height * 3).fill(BESIDE);
  for (const [index, picture] of pictures.entries()) {
    const place = places[index] ?? { x: left, y: top };
    for (let row = 0; row < picture.height; row += 1) {
      const line = picture.rgb.subarray(row * picture.width * 3, (row + 1) * picture.width * 3);
      rgb.set(line, ((place.y - top + row) * width + place.x - left) * 3);
    }
  }
  return { width, height, rgb, origin: { x: left / scale, y: top / scale }, scale };
}

/** In points. */
export const areaOf = ({ origin, width, height, scale }: Capture): Rect => ({
  ...origin,
  width: width / scale,
  height: height / scale,
});
