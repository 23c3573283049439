/** The page's own icons and its manifest, made from the mark when it is built. */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';

const GROUND = '#f5f5f7';
const ICONS = [
  { name: 'icon-192.png', size: 192, purpose: 'any', mark: 0.66, corner: 0.22 },
  { name: 'icon-512.png', size: 512, purpose: 'any', mark: 0.66, corner: 0.22 },
  // Systems crop it to their own shape, so the mark is smaller.
  { name: 'icon-maskable-512.png', size: 512, purpose: 'maskable', mark: 0.5, corner: 0 },
];

const manifest = {
  id: './',
  name: 'Chaperone',
  short_name: 'Chaperone',
  description: 'Approve what agents do on your desktop, answer them, and see what was done.',
  lang: 'en',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: GROUND,
  theme_color: GROUND,
  icons: ICONS.map(({ name, size, purpose }) => ({
    src: `./${name}`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })),
};

/** A vite plugin. @param {string} mark path of the mark as SVG */
export function pageIcons(mark) {
  return {
    name: 'chaperone-page-icons',
    apply: 'build',
    async generateBundle() {
      const svg = await readFile(mark);
      for (const icon of ICONS) this.emitFile({ type: 'asset', fileName: icon.name, source: await draw(svg, icon) });
      this.emitFile({
        type: 'asset',
        fileName: 'manifest.webmanifest',
        source: `${JSON.stringify(manifest, null, 2)}\n`,
      });
    },
  };
}

async function draw(svg, { size, mark, corner }) {
  const inner = Math.round(size * mark);
  const radius = Math.round(size * corner);
  const ground = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><rect width="${size}" height="${size}" rx="${radius}" fill="${GROUND}"/></svg>`;
  const shape = await sharp(svg, { density: (72 * inner) / 20 })
    .resize(inner, inner)
    .png()
    .toBuffer();
  return sharp(Buffer.from(ground))
    .composite([{ input: shape }])
    .png({ compressionLevel: 9, palette: true })
    .toBuffer();
}
