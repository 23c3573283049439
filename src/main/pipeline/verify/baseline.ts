/** What an act is compared with. Called by effect.ts, and by act.ts ahead of the handler. */
import type { Capture, DesktopReader, Point, Window, WindowPaint } from '../../../native/desktop.js';
import { fingerprintPixels } from '../../approvals/pixels.js';
import type { PixelFingerprint } from '../../approvals/plan.js';
import { readApplicationFacts } from './application-facts.js';
import type { Facts } from './changes.js';

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
