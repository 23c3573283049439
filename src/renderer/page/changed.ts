/** Which part of two pictures differs: one box, found in small copies of them. */
import { useEffect, useState } from 'react';
import type { Outline } from './ax.js';

type Box = Pick<Outline, 'left' | 'top' | 'width' | 'height'>;

const WIDE = 480;
/** Of 765: less is noise of drawing. */
const DIFFERS = 48;
/** Where nearly everything is another picture, an outline says nothing. */
const TOO_MUCH = 0.75;

export function useChanged(before: string | null, after: string | null): Box | null {
  const [found, setFound] = useState<{ of: string; box: Box | null }>({ of: '', box: null });
  const of = `${before} ${after}`;
  useEffect(() => {
    if (before === null || after === null) return undefined;
    let wanted = true;
    compare(before, after).then(
      (box) => wanted && setFound({ of, box }),
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [before, after, of]);
  return found.of === of ? found.box : null;
}

async function compare(before: string, after: string): Promise<Box | null> {
  const [one, other] = await Promise.all([loaded(before), loaded(after)]);
  if (one.naturalWidth !== other.naturalWidth || one.naturalHeight !== other.naturalHeight) return null;
  const width = Math.min(WIDE, one.naturalWidth);
  const height = Math.max(1, Math.round((one.naturalHeight * width) / one.naturalWidth));
  return boxOf(pixels(one, width, height), pixels(other, width, height), width, height);
}

async function loaded(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}

function pixels(image: HTMLImageElement, width: number, height: number): Uint8ClampedArray {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('There is no canvas here.');
  context.drawImage(image, 0, 0, width, height);
  return context.getImageData(0, 0, width, height).data;
}

/** In hundredths; null when nothing differs, or nearly everything. RGBA, row by row. */
export function boxOf(one: ArrayLike<number>, other: ArrayLike<number>, width: number, height: number): Box | null {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      let apart = 0;
      for (let part = at; part < at + 3; part += 1) apart += Math.abs((one[part] ?? 0) - (other[part] ?? 0));
      if (apart < DIFFERS) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  }
  if (right < 0) return null;
  const wide = right - left + 1;
  const high = bottom - top + 1;
  if (wide * high > TOO_MUCH * width * height) return null;
  return {
    left: (100 * left) / width,
    top: (100 * top) / height,
    width: (100 * wide) / width,
    height: (100 * high) / height,
  };
}
