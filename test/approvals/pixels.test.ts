import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Capture } from '../../src/native/desktop.js';
import { fingerprintPixels, samePixels } from '../../src/main/approvals/pixels.js';

interface Look {
  width?: number;
  height?: number;
  scale?: number;
  label?: string;
  ink?: string;
  paper?: string;
  size?: number;
  x?: number;
  y?: number;
  /** Left edge, top, width and height in points. */
  caret?: [number, number, number, number];
  extra?: string;
}

/** A control drawn with real text. */
async function drawn({
  width = 120,
  height = 32,
  scale = 1,
  label = '',
  ink = '#222',
  paper = '#f4f4f4',
  size = 13,
  x = 12,
  y = 21,
  caret,
  extra = '',
}: Look): Promise<Capture> {
  const bar = caret
    ? `<rect x="${caret[0]}" y="${caret[1]}" width="${caret[2]}" height="${caret[3]}" fill="#000" shape-rendering="crispEdges"/>`
    : '';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width * scale}" height="${height * scale}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="${paper}"/>${extra}<text x="${x}" y="${y}" font-family="DejaVu Sans, sans-serif" font-size="${size}" fill="${ink}">${label}</text>${bar}</svg>`;
  const { data, info } = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: new Uint8Array(data), origin: { x: 0, y: 0 }, scale };
}

async function same(one: Look, other: Look, caret: { overText?: boolean } = {}): Promise<boolean> {
  const [a, b] = [fingerprintPixels(await drawn(one)), fingerprintPixels(await drawn(other))];
  const forth = samePixels(a, b, caret);
  expect(samePixels(b, a, caret)).toBe(forth);
  return forth;
}

beforeAll(async () => {
  const ink = await drawn({ label: 'Cancel' });
  if (new Set(ink.rgb).size < 8) throw new Error('this machine has no font to draw text with');
});

describe.each([1, 1.5, 2])('at scale %f, the same are', (scale) => {
  it('two pictures of the same', async () => {
    expect(await same({ label: 'Cancel', scale }, { label: 'Cancel', scale })).toBe(true);
  });

  it.each([12, 13, 40, 41.5, 77, 100])('a field with and without its caret at %f', async (at) => {
    expect(await same({ label: '', scale }, { scale, caret: [at, 8, 1, 16] })).toBe(true);
    expect(await same({ label: 'Jo', scale }, { label: 'Jo', scale, caret: [Math.max(at, 32), 7, 1, 18] })).toBe(true);
  });

  it.each(['Ada Lovelace', 'Grüße', 'Tim', 'xylophone'])(
    'a field with “%s”, with and without its caret over its first letter',
    async (label) => {
      const field = { label, scale, size: 15 };
      expect(await same(field, { ...field, caret: [12, 6, 1, 20] }, { overText: true })).toBe(true);
    },
  );

  it('a slight hover tint', async () => {
    expect(await same({ label: 'Cancel', scale, paper: '#f4f4f4' }, { label: 'Cancel', scale, paper: '#e8ecf2' })).toBe(
      true,
    );
  });
});

describe.each([1, 1.5, 2])('at scale %f, different are', (scale) => {
  it.each([
    ['Cancel', 'Delete'],
    ['Cancel', 'Cancel?'],
    ['Send', 'Sent'],
    ['Pay $100', 'Pay $900'],
    ['Pay $100', 'Pay $1000'],
    ['Allow', 'Allow all'],
    ['Yes', 'No'],
    ['OK', ''],
    ['Bill', 'Bil'],
    ['Keep', 'Keep.'],
    ['to: al@x.org', 'to: ai@x.org'],
    ['1', '7'],
    ['O', '0'],
  ])('%j and %j', async (one, other) => {
    expect(await same({ label: one, scale }, { label: other, scale })).toBe(false);
  });

  it('a grey label that changes', async () => {
    expect(await same({ label: 'Cancel', ink: '#999', scale }, { label: 'Delete', ink: '#999', scale })).toBe(false);
  });

  it('a colour that changes', async () => {
    expect(await same({ label: 'Go', paper: '#2e7d32', scale }, { label: 'Go', paper: '#c62828', scale })).toBe(false);
    expect(await same({ label: 'Go', paper: '#f4f4f4', scale }, { label: 'Go', paper: '#d0d0d0', scale })).toBe(false);
    expect(await same({ label: 'Go', ink: '#222', scale }, { label: 'Go', ink: '#c62828', scale })).toBe(false);
  });

  it('content that moved', async () => {
    expect(await same({ label: 'Cancel', scale, x: 12 }, { label: 'Cancel', scale, x: 15 })).toBe(false);
    expect(await same({ label: 'Cancel', scale, y: 21 }, { label: 'Cancel', scale, y: 19 })).toBe(false);
  });

  it('an upright stem that moves by a pixel', async () => {
    expect(await same({ label: 'l', size: 22, scale }, { label: 'l', size: 22, x: 13, scale })).toBe(false);
  });

  it('a tick that appears, a short bar, a wide bar, two carets', async () => {
    const box = '<rect x="20" y="9" width="12" height="12" fill="none" stroke="#000"/>';
    expect(
      await same({ scale, extra: box }, { scale, extra: `${box}<path d="M22 15l3 3 6-7" stroke="#000" fill="none"/>` }),
    ).toBe(false);
    expect(await same({ scale }, { scale, caret: [40, 8, 1, 7] })).toBe(false);
    expect(await same({ scale }, { scale, caret: [40, 6, 5, 18] })).toBe(false);
    expect(await same({ scale, caret: [20, 8, 1, 16] }, { scale, caret: [60, 8, 1, 16] })).toBe(false);
  });
});

describe.each([1, 1.5, 2])('in a field with text, at scale %f, different are', (scale) => {
  it.each([
    ['Cancel', 'Cancer'],
    ['10', '100'],
    ['one', 'ode'],
    ['ob', 'db'],
    ['A', 'B'],
    ['', 'Tomorrow'],
  ])('“%s” and “%s”', async (label, other) => {
    const look = { scale, size: 20, y: 23 };
    expect(await same({ ...look, label }, { ...look, label: other }, { overText: true })).toBe(false);
  });
});

describe('a large field', () => {
  const field = { width: 800, height: 600, label: 'Dear Sir or Madam,', y: 40, size: 14 };

  it('may blink and not change its words', async () => {
    expect(await same(field, { ...field, caret: [163, 26, 1, 18] })).toBe(true);
    expect(await same(field, { ...field, label: 'Dear Sir or Mister,' })).toBe(false);
    expect(await same(field, { ...field, y: 60 })).toBe(false);
  });

  it('has no more cells than it may', async () => {
    const print = fingerprintPixels(await drawn({ width: 3000, height: 2000 }));
    expect(print.columns * print.rows).toBeLessThanOrEqual(21_000);
    expect(print.cells).toHaveLength(print.columns * print.rows * 3);
  });
});

describe('prints that cannot be compared', () => {
  const print = { columns: 2, rows: 1, cells: [1, 2, 3, 4, 5, 6], edge: 2 };

  it.each([
    ['of another size', { columns: 1, rows: 2, cells: [1, 2, 3, 4, 5, 6] }],
    ['cut short', { ...print, cells: [1, 2, 3] }],
    ['with a hole', { ...print, cells: [1, 2, 3, 4, 5, NaN] }],
    ['empty', { columns: 0, rows: 0, cells: [] }],
  ])('%s are not the same', (_name, other) => {
    expect(samePixels(print, other)).toBe(false);
    expect(samePixels(other, print)).toBe(false);
    expect(samePixels(other, other)).toBe(_name === 'of another size');
    expect(samePixels(print, { ...print })).toBe(true);
  });
});
