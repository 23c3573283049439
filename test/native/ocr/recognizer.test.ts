import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import type { Capture } from '../../../src/native/desktop.js';
import { startEngine } from '../../../src/native/ocr/engine.js';
import { createRecognizer, type RecognizerOptions, type TextLine } from '../../../src/native/ocr/index.js';

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

test('trained data that is broken is an error for the call, and nothing hangs', async () => {
  const broken = createRecognizer({ start: () => startEngine([{ code: 'eng', file: import.meta.filename }]) });
  const capture = await drawn('<text x="40" y="60">Invoice</text>');
  await expect(broken.recognize(capture, 'eng', never)).rejects.toMatchObject({ code: 'failed' });
  await broken.close();
});

type Start = NonNullable<RecognizerOptions['start']>;
const ANSWER = { blocks: [] };

/** Engines whose answers the test gives. */
function held(idleMs?: number) {
  const asked: { answer: () => void; crash: () => void }[] = [];
  const seen = { started: 0, ended: 0 };
  const start: Start = () => {
    seen.started += 1;
    const pending = new Set<(error: Error) => void>();
    return {
      recognize: () =>
        new Promise((resolve, reject) => {
          pending.add(reject);
          asked.push({ answer: () => resolve(ANSWER), crash: () => reject(new Error('crashed')) });
        }),
      async end() {
        seen.ended += 1;
        for (const reject of pending) reject(new Error('ended'));
      },
    };
  };
  const reading = createRecognizer({ start, ...(idleMs === undefined ? {} : { idleMs }) });
  let last = 0;
  const picture = (): Capture => ({ width: 2, height: 1, rgb: new Uint8Array(6).fill((last += 1)), origin: { x: 0, y: 0 }, scale: 1 }); // prettier-ignore
  const until = async (fits: () => boolean) => {
    while (!fits()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return {
    asked,
    seen,
    reading,
    picture,
    until,
    read: (signal = never) => reading.recognize(picture(), 'eng', signal),
  };
}

describe('its one thread', () => {
  test('takes one picture at a time, in order, and the same pixels only once', async () => {
    const { asked, reading, picture, until, seen } = held();
    const [first, second] = [picture(), picture()];
    const works = [first, second].map((one) => reading.recognize(one, 'eng', never));
    await until(() => asked.length === 1);
    asked[0]?.answer();
    await works[0];
    await until(() => asked.length === 2);
    asked[1]?.answer();
    await works[1];
    await reading.recognize(second, 'eng', never);
    expect([asked.length, seen.started]).toEqual([2, 1]);
    await reading.close();
  });

  test('ends with the call that is given up; those that wait go on with another', async () => {
    const { asked, read, until, seen, reading } = held();
    const stop = new AbortController();
    const [first, second] = [read(stop.signal), read()];
    await until(() => asked.length === 1);
    stop.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    await until(() => asked.length === 2);
    asked[1]?.answer();
    expect(await second).toEqual([]);
    expect(seen).toEqual({ started: 2, ended: 1 });
    await reading.close();
  });

  test('crashes for one call only', async () => {
    const { asked, read, until, seen, reading } = held();
    const [first, second] = [read(), read()];
    await until(() => asked.length === 1);
    asked[0]?.crash();
    await expect(first).rejects.toThrow('crashed');
    await until(() => asked.length === 2);
    asked[1]?.answer();
    expect(await second).toEqual([]);
    expect(seen.started).toBe(2);
    await reading.close();
  });

  test('is given up when nothing is to be read, and with the reader', async () => {
    const { asked, read, until, seen, reading } = held(1);
    const first = read();
    await until(() => asked.length === 1);
    asked[0]?.answer();
    await first;
    await until(() => seen.ended === 1);
    const second = read();
    await until(() => asked.length === 2);
    await Promise.all([expect(second).rejects.toMatchObject({ code: 'lost' }), reading.close()]);
    expect(seen).toEqual({ started: 2, ended: 2 });
    await expect(read()).rejects.toMatchObject({ code: 'lost' });
  });

  test('lets only so many wait', async () => {
    const { read, reading } = held();
    const all = Array.from({ length: 40 }, () => read().then(() => 'read', (error: Error) => error.message)); // prettier-ignore
    const refused = await Promise.race(all);
    expect(refused).toContain('Too many');
    await reading.close();
    expect((await Promise.all(all)).filter((one) => one === refused)).toHaveLength(24);
  });

  test('a call that gives up waiting does not hold up the next', async () => {
    const { asked, read, until, reading } = held();
    const stop = new AbortController();
    const [first, second, third] = [read(), read(stop.signal), read()];
    stop.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    await until(() => asked.length === 1);
    asked[0]?.answer();
    await first;
    await until(() => asked.length === 2);
    asked[1]?.answer();
    expect(await third).toEqual([]);
    await reading.close();
  });
});
