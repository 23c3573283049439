import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import type { Capture } from '../../../src/native/desktop.js';
import { startEngine } from '../../../src/native/ocr/engine.js';
import { createRecognizer, type TextLine } from '../../../src/native/ocr/index.js';

const never = new AbortController().signal;
const reader = createRecognizer();
afterAll(() => reader.close());

interface Drawn {
  width?: number;
  height?: number;
  scale?: number;
  origin?: { x: number; y: number };
}

/** A picture of an interface with real type. */
async function drawn(inside: string, { width = 360, height = 120, scale = 1, origin = { x: 0, y: 0 } }: Drawn = {}) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width * scale}" height="${height * scale}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="#f4f4f4"/><g font-family="DejaVu Sans, sans-serif" font-size="13">${inside}</g></svg>`;
  const { data, info } = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: new Uint8Array(data), origin, scale };
}

const words = (lines: TextLine[]) => lines.map(({ text }) => text);
const read = (capture: Capture, language = 'eng') => reader.recognize(capture, language, never);

describe('reads', () => {
  test.each([1, 2])('case 17: plain words at scale %d, and says where they are in points', async (scale) => {
    const capture = await drawn('<text x="40" y="60">Invoice total</text>', { scale, origin: { x: -500, y: 30 } });
    const [line, ...more] = await read(capture);
    expect(more).toEqual([]);
    expect(line?.text).toBe('Invoice total');
    expect(line?.words.map(({ text }) => text)).toEqual(['Invoice', 'total']);
    const { x, y, width, height } = line?.frame ?? { x: 0, y: 0, width: 0, height: 0 };
    expect(Math.abs(x - (-500 + 40))).toBeLessThan(4);
    expect(Math.abs(y + height - (30 + 60))).toBeLessThan(4);
    expect(width).toBeGreaterThan(70);
    expect(width).toBeLessThan(110);
    expect(line?.words.every(({ confidence }) => confidence > 60 && confidence <= 100)).toBe(true);
  });

  test('light words on dark, and on coloured buttons beside dark words on light', async () => {
    const lines = await read(
      await drawn(`<rect x="0" y="0" width="360" height="40" fill="#20242c"/><text x="12" y="26" fill="#dfe3ea">Settings</text>
      <rect x="12" y="60" width="110" height="34" rx="6" fill="#0a6cff"/><text x="38" y="82" fill="#fff">Publish</text>
      <rect x="140.5" y="60.5" width="110" height="33" rx="6" fill="none" stroke="#999"/><text x="166" y="82" fill="#222">Discard</text>
      <text x="270" y="82" fill="#8a8a8a">Skipped</text>`),
    );
    expect(words(lines)).toEqual(['Settings', 'Publish', 'Discard', 'Skipped']);
  });

  test.each([1, 2])(
    'words beside check boxes, empty and checked, at scale %d; round and square letters stay',
    async (scale) => {
      const lines = await read(
        await drawn(
          `<rect x="20.5" y="16.5" width="15" height="15" rx="2" fill="#fff" stroke="#b6b6b6"/><text x="42" y="29">Remind me</text>
        <rect x="20" y="46" width="16" height="16" rx="2" fill="#3584e4"/><path d="M23 54 l4 4 l6 -8" stroke="#fff" stroke-width="2" fill="none"/><text x="42" y="59">Notify others</text>
        <text x="200" y="32" font-size="24">BOXED</text>`,
          { scale },
        ),
      );
      expect(words(lines)).toEqual(['Remind me', 'BOXED', 'Notify others']);
    },
  );

  test('words in round buttons and badges, without their ends', async () => {
    const lines = await read(
      await drawn(`<rect x="20" y="20" width="70" height="22" rx="11" fill="#c93c37"/><text x="35" y="36" font-size="12" fill="#fff">Sound</text>
      <rect x="120" y="20" width="24" height="18" rx="9" fill="#c93c37"/><text x="128" y="33" font-size="12" fill="#fff">7</text>
      <rect x="180.5" y="20.5" width="120" height="28" rx="8" fill="#fff" stroke="#888"/><text x="198" y="39">Don't ask</text>`),
    );
    expect(words(lines)).toEqual(['Sound', '7', "Don't ask"]);
  });

  test('round letters of headings', async () => {
    const lines = await read(
      await drawn(
        '<text x="20" y="40" font-size="24" font-family="DejaVu Serif">Log out now</text><text x="20" y="90" font-size="18">Quantity Go</text>',
      ),
    );
    expect(words(lines)).toEqual(['Log out now', 'Quantity Go']);
  });

  test('lines beside each other in their own type, small under large', async () => {
    const lines = await read(
      await drawn(
        '<text x="20" y="40" font-size="24">Battery</text><text x="140" y="40" font-size="11">Low power mode</text><text x="20" y="58" font-size="11">12 hours left</text>',
      ),
    );
    expect(words(lines)).toEqual(['Battery', 'Low power mode', '12 hours left']);
  });

  test('underlined links, letter for letter', async () => {
    const lines = await read(
      await drawn('<text x="20" y="50" fill="#0645ad" text-decoration="underline">Gallery</text>'),
    );
    expect(words(lines)).toEqual(['Gallery']);
  });

  test('single digits on keys', async () => {
    const keys = ['7', '8', '9', '4', '5', '6'].map((key, index) => {
      const [x, y] = [20 + (index % 3) * 60, 14 + Math.floor(index / 3) * 50];
      return `<rect x="${x + 0.5}" y="${y + 0.5}" width="50" height="36" rx="4" fill="#fff" stroke="#aaa"/><text x="${x + 21}" y="${y + 24}">${key}</text>`;
    });
    expect(words(await read(await drawn(keys.join(''))))).toEqual(['7', '8', '9', '4', '5', '6']);
  });

  test('case 17: nothing in a blank picture, in one of a single pixel and in noise, without an error', async () => {
    expect(await read(await drawn(''))).toEqual([]);
    expect(await read({ width: 1, height: 1, rgb: new Uint8Array(3), origin: { x: 0, y: 0 }, scale: 1 })).toEqual([]);
    const noise = Uint8Array.from({ length: 90 * 60 * 3 }, (_, index) => (index * 7919 * (index % 131)) % 256);
    expect(await read({ width: 90, height: 60, rgb: noise, origin: { x: 0, y: 0 }, scale: 1 })).toBeInstanceOf(Array);
  });

  test('the languages that are installed; others are refused with those there are', async () => {
    expect(reader.languages()).toContain('eng');
    const capture = await drawn('<text x="40" y="60">Invoice</text>');
    for (const language of ['xyz', '', 'eng+xyz', '../eng', 'eng/4.0.0'])
      await expect(read(capture, language), language).rejects.toMatchObject({
        code: 'unsupported',
        message: expect.stringContaining('eng'),
        details: { languages: reader.languages() },
      });
    expect(words(await read(capture, 'eng+eng'))).toEqual(['Invoice']);
  });

  test('as built, in a folder of its own, from what is installed', async () => {
    const script = `const { createRecognizer } = await import(process.argv[1]);
      const width = 40, height = 20, rgb = new Uint8Array(width * height * 3).fill(255);
      const reader = createRecognizer();
      const lines = await reader.recognize({ width, height, rgb, origin: { x: 0, y: 0 }, scale: 1 }, 'eng', AbortSignal.timeout(60000));
      await reader.close(); console.log(JSON.stringify(lines));`;
    const built = new URL('../../../dist/native/ocr/index.js', import.meta.url).href;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, built], {
      cwd: '/',
      env: { HOME: '/nonexistent' },
    });
    expect(JSON.parse(stdout)).toEqual([]);
  });
});

