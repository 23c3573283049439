import type { DesktopReader } from '../../native/desktop.js';

/** A display, for clients that ask for it in their opening message. */
export interface ScreenInfo {
  /** `main` or `display-<index>`. */
  id: string;
  /** As the tools name it: `displays/<id>`. */
  name: string;
  width: number;
  height: number;
  pixel_density: number;
  origin_x: number;
  origin_y: number;
}

const TIMEOUT_MS = 2000;

/** Exactly one display is `main`, even if the system reports none or several. */
export async function readScreens(desktop: Pick<DesktopReader, 'displays'>): Promise<ScreenInfo[]> {
  const displays = await desktop.displays(AbortSignal.timeout(TIMEOUT_MS));
  const main = Math.max(
    0,
    displays.findIndex((one) => one.main),
  );
  return displays.map(({ id, frame, scale }, index) => ({
    id: index === main ? 'main' : `display-${index}`,
    name: `displays/${id}`,
    width: frame.width,
    height: frame.height,
    pixel_density: scale,
    origin_x: frame.x,
    origin_y: frame.y,
  }));
}
