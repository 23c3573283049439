/** A picture that is kept, and drawn on only where something that shows has changed. */
import { boundingBox, intersect, isSame, overlaps } from '../../../base/rect.js';
import type { Capture, Rect } from '../../desktop.js';
import { createCanvas, type Canvas } from './canvas.js';

/** Something that is drawn by itself: a window without its elements, or an element. */
export interface Part {
  /** Nothing is drawn outside of it. */
  bounds: Rect;
  /** Another text wherever something else would be drawn. */
  shown: string;
  draw(canvas: Canvas): void;
}

export interface Drawing {
  /** The picture of these parts, from the lowest up. It is drawn on again by the next call. */
  show(parts: readonly Part[]): Capture;
}

export function createDrawing(area: Rect, scale: number, drawBackground: (canvas: Canvas) => void): Drawing {
  const canvas = createCanvas(area, scale);
  let shown: readonly Part[] | null = null;
  return {
    show(parts) {
      const changed = shown === null ? area : changedArea(shown, parts);
      shown = parts;
      const drawn = changed === null ? null : intersect(changed, area);
      if (drawn === null) return canvas.result();
      canvas.clip(drawn);
      drawBackground(canvas);
      for (const part of parts) if (overlaps(part.bounds, drawn)) part.draw(canvas);
      return canvas.result();
    },
  };
}

/** What lies in none of the parts that differ is covered by the same parts in the same order. null: nothing differs. */
function changedArea(before: readonly Part[], now: readonly Part[]): Rect | null {
  const differing: Rect[] = [];
  for (let index = 0; index < Math.max(before.length, now.length); index += 1) {
    const [old, present] = [before[index], now[index]];
    if (old !== undefined && present !== undefined && isSamePart(old, present)) continue;
    if (old !== undefined) differing.push(old.bounds);
    if (present !== undefined) differing.push(present.bounds);
  }
  return differing.length === 0 ? null : boundingBox(differing);
}

const isSamePart = (one: Part, other: Part): boolean => one.shown === other.shown && isSame(one.bounds, other.bounds);
