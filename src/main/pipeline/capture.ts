/** Takes the picture of a plan, for the request and for comparing. Its size, and what is cut out: `evidence/imaging.ts`. */
import type { Capture, DesktopReader, Rect, WindowPaint } from '../../native/desktop.js';
import { fingerprintPixels, samePixels } from '../approvals/pixels.js';
import type { PixelFingerprint, Plan } from '../approvals/plan.js';
import { delay } from '../../base/poll.js';
import type { CardPicture, FullView } from '../approvals/request.js';
import type { Imaging } from '../evidence/imaging.js';

const SETTLE_MS = 600;
const POLL_MS = 50;
/** Two frames: what has not been painted for so long is not being painted. */
const REST_MS = 33;

/** Captures the plan's window without what covers it; without a visible window, the part of the screen. */
export async function capturePlan(desktop: DesktopReader, plan: Plan, signal: AbortSignal): Promise<Capture> {
  if (plan.window !== null && plan.window.visible)
    return desktop.capture({ kind: 'window', windowId: plan.window.id }, signal);
  if (plan.look !== null) return desktop.capture({ kind: 'region', rect: plan.look.area }, signal);
  return desktop.capture({ kind: 'display' }, signal);
}

/** Where the target's pixels are compared; null where they are not. */
const comparedArea = ({ look, target }: Plan): Rect | null =>
  look === null || target.kind === 'screen' || target.kind === 'reading' ? null : look.target;

/** Adds the fingerprint of the target's pixels to the plan. Returns the capture as well, where there was something to compare. */
export async function fingerprintPlan(
  desktop: DesktopReader,
  plan: Plan,
  signal: AbortSignal,
): Promise<{ plan: Plan; capture: Capture | null }> {
  const area = comparedArea(plan);
  if (area === null) return { plan: { ...plan, pixels: null }, capture: null };
  const capture = await capturePlan(desktop, plan, signal);
  const part = cropCapture(capture, area);
  return { plan: { ...plan, pixels: part === null ? null : fingerprintPixels(part) }, capture };
}

/**
 * Like `fingerprintPlan`, but waits up to SETTLE_MS until the window is not painted any more, or its target looks the same twice:
 * an application may still be painting.
 */
export async function fingerprintSettledPlan(
  desktop: DesktopReader,
  plan: Plan,
  signal: AbortSignal,
): Promise<{ plan: Plan; capture: Capture | null }> {
  const end = performance.now() + SETTLE_MS;
  let paint = comparedArea(plan) === null ? null : await paintOf(desktop, plan, signal);
  for (let before: PixelFingerprint | null = null; ;) {
    const asked = performance.now();
    const taken = await fingerprintPlan(desktop, plan, signal);
    const { pixels } = taken.plan;
    if (pixels === null || isResting(paint) || asked >= end || (before !== null && samePixels(before, pixels)))
      return taken;
    // The window rests while its picture is taken.
    const waitMs = paint === null ? POLL_MS : REST_MS - paint.unpaintedMs;
    await delay(Math.max(0, asked + waitMs - performance.now()), signal);
    const now = await paintOf(desktop, plan, signal);
    if (now !== null && now.generation === paint?.generation) return taken;
    [paint, before] = [now, pixels];
  }
}

/** Whether the plan's window has not been painted for two frames. False where that is not known. */
export async function isAtRest(desktop: DesktopReader, plan: Plan, signal: AbortSignal): Promise<boolean> {
  if (comparedArea(plan) === null) return true;
  return isResting(await paintOf(desktop, plan, signal));
}

const isResting = (paint: WindowPaint | null): boolean => paint !== null && paint.unpaintedMs >= REST_MS;

async function paintOf(desktop: DesktopReader, { window }: Plan, signal: AbortSignal): Promise<WindowPaint | null> {
  return window !== null && window.visible ? desktop.windowPaint(window.id, null, signal) : null;
}

/** `capture`: one that was taken for the plan. */
export async function drawCardPicture(
  { imaging, desktop }: { imaging: Imaging; desktop: DesktopReader },
  plan: Plan,
  capture: Capture | null,
  signal: AbortSignal,
): Promise<CardPicture> {
  if (plan.look === null) return { picture: null, fullView: null };
  const shown = capture ?? (await capturePlan(desktop, plan, signal));
  return { picture: await imaging.picture(shown, plan.look.target), fullView: createFullView(plan, shown) };
}

/** Holds the full capture behind a card, for the enlarged view. */
export function createFullView(plan: Plan, capture: Capture): FullView {
  let kept: ReturnType<FullView['read']> = { capture, target: plan.look?.target ?? null };
  return {
    read: () => kept,
    dispose: () => {
      kept = null;
    },
  };
}

/** The pixels of `area` (points); null where it lies outside the capture. */
export function cropCapture(capture: Capture, area: Rect): Capture | null {
  const { scale, origin } = capture;
  const left = Math.max(0, Math.round((area.x - origin.x) * scale));
  const top = Math.max(0, Math.round((area.y - origin.y) * scale));
  const right = Math.min(capture.width, Math.round((area.x + area.width - origin.x) * scale));
  const bottom = Math.min(capture.height, Math.round((area.y + area.height - origin.y) * scale));
  const width = right - left;
  const height = bottom - top;
  if (width <= 0 || height <= 0) return null;
  const rgb = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row += 1) {
    const from = ((top + row) * capture.width + left) * 3;
    rgb.set(capture.rgb.subarray(from, from + width * 3), row * width * 3);
  }
  return { width, height, rgb, scale, origin: { x: origin.x + left / scale, y: origin.y + top / scale } };
}
