/** A part of the screen as RGB pixels, drawn on in points. What lies outside of it is cut off. */
import type { Capture, Rect } from '../../desktop.js';
import { GLYPH_SCALE, glyphOf, type Glyph } from './font.js';

export type Colour = readonly [number, number, number];

export type Canvas = ReturnType<typeof createCanvas>;

export function createCanvas(area: Rect, scale: number) {
  const width = Math.max(1, Math.round(area.width * scale));
  const height = Math.max(1, Math.round(area.height * scale));
  const rgb = new Uint8Array(width * height * 3);

  const blend = (x: number, y: number, [red, green, blue]: Colour, alpha: number): void => {
    const at = (y * width + x) * 3;
    const [r, g, b] = [rgb[at] ?? 0, rgb[at + 1] ?? 0, rgb[at + 2] ?? 0];
    rgb[at] = Math.round(r + (red - r) * alpha);
    rgb[at + 1] = Math.round(g + (green - g) * alpha);
    rgb[at + 2] = Math.round(b + (blue - b) * alpha);
  };

  const whole = { left: 0, top: 0, right: width, bottom: height };
  let limits = whole;

  /** In pixels of this canvas, cut to it. */
  const pixels = (rect: Rect) => ({
    left: Math.max(limits.left, Math.round((rect.x - area.x) * scale)),
    top: Math.max(limits.top, Math.round((rect.y - area.y) * scale)),
    right: Math.min(limits.right, Math.round((rect.x + rect.width - area.x) * scale)),
    bottom: Math.min(limits.bottom, Math.round((rect.y + rect.height - area.y) * scale)),
  });

  const clip = (rect: Rect): void => {
    limits = {
      left: Math.max(whole.left, Math.floor((rect.x - area.x) * scale)),
      top: Math.max(whole.top, Math.floor((rect.y - area.y) * scale)),
      right: Math.min(whole.right, Math.ceil((rect.x + rect.width - area.x) * scale)),
      bottom: Math.min(whole.bottom, Math.ceil((rect.y + rect.height - area.y) * scale)),
    };
  };

  const fillWhole = (left: number, top: number, right: number, bottom: number, colour: Colour): void => {
    if (right <= left || bottom <= top) return;
    const first = (top * width + left) * 3;
    const length = (right - left) * 3;
    for (let at = 0; at < length; at++) rgb[first + at] = colour[at % 3] ?? 0;
    for (let y = top + 1; y < bottom; y++) rgb.copyWithin((y * width + left) * 3, first, first + length);
  };

  const fill = (rect: Rect, colour: Colour, radius = 0): void => {
    const { left, top, right, bottom } = pixels(rect);
    if (radius <= 0) return fillWhole(left, top, right, bottom, colour);
    const coverage = roundedCoverage(rect, radius);
    const corner = (y: number, from: number, to: number): void => {
      for (let x = from; x < to; x++) {
        const alpha = coverage((x + 0.5) / scale + area.x, (y + 0.5) / scale + area.y, scale);
        if (alpha > 0) blend(x, y, colour, alpha);
      }
    };
    // Only the corners need their coverage; the rest is drawn whole.
    const reach = Math.ceil(radius * scale) + 1;
    const upper = Math.min(bottom, top + reach);
    const lower = Math.max(upper, bottom - reach);
    const inner = Math.min(right, left + reach);
    const outer = Math.max(inner, right - reach);
    fillWhole(left, upper, right, lower, colour);
    for (let y = top; y < bottom; y++) {
      if (y >= upper && y < lower) continue;
      corner(y, left, inner);
      fillWhole(inner, y, outer, y + 1, colour);
      corner(y, outer, right);
    }
  };

  const glyph = (shape: Glyph, pen: number, baseline: number, colour: Colour, clip: Rect): void => {
    const step = GLYPH_SCALE / scale;
    const originX = (pen - area.x) * GLYPH_SCALE + shape.left;
    const originY = (baseline - area.y) * GLYPH_SCALE + shape.top;
    const bounds = pixels(clip);
    const lastX = Math.min(bounds.right, Math.ceil((originX + shape.width) / step));
    const lastY = Math.min(bounds.bottom, Math.ceil((originY + shape.height) / step));
    for (let y = Math.max(bounds.top, Math.floor(originY / step)); y < lastY; y++) {
      for (let x = Math.max(bounds.left, Math.floor(originX / step)); x < lastX; x++) {
        const alpha = coverageAt(shape, x * step - originX, y * step - originY, step);
        if (alpha > 0) blend(x, y, colour, alpha);
      }
    }
  };

  return {
    /** What is drawn from now on is cut to the pixels that this touches. */
    clip,
    fill,
    /** A border inside the rectangle. */
    frame(rect: Rect, edge: Colour, inside: Colour, radius: number, thickness: number = 1): void {
      fill(rect, edge, radius);
      const inner = {
        x: rect.x + thickness,
        y: rect.y + thickness,
        width: rect.width - 2 * thickness,
        height: rect.height - 2 * thickness,
      };
      fill(inner, inside, Math.max(0, radius - thickness));
    },
    /** `x` is the left edge, `y` the baseline; nothing is drawn outside `clip`. */
    text(text: string, x: number, y: number, colour: Colour, clip: Rect): void {
      let pen = x;
      for (const character of text) {
        const shape = glyphOf(character);
        glyph(shape, pen, y, colour, clip);
        pen += shape.advance / GLYPH_SCALE;
      }
    },
    result: (): Capture => ({ width, height, rgb, origin: { x: area.x, y: area.y }, scale }),
  };
}

/** How much of the pixel at a point lies inside the rounded rectangle. */
function roundedCoverage(rect: Rect, radius: number): (x: number, y: number, scale: number) => number {
  const [left, right] = [rect.x + radius, rect.x + rect.width - radius];
  const [top, bottom] = [rect.y + radius, rect.y + rect.height - radius];
  return (x, y, scale) => {
    const dx = Math.max(left - x, x - right, 0);
    const dy = Math.max(top - y, y - bottom, 0);
    if (dx === 0 || dy === 0) return 1;
    return Math.min(1, Math.max(0, (radius - Math.hypot(dx, dy)) * scale + 0.5));
  };
}

/** Mean coverage, 0 … 1, of the glyph's table below one pixel. */
function coverageAt(shape: Glyph, left: number, top: number, step: number): number {
  let sum = 0;
  let samples = 0;
  for (let y = Math.round(top); y < Math.max(Math.round(top) + 1, Math.round(top + step)); y++) {
    for (let x = Math.round(left); x < Math.max(Math.round(left) + 1, Math.round(left + step)); x++) {
      samples += 1;
      const inside = x >= 0 && y >= 0 && x < shape.width && y < shape.height;
      if (inside) sum += shape.coverage[y * shape.width + x] ?? 0;
    }
  }
  return sum / samples / 15;
}
