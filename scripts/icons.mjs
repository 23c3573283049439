/** Draws the tray's icons: one for each state, as a template for the macOS menu bar and in colour for other panels. States differ in shape, never in colour alone. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { main, root } from './lib/run.mjs';

const OUT = join(root, 'dist/main/app/icons');
const MARK =
  '<path d="M2.75 10.5a7.25 7.25 0 0 1 14.5 0"/><path d="M10 3.25V1.75"/><path d="M8.4 8.9l6.6 2.6-2.9 1.1-1.2 3z"/>';

/** Lower right, in a 20 × 20 box; `hole` is cut out of the badge. */
const BADGES = {
  acting: { shape: '<path d="M12.4 11.2v7.6l6.4-3.8z"/>', colour: '#6fd398' },
  waiting: { shape: '<circle cx="15" cy="15" r="4"/>', colour: '#ffcf70' },
  paused: { shape: '<path d="M11.6 11.4h2.6v7.2h-2.6zM15.8 11.4h2.6v7.2h-2.6z"/>', colour: '#ffffff' },
  missing: {
    shape: '<path d="M15 10.4l4.6 8.4h-9.2z"/>',
    hole: '<path d="M15 13.2v2.6M15 17.3v.1" stroke-width="1.3"/>',
    colour: '#ff938a',
  },
};
const STATES = ['idle', 'watching', ...Object.keys(BADGES)];

function drawing(state, { ink, badgeInk, ground }) {
  const badge = BADGES[state];
  const cut = badge === undefined ? '' : `<g fill="#000" stroke="#000" stroke-width="3">${badge.shape}</g>`;
  const strokes = 'fill="none" stroke-linecap="round" stroke-linejoin="round"';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">
    <mask id="around"><rect width="20" height="20" fill="#fff"/>${cut}</mask>
    <mask id="hole"><rect width="20" height="20" fill="#fff"/><g ${strokes} stroke="#000">${badge?.hole ?? ''}</g></mask>
    ${ground}
    <g mask="url(#around)" ${strokes} stroke="${ink}" stroke-width="1.75" opacity="${state === 'idle' ? 0.55 : 1}">${MARK}</g>
    <g mask="url(#hole)" fill="${badgeInk(badge)}">${badge?.shape ?? ''}</g>
  </svg>`;
}

const template = { ink: '#000', badgeInk: () => '#000', ground: '' };
const coloured = {
  ink: '#fff',
  badgeInk: (badge) => badge?.colour ?? '#fff',
  ground: '<rect width="20" height="20" rx="5" fill="#4c51d9"/>',
};

async function write(svg, pixels, name) {
  await sharp(Buffer.from(svg), { density: 72 * (pixels / 20) * 4 })
    .resize(pixels, pixels)
    .png()
    .toFile(join(OUT, name));
}

export async function icons() {
  mkdirSync(OUT, { recursive: true });
  for (const state of STATES) {
    await write(drawing(state, template), 18, `${state}Template.png`);
    await write(drawing(state, template), 36, `${state}Template@2x.png`);
    await write(drawing(state, coloured), 22, `${state}.png`);
    await write(drawing(state, coloured), 44, `${state}@2x.png`);
  }
  return { code: 0 };
}

if (import.meta.filename === process.argv[1]) await main(async () => (await icons()).code);
