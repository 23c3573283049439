/**
 * What of the screen was painted, whoever did it: a window that appears, moves or goes paints, too. Comes in: the DAMAGE and XFIXES
 * extensions on the root window. Goes out: areas. Called by area-pictures.ts.
 */
import type { XArea, XDamage, XFixes } from 'x11';
import type { Rect } from '../../desktop.js';
import type { XConnection } from './connection.js';

export interface ScreenDamage {
  /** What was painted since it was asked the last time, by all that the server had done when asked now; null where that is not known. */
  paintedAreas(): Promise<Rect[] | null>;
  /** Until it is asked again, the server collects nothing. */
  rest(): void;
}

/** Regions came with this one. */
const XFIXES_VERSION = 2;
const INCLUDE_INFERIORS = 1;

/**
 * null where the server lacks an extension. Nobody may ask for pictures over `x`: for one, the server puts the screen together, and
 * it sends its report of that in the middle of the picture.
 */
export async function openScreenDamage(x: XConnection): Promise<ScreenDamage | null> {
  const [damage, fixes] = await Promise.all([x.extension('damage'), x.extension('fixes')]);
  if (damage === null || fixes === null || fixes.major < XFIXES_VERSION) return null;
  let watched: Watched | null = null;
  return {
    async paintedAreas() {
      if (watched !== null) return readAreas(x, damage, fixes, watched);
      watched = watchScreen(x, damage, fixes);
      await x.sync();
      return null;
    },
    rest() {
      if (watched === null) return;
      stopWatching(x, damage, fixes, watched);
      watched = null;
    },
  };
}

interface Watched {
  damage: number;
  region: number;
  /** One pixel, and what copies a pixel of all windows to it. */
  pixel: number;
  copying: number;
}

function watchScreen({ client, root, screen }: XConnection, extension: XDamage, fixes: XFixes): Watched {
  const [damage, region, pixel, copying] = [client.AllocID(), client.AllocID(), client.AllocID(), client.AllocID()];
  extension.Create(damage, root, extension.ReportLevel.NonEmpty);
  // At first all of the screen is damaged.
  extension.Subtract(damage, 0, 0);
  fixes.CreateRegion(region, []);
  client.CreatePixmap(pixel, root, screen.root_depth, 1, 1);
  client.CreateGC(copying, root, { subwindowMode: INCLUDE_INFERIORS, graphicsExposures: 0 });
  return { damage, region, pixel, copying };
}

async function readAreas(x: XConnection, damage: XDamage, fixes: XFixes, watched: Watched): Promise<Rect[]> {
  const { client, root } = x;
  // What was painted in windows with memory of their own is the screen's only once the server puts them together, as it does for a copy.
  client.CopyArea(root, watched.pixel, watched.copying, 0, 0, 0, 0, 1, 1);
  damage.Subtract(watched.damage, 0, watched.region);
  return (await x.query<{ rectangles: XArea[] }>((reply) => fixes.FetchRegion(watched.region, reply))).rectangles;
}

function stopWatching(x: XConnection, extension: XDamage, fixes: XFixes, watched: Watched): void {
  extension.Destroy(watched.damage);
  fixes.DestroyRegion(watched.region);
  x.client.FreeGC(watched.copying);
  x.send((done) => x.client.FreePixmap(watched.pixel, done)).catch(() => {});
  for (const id of Object.values(watched)) x.client.ReleaseID(id);
}
