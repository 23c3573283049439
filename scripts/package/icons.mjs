/** The app's icon in every size, drawn from the page's mark: PNGs for Linux, one .icns for macOS. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

const SIZES = [16, 32, 48, 64, 128, 256, 512, 1024];
/** Types of an .icns file whose contents are PNGs, with their size in pixels; 32 and 64 are 16 and 32 at double density. */
const ICNS = { ic11: 32, ic12: 64, ic07: 128, ic13: 256, ic08: 256, ic14: 512, ic09: 512, ic10: 1024 };

/** Of what the mark draws, in its box of 20. */
const MIDDLE = { x: 10, y: 8.7 };

/** A tile in the mark's colour with the mark in white. macOS leaves a margin of a tenth around a tile; others fill the square. */
export function drawing(mark, margin) {
  const colour = /stroke="(#[0-9a-f]{6})"/.exec(mark)?.[1];
  const shapes = mark.match(/<path [^>]*\/>/g);
  if (colour === undefined || shapes === null) throw new Error('the mark has no stroke colour or no paths');
  const side = 100 - 2 * margin;
  const scale = (0.78 * side) / 20;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">
    <rect x="${margin}" y="${margin}" width="${side}" height="${side}" rx="${side * 0.225}" fill="${colour}"/>
    <g transform="translate(${50 - MIDDLE.x * scale} ${50 - MIDDLE.y * scale}) scale(${scale})"
      fill="none" stroke="#fff" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">${shapes.join('')}</g>
  </svg>`;
}

async function png(svg, pixels) {
  return sharp(Buffer.from(svg), { density: (72 * pixels) / 100 })
    .resize(pixels, pixels)
    .png()
    .toBuffer();
}

/** A header, then each picture behind its type and length. */
export function icns(pictures) {
  const chunk = (type, data) => {
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32BE(data.length + 8, 4);
    return Buffer.concat([head, data]);
  };
  return chunk('icns', Buffer.concat(Object.entries(pictures).map(([type, data]) => chunk(type, data))));
}

/** Writes NxN.png and icon.icns to `folder`. */
export async function drawIcons(root, folder) {
  mkdirSync(folder, { recursive: true });
  const mark = readFileSync(join(root, 'src/renderer/mark.svg'), 'utf8');
  for (const size of SIZES) writeFileSync(join(folder, `${size}x${size}.png`), await png(drawing(mark, 0), size));
  const pictures = {};
  for (const [type, pixels] of Object.entries(ICNS)) pictures[type] = await png(drawing(mark, 10), pixels);
  writeFileSync(join(folder, 'icon.icns'), icns(pictures));
}
