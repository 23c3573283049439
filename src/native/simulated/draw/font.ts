/** The one typeface of a simulated desktop: 13 points high, measured and drawn from the table of glyphs. */
import { GLYPHS } from './glyphs.js';

const TABLE = new Map(GLYPHS.map((row) => [row[0], row]));
/** Those of the table that were drawn, so never more than it has. */
const DECODED = new Map<string, Glyph>();

/** Table pixels per point. */
export const GLYPH_SCALE = 2;

export interface Glyph {
  advance: number;
  left: number;
  top: number;
  width: number;
  height: number;
  /** 0 … 15, row by row. */
  coverage: Uint8Array;
}

/** In points. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += advanceOf(character);
  return width / GLYPH_SCALE;
}

/** The string index whose left edge is nearest to `x` points. */
export function indexAt(text: string, x: number): number {
  let left = 0;
  let index = 0;
  for (const character of text) {
    const right = left + advanceOf(character) / GLYPH_SCALE;
    if (x < (left + right) / 2) return index;
    left = right;
    index += character.length;
  }
  return index;
}

/** A character without a glyph is a box with its code point in it as bits, so that different texts look different. */
export function glyphOf(character: string): Glyph {
  const known = DECODED.get(character);
  if (known !== undefined) return known;
  const row = TABLE.get(character);
  if (row === undefined) return box(character.codePointAt(0) ?? 0);
  const glyph = decoded(row);
  DECODED.set(character, glyph);
  return glyph;
}

function decoded([, advance, left, top, width, height, base64]: (typeof GLYPHS)[number]): Glyph {
  const packed = Buffer.from(base64, 'base64');
  const coverage = Uint8Array.from({ length: width * height }, (_, at) => nibble(packed, at));
  return { advance, left, top, width, height, coverage };
}

function advanceOf(character: string): number {
  return TABLE.get(character)?.[1] ?? 26;
}

function nibble(packed: Uint8Array, at: number): number {
  const byte = packed[at >> 1] ?? 0;
  return at % 2 === 0 ? byte >> 4 : byte & 15;
}

function box(code: number): Glyph {
  const [width, height] = [22, 22];
  const coverage = Uint8Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) return 15;
    const [column, row] = [Math.floor((x - 3) / 4), Math.floor((y - 2) / 3)];
    const inside = column >= 0 && column < 4 && row >= 0 && row < 6;
    return inside && ((code >> (row * 4 + column)) & 1) === 1 ? 12 : 0;
  });
  return { advance: 26, left: 2, top: -20, width, height, coverage };
}