describe('what it remembers of lines', () => {
  const line = (text: string, covered = '') => drawn(`<text x="40" y="60">${text}</text><text x="40" y="100">Account</text>${covered}`); // prettier-ignore

  test('never gives back the text of what is masked by now', async () => {
    const reading = createRecognizer();
    expect(words(await reading.recognize(await line('hunter2'), 'eng', never))).toEqual(['hunter2', 'Account']);
    for (const mask of ['#000', '#808080', '#f4f4f4']) {
      const masked = await line('hunter2', `<rect x="30" y="44" width="120" height="22" fill="${mask}"/>`);
      expect(words(await reading.recognize(masked, 'eng', never)), mask).toEqual(['Account']);
    }
    const half = await line('hunter2', '<rect x="30" y="44" width="40" height="22" fill="#000"/>');
    expect(words(await reading.recognize(half, 'eng', never)).join(' ')).not.toContain('hunt');
    await reading.close();
  });

  test('is where the line is now', async () => {
    const reading = createRecognizer();
    const found = async (x: number, y: number) => (await reading.recognize(await drawn(`<text x="${x}" y="${y}">Invoice</text>`), 'eng', never))[0]; // prettier-ignore
    const [first, second] = [await found(40, 40), await found(100, 90)];
    expect(second).toEqual({
      text: 'Invoice',
      frame: expect.objectContaining({ x: (first?.frame.x ?? 0) + 60, y: (first?.frame.y ?? 0) + 50 }),
      words: [expect.objectContaining({ text: 'Invoice', confidence: first?.words[0]?.confidence })],
    });
    await reading.close();
  });
});

test('trained data that is broken is an error for the call, and nothing hangs', async () => {
  const broken = createRecognizer({ start: () => startEngine([{ code: 'eng', file: import.meta.filename }]) });
  const capture = await drawn('<text x="40" y="60">Invoice</text>');
  await expect(broken.recognize(capture, 'eng', never)).rejects.toMatchObject({ code: 'failed' });
  await broken.close();
});
