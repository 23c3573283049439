import type { Capture, DesktopReader, Rect } from '../../native/desktop.js';
import { printPixels, samePixels } from './pixels.js';
import type { Plan } from './plan.js';
import { delay } from '../../base/poll.js';
import type { Imaging, Sight } from './ports.js';
import type { Picture } from '../protocol/index.js';

const SETTLE_MS = 600;
const STEP_MS = 50;

/** The window alone where there is one (a cover in front does not matter), else the part of the screen. */
export async function captureOf(desktop: DesktopReader, plan: Plan, signal: AbortSignal): Promise<Capture> {
  if (plan.window !== null && plan.window.visible)
    return desktop.capture({ kind: 'window', windowId: plan.window.id }, signal);
  if (plan.look !== null) return desktop.capture({ kind: 'region', rect: plan.look.area }, signal);
  return desktop.capture({ kind: 'display' }, signal);
}

/** The plan with the fingerprint of its target's pixels, and the capture it was taken from. */
export async function withPixels(
  desktop: DesktopReader,
  plan: Plan,
  signal: AbortSignal,
): Promise<{ plan: Plan; capture: Capture | null }> {
  if (plan.look === null) return { plan, capture: null };
  const capture = await captureOf(desktop, plan, signal);
  const area = plan.target.kind === 'screen' || plan.target.kind === 'reading' ? null : plan.look.target;
  const part = area === null ? null : crop(capture, area);
  return { plan: { ...plan, pixels: part === null ? null : printPixels(part) }, capture };
}

/** The same, once the target has stopped changing (an application may still be painting what the last act did), or at the end of patience. */
export async function withSettledPixels(
  desktop: DesktopReader,
  plan: Plan,
  signal: AbortSignal,
): Promise<{ plan: Plan; capture: Capture | null }> {
  const end = performance.now() + SETTLE_MS;
  let last = await withPixels(desktop, plan, signal);
  while (last.plan.pixels !== null && performance.now() < end) {
    const { pixels } = last.plan;
    await delay(STEP_MS, signal);
    last = await withPixels(desktop, plan, signal);
    if (last.plan.pixels === null || samePixels(pixels, last.plan.pixels)) break;
  }
  return last;
}

export async function pictureOf(imaging: Imaging, plan: Plan, capture: Capture | null): Promise<Picture | null> {
  return capture === null ? null : imaging.picture(capture, plan.look?.target ?? null);
}

/** What a closer look before deciding shows. */
export function sightOf(plan: Plan, capture: Capture): Sight {
  let kept: ReturnType<Sight['seen']> = { capture, target: plan.look?.target ?? null };
  return {
    seen: () => kept,
    drop: () => {
      kept = null;
    },
  };
}

/** The pixels under `area` (points); null where nothing of it lies in the capture. */
export function crop(capture: Capture, area: Rect): Capture | null {
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
