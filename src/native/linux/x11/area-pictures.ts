/** Pictures of parts of the screen. One in which nothing was painted since it was taken is given out again. */
import { overlaps } from '../../../base/rect.js';
import type { Capture, Rect } from '../../desktop.js';
import type { Windows } from '../windows.js';
import type { XConnection } from './connection.js';
import { createKeptPictures } from './kept-pictures.js';
import type { PixelReader } from './pixel-reader.js';
import { openScreenDamage } from './screen-damage.js';

export interface AreaPictures {
  /** Shows all that the server had done when it was asked for. `area`: in whole pixels, on the screen. */
  capture(area: Rect): Promise<Capture>;
  close(): void;
}

/** Nobody may ask for pictures over `events`; those of `pixels` come over another connection. */
export async function openAreaPictures(
  events: XConnection,
  windows: Pick<Windows, 'onChange'>,
  pixels: PixelReader,
): Promise<AreaPictures> {
  const damage = await openScreenDamage(events);
  const kept = createKeptPictures(() => damage?.rest());
  // What changes there is painted, too; this holds also where a server does not report it.
  let changes = 0;
  const stopListening = windows.onChange(() => {
    changes += 1;
    kept.dropWhere(() => true);
  });

  const findOrRead = async (area: Rect): Promise<Capture> => {
    // What is painted from now on is told before the next picture.
    const painted = (await damage?.paintedAreas()) ?? null;
    kept.dropWhere((picture) => painted?.some((part) => overlaps(part, rectOf(picture))) ?? true);
    const name = JSON.stringify(area);
    // A picture that was begun before a change is not given out after it.
    const generation = String(changes);
    return (
      kept.find(name, generation) ?? kept.keep(name, generation, captureOf(await pixels.read(events.root, area), area))
    );
  };

  let last: Promise<unknown> = Promise.resolve();
  return {
    /** One after another, so that the same picture is not read twice at once. */
    capture(area) {
      const captured = last.then(() => findOrRead(area));
      last = captured.catch(() => {});
      return captured;
    },
    close() {
      stopListening();
      kept.close();
    },
  };
}

/** X has one coordinate system in pixels. */
export function captureOf(rgb: Capture['rgb'], { x, y, width, height }: Rect): Capture {
  return { width, height, rgb, origin: { x, y }, scale: 1 };
}

const rectOf = ({ origin, width, height }: Capture): Rect => ({ ...origin, width, height });
